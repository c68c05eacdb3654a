// Next hops from known distances. A height h makes no arc lead up: w + h[i] − h[v] ≥ 0 (h = 0 where no weight is
// negative, else the nearest that any vertex is to v), so that f[i, j] = D[i, j] + h[i] never grows on a shortest path
// to j. An arc i → v is essential if it is a shortest path itself; only such arcs begin shortest paths, and a random
// dense graph has few of them. First H[i, j] is the v among the essential arcs that lead down, f[v, j] < f[i, j], with
// the least w + D[v, j], if that is D[i, j]. What is left are the open pairs: only arcs along the level begin them (or
// up, by rounding), and they take a v that has its hop already. So from hop to hop f falls, or stays and the hop is
// older: walks end, whatever cycles of weight 0 there are. An arc up counts if the walk from its v ends at j already,
// for hops never change. Open pairs, and pairs with a hop, are bits, 32 columns of a row in a word: a round along the
// level reads n² / 4 bytes of them, which stay in the cache, and of D only what may be a hop.
// compiled: mark_essential<T, Offset> with T = float | short | unsigned long long; Offset = int | long long
// compiled: choose_hops<NonNegativeFloat>; hot on sm_90
// compiled: choose_hops<NonNegativePairs>; hot on sm_90
// compiled: choose_hops<Double>
// compiled: choose_hops<Saturating<S>> with S = min_plus UINT64 | min_plus INT32
// compiled: level_hops<NonNegativeFloat>; hot on sm_90
// compiled: level_hops<NonNegativePairs>
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

// By how much of a distance and the heights two sums of the same path may differ by the order of their terms.
template <class T>
constexpr double rounding = is_same<T, float> ? 4e-6 : 1e-14;

// Whether they do not differ by more; `scale` is the largest height.
template <class T>
__device__ __forceinline__ bool as_near(T sum, T distance, double scale) {
  if constexpr (is_float<T>) {
    const T room = static_cast<T>((fabs(static_cast<double>(distance)) + scale) * rounding<T>);
    return sum == distance || fabs(static_cast<double>(sum - distance)) <= static_cast<double>(room);
  }
  else return sum == distance;
}

// A warp's 32 columns of row i as bits, and how far the farthest open pair is: for the rounds of the level.
template <class T>
__device__ __forceinline__ void note_pairs(bool is_open, bool has_hop, T own, long long i, long long word,
                                           long long words, unsigned* open, unsigned* known, unsigned* farthest) {
  const unsigned left = __ballot_sync(WHOLE_WARP, is_open), done = __ballot_sync(WHOLE_WARP, has_hop);
  if (word < words && lane_index() == 0) open[i * words + word] = left, known[i * words + word] = done;
  if (!left) return;
  const float far = is_open ? static_cast<float>(fabs(static_cast<double>(own))) : 0.0f;
  const unsigned most = __reduce_max_sync(WHOLE_WARP, __float_as_uint(far));
  if (lane_index() == 0 && most > load_fresh(farthest + i)) atomicMax(farthest + i, most);
}

// A thread owns (i, j); a block a row at a time, its essential arcs in shared memory. *left: some pair has no hop yet.
template <class P>
__global__ __launch_bounds__(TRACE_THREADS) void choose_hops(
    const long long* start, const int* target, const typename P::Value* weight, const typename P::Value* d,
    long long stride, int n, int* h, double scale, const double* height, unsigned* open, unsigned* known,
    unsigned* farthest, int* left, typename P::Value infinity) {
  using T = typename P::Value;
  __shared__ int heads[TRACE_THREADS];
  __shared__ T weights[TRACE_THREADS];
  const int j = blockIdx.x * TRACE_THREADS + threadIdx.x;
  for (long long i = blockIdx.y; i < n; i += gridDim.y) {
    const T own = j < n ? d[i * stride + j] : infinity;
    const bool reached = own != infinity, wanted = reached && h[i * n + j] < 0;
    const double top = wanted ? static_cast<double>(own) + height[i] : 0;
    bool searching = wanted && height[j] < top;
    T best = infinity;
    int hop = -1;
    for (long long base = start[i]; base < start[i + 1]; base += TRACE_THREADS) {
      if (!__syncthreads_or(searching)) break;
      const long long left_over = start[i + 1] - base;
      const int count = left_over < TRACE_THREADS ? static_cast<int>(left_over) : TRACE_THREADS, me = threadIdx.x;
      if (me < count) heads[me] = target[base + me], weights[me] = weight[base + me];
      __syncthreads();
      for (int a = 0; a < count && searching; ++a) {
        const T after = d[heads[a] * stride + j], sum = P::sum(weights[a], after);
        if (!(sum < best) || !(static_cast<double>(after) + height[heads[a]] < top)) continue;
        best = sum, hop = heads[a], searching = sum != own;
      }
    }
    const bool found = hop >= 0 && as_near(best, own, scale), is_open = wanted && !found;
    if (found) h[i * n + j] = hop;
    if (is_open) *left = 1;
    note_pairs(is_open, reached && !is_open, own, i, j / 32, (n + 31) / 32, open, known, farthest);
    __syncthreads();
  }
}

