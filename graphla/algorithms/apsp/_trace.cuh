// Next hops from known distances. Heights h make no arc lead up: w + h[i] − h[v] ≥ 0 (h = 0 where no weight is
// negative, else the least distance from any vertex to v), so f[i, j] = D[i, j] + h[i] never increases along a shortest
// path to j.
//
// An arc i → v is essential if it is a shortest path itself; only such arcs begin shortest paths, and a random dense
// graph has few of them. First, H[i, j] is the v with the least w + D[v, j] among the essential arcs that lead down,
// f[v, j] < f[i, j], if that sum is D[i, j]. The pairs left are open: only arcs along the level (or up, by rounding)
// begin their paths, and such an arc is taken if its head has a hop to j already. Hence from hop to hop f decreases, or
// it stays and the next hop was set earlier: every walk ends, also with cycles of weight 0. An arc that leads up counts
// if the walk from its head already ends at j, because hops never change.
//
// Open pairs, and pairs with a hop, are bits, 32 columns of a row in a word: a round along the level reads n² / 4 bytes
// of them, which stay in the cache, and reads D only at candidates.
//
// compiled: mark_essential<T, Offset> with T = float | short | unsigned long long; Offset = int | long long
// compiled: choose_hops<NonNegativeFloat>; hot on sm_90
// compiled: choose_hops<NonNegativePairs>; hot on sm_90
// compiled: choose_hops<Double>
// compiled: choose_hops<Saturating<S>> with S = min_plus UINT64 | min_plus INT32
// compiled: level_hops<NonNegativeFloat>; hot on sm_90
// compiled: level_hops<SignedFloat>; hot on sm_90
// compiled: level_hops<NonNegativePairs>
// compiled: level_hops<Saturating<S>> with S = min_plus UINT64 | min_plus INT32
#pragma once

#include "_levels.py"  // ROUNDING_FP32, ROUNDING_FP64
#include "_trace.py"   // CHOSEN_COLUMNS, TRACE_THREADS
#include "headers/primitives.cuh"
#include "matmat/tropical_numbers.cuh"

constexpr int TRACE_WORDS = CHOSEN_COLUMNS / 32;  // words of 32 columns that a warp of choose_hops owns

// A warp owns a row; an essential arc is its own next hop.
template <class T, class Offset>
__global__ void mark_essential(const Offset* indptr, const int* indices, const T* values, T infinity, const T* d,
                               long long stride, int n, unsigned char* essential, int* h) {
  for (long long i = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) >> 5; i < n;
       i += gridDim.x * static_cast<long long>(blockDim.x) >> 5) {
    for (Offset e = indptr[i] + lane_index(); e < indptr[i + 1]; e += 32) {
      const int v = indices[e];
      const bool keep = v != i && values[e] != infinity && !(d[i * stride + v] < values[e]);
      essential[e] = keep;
      if (keep) h[i * n + v] = v;
    }
    if (lane_index() == 0) h[i * n + i] = static_cast<int>(i);
  }
}

// The relative error by which two sums of the same path may differ, because of the order of their terms.
template <class T>
constexpr double rounding = is_same<T, float> ? ROUNDING_FP32 : ROUNDING_FP64;

// Whether two sums differ by no more than that; `scale` is the largest height.
template <class T>
__device__ __forceinline__ bool as_near(T sum, T distance, double scale) {
  if constexpr (is_float<T>) {
    const T room = static_cast<T>((fabs(static_cast<double>(distance)) + scale) * rounding<T>);
    return sum == distance || fabs(static_cast<double>(sum - distance)) <= static_cast<double>(room);
  } else return sum == distance;
}

// Sets a flag that many threads set: stores to one address are serialized, loads are not.
__device__ __forceinline__ void raise(int* flag) {
  if (!load_racing(flag)) store_racing(flag, 1);
}

// Distances, the essential arcs by rows, and the hops found so far.
template <class P>
struct Paths {
  using T = typename P::Value;
  const long long* indptr;
  const int* indices;
  const T* values;
  const T* d;
  long long stride;
  int n;
  int* h;
  double scale;
  const double* height;

