// level[v] = min(level[v], d + 1), for every arc u -> v with level[u] = d.
// A thread owns a vertex and tests at each level whether it is in the frontier.
//
// compiled: vertex_scan<Offset> with Offset = int | long long
#pragma once

#include "../_common.cuh"
#include "headers/primitives.cuh"

template <class Offset>
__global__ void vertex_scan(int n, const Offset* indptr, const int* indices, int* levels, int* newest, int depth) {
  const int u = thread_id();
  if (u >= n || load_racing(&levels[u]) != depth) return;
  bool found = false;
  for (Offset k = indptr[u]; k < indptr[u + 1]; ++k) {
    const int v = indices[k];
    // Unreached, -1, is the largest unsigned number.
    if (static_cast<unsigned>(depth + 1) < static_cast<unsigned>(load_racing(&levels[v]))) {
      store_racing(&levels[v], depth + 1);
      found = true;
    }
  }
  if (found) *newest = depth + 1;
}
