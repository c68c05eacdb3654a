// level[v] = d + 1 and v joins the frontier, for every arc u -> v from it that finds v unreached.
// A thread owns a vertex of the frontier; a block collects what it finds in shared memory.
//
// compiled: frontier_private<Offset> with Offset = int | long long
#pragma once

#include "_private_queue.cuh"

template <class Offset>
__global__ void frontier_private(
    const Offset* indptr, const int* indices, int* levels, int* list, int first, int last, int* tail, int depth) {
  expand_privately(indptr, indices, levels, list, first, last, tail, depth);
}
