// level[v] = d + 1 and v joins the frontier, for every arc u -> v from it whose compare-and-swap finds v unreached.
// A thread owns a vertex of the frontier. The frontiers of all levels stand in one list, one after the other.
//
// compiled: frontier<Offset> with Offset = int | long long
#pragma once

#include "_private_queue.cuh"

template <class Offset>
__global__ void frontier(
    const Offset* indptr, const int* indices, int* levels, int* list, int first, int last, int* tail, int depth) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= last) return;
  for (Offset k = indptr[list[i]]; k < indptr[list[i] + 1]; ++k)
    if (reach(levels, indices[k], depth + 1)) list[atomicAdd(tail, 1)] = indices[k];
}