  __device__ double f(long long i, T distance) const { return static_cast<double>(distance) + height[i]; }
  // Whether an arc of i leads along the level or up, within the rounding of distances up to `farthest`.
  __device__ bool along(long long i, long long arc, float farthest) const {
    const double fall = static_cast<double>(values[arc]) + height[i] - height[indices[arc]];
    return fall <= 2 * (static_cast<double>(farthest) + scale) * rounding<T>;
  }
  // Whether the hops found so far lead from v to j.
  __device__ bool arrives(long long v, int j) const {
    while (v >= 0 && v != j) v = load_fresh(h + v * n + j);
    return v == j;
  }
  // Whether a shortest path from i to j begins with this arc, whose head has a hop to j, so that walks still end.
  __device__ bool begins(long long i, int j, long long arc) const {
    const long long v = indices[arc];
    const T own = d[i * stride + j], after = d[v * stride + j];
    if (!as_near(P::sum(values[arc], after), own, scale)) return false;
    return f(v, after) <= f(i, own) || arrives(v, j);
  }
  // The warp tests the arcs of the set `arcs`, from `base` on, for the `open` pairs from i to the columns of a word;
  // returns the bits of the pairs that got a hop. The bits of `known` say which heads have hops.
  __device__ unsigned take(
      long long i, long long base, unsigned arcs, int word, unsigned open, const unsigned* known) const {
    const int j = word * 32 + lane_index();
    const long long words = (n + 31) / 32;
    const bool mine = arcs >> lane_index() & 1u;
    const unsigned heads = mine ? load_fresh(known + indices[base + lane_index()] * words + word) : 0;
    unsigned ready = 0;
    for (unsigned rest = arcs; rest; rest &= rest - 1) {
      const int arc = __ffs(static_cast<int>(rest)) - 1;
      ready |= (shuffle_from(heads, arc) >> lane_index() & 1u) << arc;
    }
    if (!(open >> lane_index() & 1u)) ready = 0;
    bool good = false;
    for (; ready && !good; ready &= ready - 1) {
      const long long arc = base + __ffs(static_cast<int>(ready)) - 1;
      good = begins(i, j, arc);
      if (good) store_racing(h + i * n + j, indices[arc]);
    }
    return __ballot_sync(WHOLE_WARP, good);
  }
};

// The hops that a lane looks for: from i to columns that are 32 apart; `searching` has a bit for each.
template <class P>
struct Search {
  using T = typename P::Value;
  long long i;
  int first;
  T own[TRACE_WORDS], best[TRACE_WORDS];
  int hop[TRACE_WORDS];
  unsigned wanted = 0, reached = 0, searching = 0;

  __device__ int column(int c) const { return first + 32 * c; }
  __device__ void begin(const Paths<P>& paths, T infinity) {
#pragma unroll
    for (int c = 0; c < TRACE_WORDS; ++c) {
      own[c] = column(c) < paths.n ? paths.d[i * paths.stride + column(c)] : infinity;
      best[c] = infinity;
      hop[c] = -1;
      if (own[c] == infinity) continue;
      reached |= 1u << c;
      if (paths.h[i * paths.n + column(c)] < 0) wanted |= 1u << c;
    }
#pragma unroll
    for (int c = 0; c < TRACE_WORDS; ++c)
      if ((wanted >> c & 1u) && paths.height[column(c)] < paths.f(i, own[c])) searching |= 1u << c;
  }
  // The largest distance of the warp's pairs.
  __device__ float farthest() const {
    float far = 0;
#pragma unroll
    for (int c = 0; c < TRACE_WORDS; ++c)
      if (reached >> c & 1u) far = fmaxf(far, static_cast<float>(fabs(static_cast<double>(own[c]))));
    return __uint_as_float(__reduce_max_sync(WHOLE_WARP, __float_as_uint(far)));
  }
  // Takes the arc to v, of weight w, where it is the shortest so far. A path as short as D says then leads down, unless
  // the arc is along the level.
  template <bool along>
  __device__ void look(const Paths<P>& paths, long long v, T w, T infinity) {
    T after[TRACE_WORDS];
#pragma unroll
    for (int c = 0; c < TRACE_WORDS; ++c)
      after[c] = searching >> c & 1u ? paths.d[v * paths.stride + column(c)] : infinity;
#pragma unroll
    for (int c = 0; c < TRACE_WORDS; ++c) {
      const T sum = P::sum(w, after[c]);
      bool better = (searching >> c & 1u) && sum < best[c];
      if constexpr (along) better = better && paths.f(v, after[c]) < paths.f(i, own[c]);
      best[c] = better ? sum : best[c];
      hop[c] = better ? static_cast<int>(v) : hop[c];
      if (better && sum == own[c]) searching &= ~(1u << c);
    }
  }
  // Writes the hops found; returns the bits of the columns that have none yet.
  __device__ unsigned end(const Paths<P>& paths) const {
    unsigned open = wanted;
#pragma unroll
    for (int c = 0; c < TRACE_WORDS; ++c) {
      if (hop[c] < 0 || !as_near(best[c], own[c], paths.scale)) continue;
      paths.h[i * paths.n + column(c)] = hop[c];
      open &= ~(1u << c);
    }
    return open;
  }
  // Writes a bit per column of the warp's lanes to its words of row i.
  __device__ void note(unsigned columns, int n, unsigned* bits) const {
    const int words = (n + 31) / 32;
#pragma unroll
    for (int c = 0; c < TRACE_WORDS; ++c) {
      const unsigned word = __ballot_sync(WHOLE_WARP, columns >> c & 1u);
      if (lane_index() == 0 && first / 32 + c < words) bits[i * words + first / 32 + c] = word;
    }
  }
};

