// Sweeps over whole arrays, a thread a vertex: what it does if the frontier, or the unreached, is where it stands.
#pragma once

constexpr int UNREACHED = -1;

__device__ __forceinline__ int thread_id() { return blockIdx.x * blockDim.x + threadIdx.x; }

// u pushes to its heads if it is of level `depth`; true if one of them was new.
template <class Offset>
__device__ bool push_from(int u, const Offset* pointers, const int* columns, int* levels, int depth) {
  bool found = false;
  if (levels[u] != depth) return false;
  for (Offset k = pointers[u]; k < pointers[u + 1]; ++k)
    if (levels[columns[k]] == UNREACHED) {
      levels[columns[k]] = depth + 1;
      found = true;
    }
  return found;
}

// v pulls from its tails if it is unreached; true if one of them is of level `depth`.
template <class Offset>
__device__ bool pull_to(int v, const Offset* pointers, const int* columns, int* levels, int depth) {
  if (levels[v] != UNREACHED) return false;
  for (Offset k = pointers[v]; k < pointers[v + 1]; ++k)
    if (levels[columns[k]] == depth) {
      levels[v] = depth + 1;
      return true;
    }
  return false;
}
