// The triangles u < v < w of the matrix as it is: for each arc from u to v, the larger neighbours that both have.
//
// A thread owns a vertex u. Rows are sorted: the arcs of u behind v and those of v are merged, which suits low degrees.
//
// compiled: merge<Offset, EACH> with Offset = int | long long; EACH = false | true; hot
#pragma once

#include "headers/primitives.cuh"

template <class Offset>
struct MergeParameters {
  int n;
  const Offset* indptr;
  const int* indices;
  unsigned long long* total;
  unsigned long long* each;
};

// The larger neighbours that the arcs [a, a_end) and the row of v have in common.
template <bool EACH, class Offset>
__device__ __forceinline__ int merge_with(const MergeParameters<Offset>& given, int v, Offset a, Offset a_end) {
  const int* const indices = given.indices;
  Offset b = given.indptr[v];
  const Offset b_end = given.indptr[v + 1];
  int found = 0;
  while (a < a_end && b < b_end) {
    const int x = indices[a], y = indices[b];
    if (EACH && x == y) atomicAdd(given.each + x, 1ull);
    found += x == y;
    a += x <= y;
    b += y <= x;
  }
  return found;
}

template <class Offset, bool EACH>
__global__ void merge(MergeParameters<Offset> given) {
  unsigned long long total = 0;
  for (const int u : grid_range(given.n)) {
    const Offset end = given.indptr[u + 1];
    int mine = 0;
    for (Offset k = given.indptr[u]; k + 1 < end; ++k) {
      const int v = given.indices[k];
      if (v <= u) continue;
      const int found = merge_with<EACH>(given, v, k + 1, end);
      if (EACH && found) atomicAdd(given.each + v, static_cast<unsigned long long>(found));
      mine += found;
    }
    if (EACH && mine) atomicAdd(given.each + u, static_cast<unsigned long long>(mine));
    total += mine;
  }
  total = block_reduce(total);
  if (threadIdx.x == 0 && total) atomicAdd(given.total, total);
}
