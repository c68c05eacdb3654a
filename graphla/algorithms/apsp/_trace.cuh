// Next hops from known distances, where every weight is greater than 0. An arc i → v is essential if it is a shortest
// path itself; only such arcs begin shortest paths, and a random dense graph has few of them. H[i, j] is the v among
// the essential arcs with the least w + D[v, j], where D[v, j] < D[i, j]: so every walk comes nearer and ends.
// compiled: mark_essential<T, Offset> with T = float | short | unsigned long long; Offset = int | long long
// compiled: choose_hops<NonNegativeFloat>; hot on sm_90
// compiled: choose_hops<NonNegativePairs>; hot on sm_90
// compiled: choose_hops<Double>
// compiled: choose_hops<Saturating<S>> with S = min_plus UINT64
#pragma once
#include "tropical_numbers.cuh"

constexpr int TRACE_THREADS = 256;

// A warp owns a row; an essential arc is its own next hop.
template <class T, class Offset>
__global__ void mark_essential(const Offset* start, const int* target, const T* weight, T infinity, const T* d,
                               long long stride, int n, unsigned char* essential, int* h) {
  for (long long i = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) >> 5; i < n;
       i += gridDim.x * static_cast<long long>(blockDim.x) >> 5) {
    for (Offset e = start[i] + lane_index(); e < start[i + 1]; e += 32) {
      const int v = target[e];
      const bool keep = v != i && weight[e] != infinity && !(d[i * stride + v] < weight[e]);
      essential[e] = keep;
      if (keep) h[i * n + v] = v;
    }
    if (lane_index() == 0) h[i * n + i] = static_cast<int>(i);
  }
}

// Whether two sums of the same path may differ so much by the order of their terms.
template <class T>
__device__ __forceinline__ bool as_near(T sum, T distance) {
  if constexpr (is_float<T>) return sum - distance <= distance * (sizeof(T) == 4 ? T(4e-6) : T(1e-14));
  else return sum == distance;
}

// A thread owns (i, j); a block a row at a time, its essential arcs in shared memory. *lost: some pair found no hop.
template <class P>
__global__ __launch_bounds__(TRACE_THREADS) void choose_hops(const long long* start, const int* target,
                                                             const typename P::Value* weight,
                                                             typename P::Value infinity, const typename P::Value* d,
                                                             long long stride, int n, int* h, int* lost) {
  using T = typename P::Value;
  __shared__ int heads[TRACE_THREADS];
  __shared__ T weights[TRACE_THREADS];
  const int j = blockIdx.x * TRACE_THREADS + threadIdx.x;
  for (long long i = blockIdx.y; i < n; i += gridDim.y) {
    const T own = j < n ? d[i * stride + j] : infinity;
    const bool wanted = j < n && own != infinity && h[i * n + j] < 0;
    bool open = wanted;
    T best = infinity;
    int hop = -1;
    for (long long base = start[i]; base < start[i + 1]; base += TRACE_THREADS) {
      if (!__syncthreads_or(open)) break;
      const long long left = start[i + 1] - base;
      const int count = left < TRACE_THREADS ? static_cast<int>(left) : TRACE_THREADS, me = threadIdx.x;
      if (me < count) heads[me] = target[base + me], weights[me] = weight[base + me];
      __syncthreads();
      for (int a = 0; a < count && open; ++a) {
        const T after = d[heads[a] * stride + j], sum = P::sum(weights[a], after);
        if (!(after < own) || !(sum < best)) continue;
        best = sum, hop = heads[a], open = sum != own;
      }
    }
    if (wanted) h[i * n + j] = hop;
    if (wanted && (hop < 0 || !as_near(best, own))) *lost = 1;
    __syncthreads();
  }
}
