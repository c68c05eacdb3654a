// level[v] = d + 1, for every arc u -> v with level[u] = d and v unreached: a thread owns an arc.
//
// compiled: edge_centric
#pragma once

#include "../_sweeps.cuh"
#include "headers/primitives.cuh"

__global__ void edge_centric(long long arcs, const int* tails, const int* heads, int* levels, int* newest, int depth) {
  const long long k = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k >= arcs || load_racing(&levels[tails[k]]) != depth || load_racing(&levels[heads[k]]) != UNREACHED) return;
  store_racing(&levels[heads[k]], depth + 1);
  *newest = depth + 1;
}
