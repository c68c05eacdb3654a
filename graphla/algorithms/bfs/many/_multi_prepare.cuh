// Rows under new numbers, cut into packs: a warp owns a row.
//
//   keys[k] = (number[i], number[j]) for the arc k from i to j; sorted, they are the new rows
//   packs   = those rows, each padded to whole packs with copies of its last column
//
// compiled: renumber_arcs<Offset> with Offset = int | long long
// compiled: fill_packs
#pragma once

#include "headers/primitives.cuh"

template <class Offset>
__global__ void renumber_arcs(int n, const Offset* indptr, const int* indices, const int* number, long long* keys) {
  const int i = blockIdx.x * (blockDim.x / 32) + warp_index();
  if (i >= n) return;
  for (Offset k = indptr[i] + lane_index(); k < indptr[i + 1]; k += 32)
    keys[k] = static_cast<long long>(number[i]) << 32 | number[indices[k]];
}

__global__ void fill_packs(int n, const long long* starts, const long long* keys, const int* indptr, int* packs) {
  const int v = blockIdx.x * (blockDim.x / 32) + warp_index();
  if (v >= n) return;
  const long long first = starts[v], last = starts[v + 1] - 1;
  const long long at = 4ll * indptr[v], slots = 4ll * indptr[v + 1] - at;
  for (long long j = lane_index(); j < slots; j += 32)
    packs[at + j] = static_cast<int>(keys[min(first + j, last)] & 0x7fffffff);
}
