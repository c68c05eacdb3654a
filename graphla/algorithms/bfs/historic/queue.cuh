// level[v] = d + 1 and v joins the queue, for every arc u -> v from the queue whose atomicMin finds v unreached.
// A thread owns a vertex of the queue. The queues of all levels stand in one list, one after the other.
//
// compiled: queue<Offset, Parents> with Offset = int | long long; Parents = LevelsOnly | WithParents
#pragma once

#include "../_common.cuh"
#include "headers/primitives.cuh"

template <class Offset, class Parents>
__global__ void queue(const Offset* indptr, const int* indices, int* levels, int* parents, int* list, int first,
                      int last, int* tail, int depth) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= last) return;
  const int u = list[i];
  unsigned* const unsigned_levels = reinterpret_cast<unsigned*>(levels);  // unreached, -1, is the largest
  for (Offset k = indptr[u]; k < indptr[u + 1]; ++k) {
    const int v = indices[k];
    if (load_racing(&levels[v]) < 0 &&
        atomicMin(&unsigned_levels[v], static_cast<unsigned>(depth + 1)) == 0xffffffffu) {
      if constexpr (Parents::kept) parents[v] = u;
      list[atomicAdd(tail, 1)] = v;
    }
  }
}
