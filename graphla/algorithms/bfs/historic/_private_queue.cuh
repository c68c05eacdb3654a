// A queue of a block in shared memory, appended to the global queue with one reservation.
#pragma once

#include "headers/primitives.cuh"

constexpr int PRIVATE = 2048;  // vertices; further ones go to the global queue one by one

struct PrivateQueue {
  int size;
  int base;
  int at[PRIVATE];
};

// Sets the level of v; true for the one thread that set it.
__device__ __forceinline__ bool reach(int* levels, int v, int level) {
  return load_racing(&levels[v]) < 0 && atomicCAS(&levels[v], -1, level) == -1;
}

__device__ __forceinline__ void add(PrivateQueue& mine, int v, int* list, int* tail) {
  const int slot = atomicAdd(&mine.size, 1);
  if (slot < PRIVATE) mine.at[slot] = v;
  else list[atomicAdd(tail, 1)] = v;
}

// The whole block appends its queue to the global one.
__device__ __forceinline__ void commit(PrivateQueue& mine, int* list, int* tail) {
  __syncthreads();
  const int size = min(mine.size, PRIVATE);
  if (threadIdx.x == 0) mine.base = atomicAdd(tail, size);
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += blockDim.x) list[mine.base + i] = mine.at[i];
}

// A thread owns a vertex of the frontier list[first .. last).
template <class Offset>
__device__ void expand_privately(
    const Offset* indptr, const int* indices, int* levels, int* list, int first, int last, int* tail, int depth) {
  __shared__ PrivateQueue mine;
  if (threadIdx.x == 0) mine.size = 0;
  __syncthreads();
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last)
    for (Offset k = indptr[list[i]]; k < indptr[list[i] + 1]; ++k)
      if (reach(levels, indices[k], depth + 1)) add(mine, indices[k], list, tail);
  commit(mine, list, tail);
}
