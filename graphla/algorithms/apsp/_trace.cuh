// Next hops from known distances. A height h makes no arc lead up: w + h[i] − h[v] ≥ 0 (h = 0 where no weight is
// negative, else the nearest that any vertex is to v), so that D[i, j] + h[i] never grows on a shortest path to j. An arc
// i → v is essential if it is a shortest path itself; only such arcs begin shortest paths, and a random dense graph has
// few of them. First H[i, j] is the v among the essential arcs that lead down with the least w + D[v, j], if that is
// D[i, j]. What is left are pairs that only arcs on the level begin (or up, by rounding); such an arc counts once the walk
// from its v is known to end at j. So walks end, whatever cycles of weight 0 there are.
// compiled: mark_essential<T, Offset> with T = float | short | unsigned long long; Offset = int | long long
// compiled: choose_hops<NonNegativeFloat>; hot on sm_90
// compiled: choose_hops<NonNegativePairs>; hot on sm_90
// compiled: choose_hops<Double>
// compiled: choose_hops<Saturating<S>> with S = min_plus UINT64 | min_plus INT32
// compiled: level_hops<NonNegativeFloat>; hot on sm_90
// compiled: level_hops<Saturating<S>> with S = min_plus UINT64 | min_plus INT32
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

// Whether two sums of the same path may differ so much by the order of their terms; `scale` is the largest height.
template <class T>
__device__ __forceinline__ bool as_near(T sum, T distance, double scale) {
  if constexpr (is_float<T>) {
    const T room = static_cast<T>(fabs(static_cast<double>(distance)) + scale) * (sizeof(T) == 4 ? T(4e-6) : T(1e-14));
    return sum == distance || fabs(static_cast<double>(sum - distance)) <= static_cast<double>(room);
  }
  else return sum == distance;
}

// A thread owns (i, j); a block a row at a time, its essential arcs in shared memory. *open: some pair has no hop yet.
template <class P>
__global__ __launch_bounds__(TRACE_THREADS) void choose_hops(const long long* start, const int* target,
                                                             const typename P::Value* weight,
                                                             typename P::Value infinity, const typename P::Value* d,
                                                             long long stride, int n, int* h, double scale, int* open,
                                                             const double* height) {
  using T = typename P::Value;
  __shared__ int heads[TRACE_THREADS];
  __shared__ T weights[TRACE_THREADS];
  const int j = blockIdx.x * TRACE_THREADS + threadIdx.x;
  for (long long i = blockIdx.y; i < n; i += gridDim.y) {
    const T own = j < n ? d[i * stride + j] : infinity;
    const bool wanted = j < n && own != infinity && h[i * n + j] < 0;
    const double top = wanted ? static_cast<double>(own) + height[i] : 0;
    bool searching = wanted && height[j] < top;
    T best = infinity;
    int hop = -1;
    for (long long base = start[i]; base < start[i + 1]; base += TRACE_THREADS) {
      if (!__syncthreads_or(searching)) break;
      const long long left = start[i + 1] - base;
      const int count = left < TRACE_THREADS ? static_cast<int>(left) : TRACE_THREADS, me = threadIdx.x;
      if (me < count) heads[me] = target[base + me], weights[me] = weight[base + me];
      __syncthreads();
      for (int a = 0; a < count && searching; ++a) {
        const T after = d[heads[a] * stride + j], sum = P::sum(weights[a], after);
        if (!(sum < best) || !(static_cast<double>(after) + height[heads[a]] < top)) continue;
        best = sum, hop = heads[a], searching = sum != own;
      }
    }
    const bool found = hop >= 0 && as_near(best, own, scale);
    if (found) h[i * n + j] = hop;
    if (wanted && !found) *open = 1;
    __syncthreads();
  }
}

// A round over the pairs whose walk is not `settled`, known to end at j: if it leads to one that is, it is settled too; if
// it has no first step, one to a settled pair will do. *open: some pair has no hop yet; *changed: one more is settled.
template <class P>
__global__ __launch_bounds__(TRACE_THREADS) void level_hops(const long long* start, const int* target,
                                                            const typename P::Value* weight,
                                                            typename P::Value infinity, const typename P::Value* d,
                                                            long long stride, int n, int* h, double scale, int* open,
                                                            int* changed, unsigned char* settled) {
  const int j = blockIdx.x * TRACE_THREADS + threadIdx.x;
  const auto ends = [&](long long v) { return v == j || load_fresh(settled + v * n + j); };
  for (long long i = blockIdx.y; i < n && j < n; i += gridDim.y) {
    const typename P::Value own = d[i * stride + j];
    if (own == infinity || ends(i)) continue;
    const int known = h[i * n + j];
    int hop = known >= 0 && ends(known) ? known : -1;
    for (long long a = start[i]; a < start[i + 1] && known < 0 && hop < 0; ++a) {
      const long long v = target[a];
      if (ends(v) && as_near(P::sum(weight[a], d[v * stride + j]), own, scale)) hop = static_cast<int>(v);
    }
    if (hop >= 0) {
      h[i * n + j] = hop;
      settled[i * n + j] = 1;
      *changed = 1;
    } else if (known < 0) {
      *open = 1;
    }
  }
}
