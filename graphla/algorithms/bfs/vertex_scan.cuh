// level[v] = min(level[v], d + 1), for every arc u -> v with level[u] = d.
// A thread owns a vertex and asks at each level whether it is in the frontier.
//
// compiled: vertex_scan<Offset> with Offset = int | long long
#pragma once

#include "_sweeps.cuh"

template <class Offset>
__global__ void vertex_scan(int n, const Offset* pointers, const int* columns, int* levels, int* newest, int depth) {
  const int u = thread_id();
  if (u >= n || levels[u] != depth) return;
  bool found = false;
  for (Offset k = pointers[u]; k < pointers[u + 1]; ++k) {
    const int v = columns[k];
    if (static_cast<unsigned>(depth + 1) <
        static_cast<unsigned>(levels[v])) {  // unreached, -1, is the largest unsigned number
      levels[v] = depth + 1;
      found = true;
    }
  }
  if (found) *newest = depth + 1;
}
