// sums[p] = the sum of floor(2^k values[q]) for q from the begin of p's row to p, with k such that a row has ROOM bits.
//
// scale_weights rounds each value; these are added up over all rows, and subtract_begins takes off what comes before
// the row. All is exact modulo 2^64. A thread owns an entry.
//
// compiled: scale_weights<P, V> with P = int | long long; V = int | long long | float | double
// compiled: subtract_begins<P> with P = int | long long
#pragma once

#include "headers/primitives.cuh"

#include "weight_sums.py"  // ROOM

// k of a row: its largest value and its length are below 2 to powers that leave so many bits.
template <class P>
__device__ __forceinline__ int find_shift(P length, double largest) {
  int of_length, of_value;
  frexp(static_cast<double>(length), &of_length);
  frexp(largest > 0 ? largest : 1.0, &of_value);
  return ROOM - of_length - of_value;
}

template <class P, class V>
__global__ void scale_weights(const P* indptr, const long long* tails, const V* values, const double* largest,
                              long long count, unsigned long long* scaled) {
  for (const long long p : grid_range(count)) {
    const long long row = tails[p];
    const int shift = find_shift(indptr[row + 1] - indptr[row], largest[row]);
    scaled[p] = static_cast<unsigned long long>(floor(ldexp(static_cast<double>(values[p]), shift)));
  }
}

template <class P>
__global__ void subtract_begins(const P* indptr, const long long* tails, const unsigned long long* running,
                                long long count, unsigned long long* sums) {
  for (const long long p : grid_range(count)) {
    const long long begin = indptr[tails[p]];
    sums[p] = running[p] - (begin ? running[begin - 1] : 0);
  }
}
