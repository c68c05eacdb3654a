// level[v] = d + 1, for every unreached v with an arc u -> v and level[u] = d: a thread owns a head v.
//
// compiled: vertex_pull<Offset> with Offset = int | long long
#pragma once

#include "../_common.cuh"
#include "../_sweeps.cuh"

template <class Offset>
__global__ void vertex_pull(int n, const Offset* indptr, const int* indices, int* levels, int* newest, int depth) {
  const int v = thread_id();
  if (v < n && pull_to(v, indptr, indices, levels, depth)) *newest = depth + 1;
}
