// reached[k] = the vertices with a level of search k, sums[k] = the sum of these levels, which are whole and exact.
//
// A row of blocks owns a search, a thread every so many of its vertices.
//
// compiled: add_levels; hot
#pragma once

#include "headers/primitives.cuh"

__global__ void add_levels(const int* levels, long long n, double* reached, double* sums) {
  const int* row = levels + blockIdx.y * n;
  long long found = 0, sum = 0;
  for (const long long v : grid_range(n)) {
    found += row[v] >= 0;
    sum += row[v] >= 0 ? row[v] : 0;
  }
  found = block_reduce(found);
  sum = block_reduce(sum);
  if (threadIdx.x != 0 || !found) return;
  atomicAdd(reached + blockIdx.y, static_cast<double>(found));
  atomicAdd(sums + blockIdx.y, static_cast<double>(sum));
}
