// A with some of its rows, at rising places, replaced by those of another matrix: a thread owns an entry of the result,
// and finds the last replaced row that begins before it.
//
// compiled: splice<P, Q, V> with P = int | long long; Q = int | long long; V = unsigned char | int | long long | Wide;
//   hot
#pragma once

#include "headers/primitives.cuh"
#include "headers/wide.cuh"

template <class P, class Q, class V>
struct SpliceParameters {
  const P* indptr;
  const int* indices;
  const V* values;
  const Q* row_indptr;
  const int* row_indices;
  const V* row_values;
  const long long* places;
  const long long* out_indptr;
  int replaced;
  long long entries;
  int* out_indices;
  V* out_values;
};

template <class P, class Q, class V>
__global__ void splice(const __grid_constant__ SpliceParameters<P, Q, V> given) {
  for (const long long p : grid_range(given.entries)) {
    int low = 0, high = given.replaced;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (given.out_indptr[given.places[middle]] <= p) low = middle + 1;
      else high = middle;
    }
    const int k = low - 1;
    const bool from_rows = k >= 0 && p < given.out_indptr[given.places[k] + 1];
    long long q = p;
    if (from_rows) q = given.row_indptr[k] + (p - given.out_indptr[given.places[k]]);
    else if (k >= 0) q = given.indptr[given.places[k] + 1] + (p - given.out_indptr[given.places[k] + 1]);
    given.out_indices[p] = from_rows ? given.row_indices[q] : given.indices[q];
    given.out_values[p] = from_rows ? given.row_values[q] : given.values[q];
  }
}
