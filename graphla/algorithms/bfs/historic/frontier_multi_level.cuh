// level[v] = d + 1 and v joins the frontier, for every arc u -> v from it that finds v unreached.
// A thread owns a vertex of the frontier. One block runs level after level while it has a thread for each vertex of the
// frontier; larger frontiers get a launch each, with private queues.
//
// compiled: one_level<Offset> with Offset = int | long long
// compiled: many_levels<Offset> with Offset = int | long long
#pragma once

#include "_private_queue.cuh"

template <class Offset>
__global__ void one_level(
    const Offset* indptr, const int* indices, int* levels, int* list, int first, int last, int* tail, int depth) {
  expand_privately(indptr, indices, levels, list, first, last, tail, depth);
}

// One block. In the end state = {tail, where the last frontier begins, its level}.
template <class Offset>
__global__ void many_levels(
    const Offset* indptr, const int* indices, int* levels, int* list, int first, int last, int* state, int depth) {
  __shared__ int found[3];  // of this level, of the next, and the one being read
  if (threadIdx.x < 3) found[threadIdx.x] = 0;
  __syncthreads();
  for (; first < last && last - first <= static_cast<int>(blockDim.x); ++depth) {
    int* const tail = &found[depth % 3];
    const int i = first + threadIdx.x;
    if (i < last)
      for (Offset k = indptr[list[i]]; k < indptr[list[i] + 1]; ++k)
        if (reach(levels, indices[k], depth + 1)) list[last + atomicAdd(tail, 1)] = indices[k];
    if (threadIdx.x == 0) found[(depth + 1) % 3] = 0;
    __syncthreads();
    first = last;
    last += *tail;
  }
  if (threadIdx.x == 0) {
    state[0] = last;
    state[1] = first;
    state[2] = depth;
  }
}
