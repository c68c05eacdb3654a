// out[s] = ⊕ of values[indptr[s] … indptr[s + 1]): a team of lanes owns a segment; one long segment is cut in two
// passes.
//
// compiled: reduce_segments<S, 8> with S = plus_first FP32 | min_first INT64 | lor_first BOOL | times_first UINT8
// compiled: reduce_segments<S, 8> with S = plus_first FC32 | times_first FC64
// compiled: reduce_stretches<S, Entries> with S = plus_first FP32 | min_first INT64 | lor_first BOOL |
//   times_first UINT8; Entries = Full | Bitmap; hot
#pragma once

#include "headers/sum.cuh"
#include "headers/views.cuh"

template <class S, int TEAM>
__global__ void reduce_segments(
    const long long* indptr, const typename S::A* values, typename S::C* out, int segments) {
  const long long segment = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / TEAM;
  Sum<S> sum;
  if (segment < segments)
    for (long long q = indptr[segment] + threadIdx.x % TEAM; q < indptr[segment + 1] && !sum.done(); q += TEAM)
      sum.take(S::mul(values[q], typename S::B(), 0, 0, 0));
  sum.template over_team<TEAM>();
  if (segment < segments && threadIdx.x % TEAM == 0) out[segment] = sum.total;
}

// Block b reduces the entries of every gridDim.x-th stretch; S::mul casts a value into the dtype of the result.
template <class S, class Entries>
__global__ void reduce_stretches(
    const typename S::A* values, const bool* present, long long count, typename S::C* out) {
  Sum<S> sum;
  for (long long q = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; q < count && !sum.done();
       q += static_cast<long long>(gridDim.x) * blockDim.x)
    if (Entries::has(present, q)) sum.take(S::mul(values[q], typename S::B(), 0, 0, 0));
  sum.over_block();
  if (threadIdx.x == 0) out[blockIdx.x] = sum.total;
}