template <class P>
struct HopParameters {
  const long long* indptr;  // of the essential arcs
  const int* indices;
  const typename P::Value* values;
  const typename P::Value* d;
  long long stride;
  int n;
  int* h;
  double scale;
  const double* height;
  unsigned* open;
  unsigned* known;
  unsigned* farthest;
  int* left;
  int* changed;
  typename P::Value infinity;
};

template <class P>
__device__ __forceinline__ Paths<P> paths_of(const HopParameters<P>& given) {
  return {
      given.indptr, given.indices, given.values, given.d, given.stride, given.n, given.h, given.scale, given.height};
}

// A warp owns row i and CHOSEN_COLUMNS columns: resident blocks read few columns, which stay in the L2 cache. *left:
// some pair has no hop yet; farthest[i]: a bound on the distances of these pairs.
template <class P>
__global__ __launch_bounds__(TRACE_THREADS) void choose_hops(const __grid_constant__ HopParameters<P> given) {
  const Paths<P> paths = paths_of(given);
  const int n = given.n;
  const typename P::Value infinity = given.infinity;
  const long long* const indptr = given.indptr;
  const long long i = blockIdx.x * (TRACE_THREADS / 32ll) + warp_index();
  if (i >= n) return;
  Search<P> search{i, static_cast<int>(blockIdx.y) * 32 * TRACE_WORDS + lane_index()};
  search.begin(paths, infinity);
  const float far = search.farthest();
  const long long last = indptr[i + 1];
  for (long long base = indptr[i]; base < last && __any_sync(WHOLE_WARP, search.searching != 0); base += 32) {
    const long long mine = base + lane_index() < last ? base + lane_index() : base;
    const int head = given.indices[mine], count = last - base < 32 ? static_cast<int>(last - base) : 32;
    const typename P::Value w = given.values[mine];
    const unsigned along = __ballot_sync(WHOLE_WARP, paths.along(i, mine, far));
    for (int a = 0; a < count && __any_sync(WHOLE_WARP, search.searching != 0); ++a) {
      const int v = shuffle_from(head, a);
      if (along >> a & 1u) search.template look<true>(paths, v, shuffle_from(w, a), infinity);
      else search.template look<false>(paths, v, shuffle_from(w, a), infinity);
    }
  }
  const unsigned lost = search.end(paths);
  search.note(lost, n, given.open);
  search.note(search.reached & ~lost, n, given.known);
  if (!__any_sync(WHOLE_WARP, lost != 0) || lane_index() != 0) return;
  if (__float_as_uint(far) > given.farthest[i]) atomicMax(given.farthest + i, __float_as_uint(far));
  raise(given.left);
}

// A round over the open pairs: a warp owns 32 words of a row at a time, and the arcs of the row along the level. *left:
// some pair has no hop yet; *changed: this round found one.
template <class P>
__global__ __launch_bounds__(TRACE_THREADS, 5) void level_hops(const __grid_constant__ HopParameters<P> given) {
  const Paths<P> paths = paths_of(given);
  const int n = given.n;
  const long long* const indptr = given.indptr;
  unsigned *const open = given.open, *const known = given.known;
  const int words = (n + 31) / 32, groups = (words + 31) / 32;
  const long long parts = static_cast<long long>(n) * groups, warps = gridDim.x * (TRACE_THREADS / 32ll);
  for (long long part = blockIdx.x * (TRACE_THREADS / 32ll) + warp_index(); part < parts; part += warps) {
    const long long i = part % n;
    const int first = static_cast<int>(part / n) * 32, word = first + lane_index();
    const unsigned before = word < words ? open[i * words + word] : 0;
    unsigned waiting = before;
    for (long long base = indptr[i]; base < indptr[i + 1] && __any_sync(WHOLE_WARP, waiting != 0); base += 32) {
      const long long mine = base + lane_index();
      const bool along = mine < indptr[i + 1] && paths.along(i, mine, __uint_as_float(given.farthest[i]));
      const int head = along ? given.indices[mine] : 0;
      const unsigned arcs = __ballot_sync(WHOLE_WARP, along);
      unsigned ready = 0;
      for (unsigned rest = arcs; rest; rest &= rest - 1) {
        const long long v = shuffle_from(head, __ffs(static_cast<int>(rest)) - 1);
        if (waiting) ready |= waiting & load_fresh(known + v * words + word);
      }
      for (unsigned lanes = __ballot_sync(WHOLE_WARP, ready != 0); lanes; lanes &= lanes - 1) {
        const int source = __ffs(static_cast<int>(lanes)) - 1;
        const unsigned taken = paths.take(i, base, arcs, first + source, shuffle_from(waiting, source), known);
        if (lane_index() == source) waiting &= ~taken;
      }
    }
    if (waiting) raise(given.left);
    if (waiting == before) continue;
    open[i * words + word] = waiting;
    store_racing(known + i * words + word, known[i * words + word] | (before & ~waiting));
    raise(given.changed);
  }
}
