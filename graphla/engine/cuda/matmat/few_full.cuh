// Where the entries of a product with full rows or columns are: one for each vertex that has arcs, in each of them.
//
// compiled: place_in_columns<Offset> with Offset = int | long long; hot
// compiled: place_in_rows; hot
#pragma once

#include "headers/primitives.cuh"

// Row v holds `width` entries if it has any, and before[v] rows before it do.
template <class Offset>
__global__ void place_in_columns(
    const long long* before, long long pointers, int width, long long entries, Offset* indptr, int* indices) {
  for (const long long v : grid_range(pointers)) indptr[v] = static_cast<Offset>(before[v] * width);
  for (const long long k : grid_range(entries)) indices[k] = static_cast<int>(k % width);
}

// Each row holds the same columns.
__global__ void place_in_rows(const int* filled, int many, long long entries, int* indices) {
  for (const long long k : grid_range(entries)) indices[k] = filled[k % many];
}
