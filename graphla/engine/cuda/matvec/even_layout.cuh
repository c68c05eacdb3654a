// What a product over every arc is prepared with: the rows of equal stretches of arcs, and the columns with most arcs.
// A thread owns a stretch, a hub or an arc.
//
// compiled: find_first_rows<P> with P = int | long long
// compiled: count_columns
// compiled: number_hubs
// compiled: rename_hubs
#pragma once

#include "headers/primitives.cuh"

// first[k] = the row of arc k stretch, or of the last arc.
template <class P>
__global__ void find_first_rows(const P* indptr, int rows, long long arcs, int stretch, int count, int* first) {
  for (const int k : grid_range(count)) {
    const long long p = static_cast<long long>(k) * stretch;
    first[k] = row_of(indptr, rows, static_cast<P>(p < arcs ? p : arcs - 1));
  }
}

// falling[c] = the arcs of column c, negative.
__global__ void count_columns(const int* indices, long long arcs, int* falling) {
  for (const long long p : grid_range(arcs)) atomicAdd(falling + indices[p], -1);
}

// numbers[hub[h]] = h + 1; the other columns have 0.
__global__ void number_hubs(const int* hub, int count, int* numbers) {
  for (const int h : grid_range(count)) numbers[hub[h]] = h + 1;
}

// Every arc's column: ~h for hub h.
__global__ void rename_hubs(const int* indices, long long arcs, const int* numbers, int* renamed) {
  for (const long long p : grid_range(arcs)) {
    const int number = numbers[indices[p]];
    renamed[p] = number ? -number : indices[p];
  }
}
