// Bounds of eccentricities on a GPU; T is uint64 or double, D the dtype of distances. A thread owns a vertex.
//
//   low[w] = max(low[w], d(w, v), e - d(v, w)), high[w] = min(high[w], d(w, v) + e) for each search, one after the
//   other, where e = max d(v, .); a distance of `none` is that of no path.
//
// compiled: begin_bounds<T, P> with T = unsigned long long | double; P = int | long long; hot
// compiled: find_farthest<T, D> with T = unsigned long long | double; D = int | long long | double; hot
// compiled: tighten<T, D> with T = unsigned long long | double; D = int | long long | double; hot
// compiled: flag_waiting<T> with T = unsigned long long | double; hot
// compiled: find_extreme<T> with T = unsigned long long | double; hot
// compiled: find_strongest<T, P> with T = unsigned long long | double; P = int | long long; hot
// compiled: make_keys<T, P> with T = unsigned long long | double; P = int | long long; hot
#pragma once

#include "headers/primitives.cuh"

#include "_bounds.py"  // ROUNDING

using Bits = unsigned long long;

// Numbers of zero or more stand in the order of their bits.
template <class T>
__device__ __forceinline__ void raise(T* place, T x) {
  atomicMax(reinterpret_cast<Bits*>(place), same_bits<Bits>(x));
}

// Nothing is known but of vertices that no arc leaves.
template <class T, class P>
__global__ void begin_bounds(const P* indptr, int n, T end, T* high) {
  for (const int v : grid_range(n)) high[v] = indptr[v + 1] == indptr[v] ? static_cast<T>(0) : end;
}

// farthest[k] = the largest distance of search k.
template <class T, class D>
__global__ void find_farthest(const D* distances, int n, int searches, D none, T* farthest) {
  for (int k = 0; k < searches; ++k) {
    T mine = 0;
    for (const int w : grid_range(n)) {
      const D d = distances[static_cast<long long>(k) * n + w];
      if (d != none && static_cast<T>(d) > mine) mine = static_cast<T>(d);
    }
    mine = block_reduce(mine, static_cast<T>(0), Most());
    if (threadIdx.x == 0 && mine > static_cast<T>(0)) raise(farthest + k, mine);
  }
}

template <class T, class D>
__global__ void tighten(
    const D* away, const D* back, const int* chosen, const T* farthest, int n, int searches, D none, T* low, T* high) {
  for (const int w : grid_range(n)) {
    T least = low[w], most = high[w];
    for (int k = 0; k < searches; ++k) {
      const D from = away[static_cast<long long>(k) * n + w], to = back[static_cast<long long>(k) * n + w];
      const T e = farthest[k];
      if (chosen[k] == w) least = most = e;
      if (chosen[k] == w || to == none) continue;
      if (static_cast<T>(to) > least) least = static_cast<T>(to);
      if (from == none) continue;
      if (e - static_cast<T>(from) > least) least = e - static_cast<T>(from);
      if (static_cast<T>(to) + e < most) most = static_cast<T>(to) + e;
    }
    low[w] = least;
    high[w] = most;
  }
}

// Which upper bounds are above lower ones by more than rounding, or above `largest` if not each has its own.
template <class T>
__global__ void flag_waiting(
    const T* low, const T* high, const bool* wanted, bool each, T largest, int n, bool* waiting, Bits* count) {
  Bits mine = 0;
  for (const int v : grid_range(n)) {
    const T below = each ? low[v] : largest;
    bool above = high[v] > below;
    if constexpr (is_float<T>) above = high[v] - below > below * ROUNDING;
    waiting[v] = above && wanted[v];
    mine += waiting[v];
  }
  mine = block_reduce(mine);
  if (threadIdx.x == 0 && mine) atomicAdd(count, mine);
}

// The largest bound of those that wait, or the smallest as the largest of the bits that it has not.
template <class T>
__global__ void find_extreme(const T* held, const bool* waiting, bool largest, int n, Bits* extreme) {
  Bits mine = 0;
  for (const int v : grid_range(n)) {
    const Bits bits = largest ? same_bits<Bits>(held[v]) : ~same_bits<Bits>(held[v]);
    if (waiting[v] && bits > mine) mine = bits;
  }
  mine = block_reduce(mine, Bits{0}, Most());
  if (threadIdx.x == 0 && mine) atomicMax(extreme, mine);
}

// Of those that have it, the first one of most arcs: its arcs above what its number lacks of the largest one.
template <class T, class P>
__global__ void find_strongest(
    const T* held, const bool* waiting, bool largest, const P* indptr, int n, const Bits* extreme, Bits* strongest) {
  const Bits wanted = largest ? *extreme : ~*extreme;
  Bits mine = 0;
  for (const int v : grid_range(n)) {
    if (!waiting[v] || same_bits<Bits>(held[v]) != wanted) continue;
    const Bits key = static_cast<Bits>(indptr[v + 1] - indptr[v]) << 32 | (0xffffffffu - static_cast<unsigned>(v));
    if (key > mine) mine = key;
  }
  mine = block_reduce(mine, Bits{0}, Most());
  if (threadIdx.x == 0 && mine) atomicMax(strongest, mine);
}

// What places are sorted by: bounds, rising or falling, and of equal ones arcs, falling.
template <class T, class P>
__global__ void make_keys(
    const int* places, int many, const T* held, bool falling, const P* indptr, double* arcs, double* bounds) {
  for (const int i : grid_range(many)) {
    const int v = places[i];
    arcs[i] = -static_cast<double>(indptr[v + 1] - indptr[v]);
    bounds[i] = falling ? -static_cast<double>(held[v]) : static_cast<double>(held[v]);
  }
}
