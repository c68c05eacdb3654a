// The order of rows for a pull: rows of one class of lengths follow each other, the longest classes first.
//
// compiled: classify_rows<P> with P = int | long long
// compiled: arrange_rows<P> with P = int | long long
#pragma once

#include "headers/primitives.cuh"
#include "pull.py"  // CLASS_COUNT, LIMIT_COUNT

template <class P>
struct ClassifyParameters {
  const P* indptr;
  int rows;
  int classes[CLASS_COUNT];
  int limits[LIMIT_COUNT];
  unsigned char* keys;
  bool* present;
  unsigned long long* longer;
};

// keys[r] falls with the class of row r; longer[k] = how many rows are longer than limit k.
template <class P>
__global__ void classify_rows(const __grid_constant__ ClassifyParameters<P> given) {
  int mine[LIMIT_COUNT] = {};
  for (const int r : grid_range(given.rows)) {
    const P length = given.indptr[r + 1] - given.indptr[r];
    int key = CLASS_COUNT;
    for (int c = 0; c < CLASS_COUNT; ++c) key -= given.classes[c] < length;
    given.keys[r] = static_cast<unsigned char>(key);
    given.present[r] = length > 0;
    for (int k = 0; k < LIMIT_COUNT; ++k) mine[k] += given.limits[k] < length;
  }
  for (int k = 0; k < LIMIT_COUNT; ++k) {
    const int all = block_reduce(mine[k]);
    if (threadIdx.x == 0 && all) atomicAdd(given.longer + k, static_cast<unsigned long long>(all));
  }
}

template <class P>
struct ArrangeParameters {
  const P* indptr;
  const long long* order;
  int rows;
  int* arranged;
  P* begins;
  P* ends;
};

// The rows in their order, and where the entries of each begin and end.
template <class P>
__global__ void arrange_rows(ArrangeParameters<P> given) {
  for (const int i : grid_range(given.rows)) {
    const int r = static_cast<int>(given.order[i]);
    given.arranged[i] = r;
    given.begins[i] = given.indptr[r];
    given.ends[i] = given.indptr[r + 1];
  }
}
