// While something changes: for each marked u, U[v] = min(U[v], C[u] + w(u, v)); then C = min(C, U), and the vertices
// that this changed are marked. A thread owns `factor` vertices, a grid's width apart.
//
// compiled: relax<W, Offset, Update> with W = float | double | int | long long | unsigned | unsigned long long;
//   Offset = int | long long; Update = Atomic | Racy; hot
// compiled: settle<W> with W = float | double | int | long long | unsigned | unsigned long long; hot
#pragma once

#include "_common.cuh"
#include "headers/primitives.cuh"

// Two threads may lower the same cost at once: only the atomic minimum always leaves the smaller one.
struct Atomic {
  template <class Key>
  static __device__ __forceinline__ void lower(Key* place, Key x) {
    atomicMin(place, x);
  }
};

// As first published: both threads may compare before either writes, and the smaller cost is lost if it is written
// first. It is not offered again, so the result is wrong.
struct Racy {
  template <class Key>
  static __device__ __forceinline__ void lower(Key* place, Key x) {
    if (load_fresh(place) > x) store_racing(place, x);
  }
};

template <class W, class Offset, class Update>
__global__ void relax(const Offset* indptr, const int* indices, const W* values, const W* cost, W* updating,
                      unsigned char* mask, int n, int factor) {
  using Key = typename Path<W>::Key;
  const Key* known = reinterpret_cast<const Key*>(cost);
  Key* offered = reinterpret_cast<Key*>(updating);
  const int width = gridDim.x * blockDim.x;
  for (int i = 0, v = blockIdx.x * blockDim.x + threadIdx.x; i < factor && v < n; ++i, v += width) {
    if (!mask[v]) continue;
    mask[v] = 0;
    for (Offset e = indptr[v]; e < indptr[v + 1]; ++e) {
      const Key far = Path<W>::plus(known[v], values[e]);
      if (far < load_fresh(offered + indices[e])) Update::lower(offered + indices[e], far);
    }
  }
}

template <class W>
__global__ void settle(W* cost, W* updating, unsigned char* mask, int* changed, int n, int factor) {
  using Key = typename Path<W>::Key;
  Key* known = reinterpret_cast<Key*>(cost);
  Key* offered = reinterpret_cast<Key*>(updating);
  const int width = gridDim.x * blockDim.x;
  for (int i = 0, v = blockIdx.x * blockDim.x + threadIdx.x; i < factor && v < n; ++i, v += width) {
    if (offered[v] < known[v]) {
      known[v] = offered[v];
      mask[v] = 1;
      *changed = 1;
    }
    offered[v] = known[v];
  }
}