// Distances, the essential arcs by rows, and the hops so far.
template <class P>
struct Paths {
  using T = typename P::Value;
  const long long* start;
  const int* target;
  const T *weight, *d;
  long long stride;
  int n;
  int* h;
  double scale;
  const double* height;

  // Whether an arc of i leads along the level, or up, as far as rounding lets one say of distances up to `farthest`.
  __device__ bool along(long long i, long long arc, float farthest) const {
    const double fall = static_cast<double>(weight[arc]) + height[i] - height[target[arc]];
    return fall <= 2 * (static_cast<double>(farthest) + scale) * rounding<T>;
  }
  // Whether the hops so far lead from v to j.
  __device__ bool arrives(long long v, int j) const {
    while (v >= 0 && v != j) v = load_fresh(h + v * n + j);
    return v == j;
  }
  // Whether a shortest path from i to j begins with this arc, whose head has a hop to j, and walks end if it is taken.
  __device__ bool begins(long long i, int j, long long arc) const {
    const long long v = target[arc];
    const T own = d[i * stride + j], after = d[v * stride + j];
    if (!as_near(P::sum(weight[arc], after), own, scale)) return false;
    return static_cast<double>(after) + height[v] <= static_cast<double>(own) + height[i] || arrives(v, j);
  }
  // A warp tries an arc on the pairs (i, 32 · word + bit) of each lane's word; the bits of those that took it.
  __device__ unsigned take(long long i, long long arc, int word, unsigned bits) const {
    unsigned taken = 0;
    for (unsigned lanes = __ballot_sync(WHOLE_WARP, bits != 0); lanes; lanes &= lanes - 1) {
      const int source = __ffs(static_cast<int>(lanes)) - 1, j = shuffle_from(word, source) * 32 + lane_index();
      const bool good = (shuffle_from(bits, source) >> lane_index() & 1u) && begins(i, j, arc);
      if (good) h[i * n + j] = target[arc];
      const unsigned votes = __ballot_sync(WHOLE_WARP, good);
      if (lane_index() == source) taken = votes;
    }
    return taken;
  }
};

// A round over open pairs: a warp owns 32 words of a row at a time, and the arcs of the row along the level. *left: some
// pair has no hop yet; *changed: one more has.
template <class P>
__global__ __launch_bounds__(TRACE_THREADS, 5) void level_hops(
    const long long* start, const int* target, const typename P::Value* weight, const typename P::Value* d,
    long long stride, int n, int* h, double scale, const double* height, unsigned* open, unsigned* known,
    const unsigned* farthest, int* left, int* changed) {
  const Paths<P> paths{start, target, weight, d, stride, n, h, scale, height};
  const int words = (n + 31) / 32, groups = (words + 31) / 32;
  const long long parts = static_cast<long long>(n) * groups, warps = gridDim.x * (TRACE_THREADS / 32ll);
  for (long long part = blockIdx.x * (TRACE_THREADS / 32ll) + warp_index(); part < parts; part += warps) {
    const long long i = part / groups;
    const int word = static_cast<int>(part % groups) * 32 + lane_index();
    const unsigned before = word < words ? open[i * words + word] : 0;
    unsigned waiting = before;
    for (long long base = start[i]; base < start[i + 1] && __any_sync(WHOLE_WARP, waiting != 0); base += 32) {
      const long long mine = base + lane_index();
      const bool along = mine < start[i + 1] && paths.along(i, mine, __uint_as_float(farthest[i]));
      for (unsigned arcs = __ballot_sync(WHOLE_WARP, along); arcs; arcs &= arcs - 1) {
        const long long arc = base + __ffs(static_cast<int>(arcs)) - 1, v = target[arc];
        const unsigned ready = waiting ? waiting & load_fresh(known + v * words + word) : 0;
        waiting &= ~paths.take(i, arc, word, ready);
      }
    }
    if (waiting) *left = 1;
    if (waiting == before) continue;
    open[i * words + word] = waiting;
    known[i * words + word] |= before & ~waiting;
    *changed = 1;
  }
}
