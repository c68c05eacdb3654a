// level[v] = d + 1, for every arc u -> v with level[u] = d and v unreached: a thread owns a tail u.
//
// compiled: vertex_push<Offset> with Offset = int | long long
#pragma once

#include "../_common.cuh"
#include "../_sweeps.cuh"

template <class Offset>
__global__ void vertex_push(int n, const Offset* indptr, const int* indices, int* levels, int* newest, int depth) {
  const int u = thread_id();
  if (u < n && push_from(u, indptr, indices, levels, depth)) *newest = depth + 1;
}
