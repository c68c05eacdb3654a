// Rows by their lengths, and the labels after a first round. A thread owns a vertex.
//
// compiled: flag_lengths<Offset> with Offset = int | long long; hot
// compiled: take_smallest<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/primitives.cuh"

// Which rows have more than `low` entries, and no more than `high`.
template <class Offset>
__global__ void flag_lengths(const Offset* indptr, int n, long long low, long long high, bool* flags) {
  for (const int v : grid_range(n)) {
    const long long length = indptr[v + 1] - indptr[v];
    flags[v] = length > low && length <= high;
  }
}

// The first of the neighbours of each vertex, which is the smallest, or itself if it has none.
template <class Offset>
__global__ void take_smallest(const Offset* indptr, const int* indices, int n, int* out) {
  for (const int v : grid_range(n)) out[v] = indptr[v] < indptr[v + 1] ? indices[indptr[v]] : v;
}
