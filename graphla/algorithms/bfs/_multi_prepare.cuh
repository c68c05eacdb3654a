// Rows renumbered, and cut into packs: a warp owns a row.
//
//   keys[k] = (number[i], number[j]) for the arc k from i to j; sorted, they are the new rows
//   packs   = those rows, each filled to whole packs by repeating its last column
//
// compiled: renumber_arcs<Offset> with Offset = int | long long
// compiled: fill_packs
#pragma once

#include "headers/primitives.cuh"

template <class Offset>
__global__ void renumber_arcs(int n, const Offset* pointers, const int* columns, const int* number, long long* keys) {
  const int i = blockIdx.x * (blockDim.x / 32) + warp_index();
  if (i >= n) return;
  for (Offset k = pointers[i] + lane_index(); k < pointers[i + 1]; k += 32)
    keys[k] = static_cast<long long>(number[i]) << 32 | number[columns[k]];
}

__global__ void fill_packs(int n, const long long* starts, const long long* keys, const int* pointers, int* packs) {
  const int v = blockIdx.x * (blockDim.x / 32) + warp_index();
  if (v >= n) return;
  const long long first = starts[v], last = starts[v + 1] - 1;
  const long long at = 4ll * pointers[v], slots = 4ll * pointers[v + 1] - at;
  for (long long j = lane_index(); j < slots; j += 32)
    packs[at + j] = static_cast<int>(keys[min(first + j, last)] & 0x7fffffff);
}
