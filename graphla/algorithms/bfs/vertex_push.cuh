// level[v] = d + 1, for every arc u -> v with level[u] = d and v unreached: a thread owns a tail u.
//
// compiled: vertex_push<Offset> with Offset = int | long long
#pragma once

#include "_sweeps.cuh"

template <class Offset>
__global__ void vertex_push(int n, const Offset* pointers, const int* columns, int* levels, int* newest, int depth) {
  const int u = thread_id();
  if (u < n && push_from(u, pointers, columns, levels, depth)) *newest = depth + 1;
}
