// Sweeps over all vertices, one thread per vertex: it pushes if it is in the frontier, or pulls if it is unreached.
#pragma once

#include "headers/primitives.cuh"

constexpr int UNREACHED = -1;

// u pushes to its heads if its level is `depth`; true if one of them was unreached.
template <class Offset>
__device__ bool push_from(int u, const Offset* indptr, const int* indices, int* levels, int depth) {
  bool found = false;
  if (load_racing(&levels[u]) != depth) return false;
  for (Offset k = indptr[u]; k < indptr[u + 1]; ++k)
    if (load_racing(&levels[indices[k]]) == UNREACHED) {
      store_racing(&levels[indices[k]], depth + 1);
      found = true;
    }
  return found;
}

// v pulls from its tails if it is unreached; true if the level of one of them is `depth`.
template <class Offset>
__device__ bool pull_to(int v, const Offset* indptr, const int* indices, int* levels, int depth) {
  if (levels[v] != UNREACHED) return false;
  for (Offset k = indptr[v]; k < indptr[v + 1]; ++k)
    if (load_racing(&levels[indices[k]]) == depth) {
      store_racing(&levels[v], depth + 1);
      return true;
    }
  return false;
}
