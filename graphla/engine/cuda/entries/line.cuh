// w[i] = A[i, j] for one column j: a thread searches each row.
//
// compiled: find_column<V, Offset> with V = float | bool | double | Complex<double>; Offset = int | long long
#pragma once

#include "headers/primitives.cuh"

template <class V, class Offset>
struct FindColumnParameters {
  const Offset* indptr;
  const int* indices;
  const V* values;
  bool* present;
  V* out;
  int rows;
  int column;
};

template <class V, class Offset>
__global__ void find_column(FindColumnParameters<V, Offset> given) {
  for (const int i : grid_range(given.rows)) {
    Offset low = given.indptr[i], high = given.indptr[i + 1];
    const Offset end = high;
    while (low < high) {
      const Offset middle = low + (high - low) / 2;
      if (given.indices[middle] < given.column) low = middle + 1;
      else high = middle;
    }
    const bool found = low < end && given.indices[low] == given.column;
    given.present[i] = found;
    if (found) given.out[i] = given.values[low];
  }
}
