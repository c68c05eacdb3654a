// sums[p] = the sum of worth[z] over the common neighbours z of the vertices tails[p] and heads[p].
//
// A warp owns a pair. Its lanes take the entries of the shorter row, 32 apart, and search each in the longer one. The
// order in which the lanes are added is always the same, and so is the sum.
//
// compiled: add_up_pairs<Offset, WEIGHTED> with Offset = int | long long; WEIGHTED = true | false; hot
#pragma once

#include "headers/primitives.cuh"

template <class Offset>
struct PairParameters {
  int count;
  const int* tails;
  const int* heads;
  const Offset* indptr;
  const int* indices;
  const double* worth;
  double* sums;
};

// Whether a sorted row has a column.
template <class Offset>
__device__ __forceinline__ bool has(const int* indices, Offset low, Offset high, int column) {
  while (low < high) {
    const Offset middle = low + (high - low) / 2;
    const int found = load_constant(indices + middle);
    if (found == column) return true;
    if (found < column) low = middle + 1;
    else high = middle;
  }
  return false;
}

template <class Offset, bool WEIGHTED>
__global__ void add_up_pairs(PairParameters<Offset> given) {
  const long long warps = static_cast<long long>(gridDim.x) * (blockDim.x / 32);
  const long long first = static_cast<long long>(blockIdx.x) * (blockDim.x / 32) + warp_index();
  for (long long p = first; p < given.count; p += warps) {
    int u = given.tails[p], v = given.heads[p];
    if (given.indptr[u + 1] - given.indptr[u] > given.indptr[v + 1] - given.indptr[v]) {
      const int longer = u;
      u = v;
      v = longer;
    }
    const Offset begin = given.indptr[v], end = given.indptr[v + 1];
    double total = 0;
    for (const Offset k : lane_range(given.indptr[u], given.indptr[u + 1])) {
      const int z = load_constant(given.indices + k);
      if (has(given.indices, begin, end, z)) total += WEIGHTED ? given.worth[z] : 1.0;
    }
    total = warp_reduce(total);
    if (lane_index() == 0) given.sums[p] = total;
  }
}
