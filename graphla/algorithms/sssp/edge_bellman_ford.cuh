// For each edge {u, v}: d[v] = min(d[v], d[u] + w), or else d[u] = min(d[u], d[v] + w), in rounds until nothing
// changes.
//
// A thread owns an edge. Stores are plain: of two concurrent ones either may stay. Both are lengths of paths, and the
// edge of the lost one is not satisfied, so a later round relaxes it again.
//
// compiled: relax_edges<W, Load> with W = float | double | int | long long | unsigned | unsigned long long;
//   Load = ReadOnly | Plain; hot
#pragma once

#include "_common.cuh"
#include "headers/primitives.cuh"

struct ReadOnly {  // may be stale by one launch; the next round sees it
  template <class T>
  static __device__ __forceinline__ T load(const T* p) {
    return load_racing_cached(p);
  }
};
struct Plain {
  template <class T>
  static __device__ __forceinline__ T load(const T* p) {
    return load_fresh(p);
  }
};

template <class W, class Load>
__global__ void relax_edges(
    const int* from, const int* to, const W* values, W* distance, int* changed, long long count, int both) {
  using Key = typename Path<W>::Key;
  Key* d = reinterpret_cast<Key*>(distance);
  const long long e = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= count) return;
  const int u = from[e], v = to[e];
  const Key du = Load::load(d + u), dv = Load::load(d + v);
  const Key there = du < Path<W>::infinity ? Path<W>::plus(du, values[e]) : du;
  if (there < dv) {
    store_racing(d + v, there);
    *changed = 1;
  } else if (both && dv < Path<W>::infinity) {
    const Key back = Path<W>::plus(dv, values[e]);
    if (back < du) {
      store_racing(d + u, back);
      *changed = 1;
    }
  }
}
