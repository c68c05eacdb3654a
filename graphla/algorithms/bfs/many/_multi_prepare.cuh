// Rows under new numbers, cut into packs: a warp owns a row.
//
//   keys[k] = (number[i], number[j]) for the arc k from i to j; sorted, they are the new rows
//   packs   = those rows, each padded to whole packs with copies of its last column
//
// compiled: renumber_arcs<Offset> with Offset = int | long long
// compiled: fill_packs
// compiled: count_arcs<Offset> with Offset = int | long long; hot
// compiled: number_vertices; hot
// compiled: count_packs<Offset> with Offset = int | long long; hot
// compiled: copy_first; hot
#pragma once

#include "headers/primitives.cuh"

#include "_renumbered.py"  // PACK

// keys[v] = -d for a vertex with d arcs in both matrices, and how many vertices have one; `both` is false if they are
// the same matrix.
template <class Offset>
__global__ void count_arcs(
    int n, const Offset* indptr, const Offset* other, bool both, long long* keys, unsigned long long* filled) {
  unsigned long long mine = 0;
  for (const int v : grid_range(n)) {
    const long long more = both ? other[v + 1] - other[v] : 0, arcs = indptr[v + 1] - indptr[v] + more;
    keys[v] = -arcs;
    mine += arcs > 0;
  }
  mine = block_reduce(mine);
  if (threadIdx.x == 0 && mine) atomicAdd(filled, mine);
}

// The vertex of each of `many` numbers, and the number of each vertex, -1 for the others.
__global__ void number_vertices(int n, const long long* order, int many, int* vertex, int* number) {
  for (const int i : grid_range(n)) {
    const int v = static_cast<int>(order[i]);
    number[v] = i < many ? i : -1;
    if (i < many) vertex[i] = v;
  }
}

// How many arcs and packs each row has.
template <class Offset>
__global__ void count_packs(int n, const int* vertex, const Offset* indptr, long long* lengths, long long* packs) {
  for (const int i : grid_range(n)) {
    lengths[i] = indptr[vertex[i] + 1] - indptr[vertex[i]];
    packs[i] = (lengths[i] + PACK - 1) / PACK;
  }
}

// The first pack of each row, and for a row without arcs its own number, in all places.
__global__ void copy_first(int n, const int* indptr, const int* packs, int* first) {
  for (const int v : grid_range(n)) {
    const long long begin = static_cast<long long>(PACK) * indptr[v];
    const bool filled = indptr[v] < indptr[v + 1];
    for (int j = 0; j < PACK; ++j) first[static_cast<long long>(PACK) * v + j] = filled ? packs[begin + j] : v;
  }
}

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
