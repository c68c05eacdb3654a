// level[v] = d + 1, for every arc u -> v with level[u] = d and v unreached.
// Sweeps over all vertices: they push as tails while the frontier is small, and pull as heads once it is large.
//
// compiled: push_sweep<Offset> with Offset = int | long long
// compiled: pull_sweep<Offset> with Offset = int | long long
#pragma once

#include "_common.cuh"
#include "_sweeps.cuh"
#include "headers/primitives.cuh"

__device__ __forceinline__ void count_found(bool found, int* total) {
  const unsigned finders = __ballot_sync(WHOLE_WARP, found);
  if (lane_index() == 0 && finders) atomicAdd(total, __popc(finders));
}

// Counts the tails that found a head, which is enough to recognize a large frontier.
template <class Offset>
__global__ void push_sweep(int n, const Offset* indptr, const int* indices, int* levels, int* total, int depth) {
  const int u = thread_id();
  count_found(u < n && push_from(u, indptr, indices, levels, depth), total);
}

template <class Offset>
__global__ void pull_sweep(int n, const Offset* indptr, const int* indices, int* levels, int* total, int depth) {
  const int v = thread_id();
  count_found(v < n && pull_to(v, indptr, indices, levels, depth), total);
}
