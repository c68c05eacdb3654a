// C[i, j] = d[i] ⊗ A[i, j] or A[i, j] ⊗ d[j]: a diagonal matrix scales the rows or the columns of another, whose
// structure stays. `index` holds the row or the column of each entry.
//
// compiled: scale<S, Side> with S = plus_times FP32 | min_plus FP32 | any_pair BOOL | plus_times FC64;
//   Side = VectorFirst | MatrixFirst; hot
#pragma once

#include "headers/primitives.cuh"
#include "headers/views.cuh"
#include "scale.py"  // EACH, THREADS

template <class S, class Side>
struct ScaleParameters {
  const int* index;
  const typename Side::template Matrix<S>* values;
  const typename Side::template Vector<S>* diagonal;
  typename S::C* out;
  long long entries;
};

// A thread scales EACH entries; their loads are under way together.
template <class S, class Side>
__global__ __launch_bounds__(THREADS) void scale(ScaleParameters<S, Side> given) {
  const long long base = static_cast<long long>(blockIdx.x) * (EACH * THREADS) + threadIdx.x;
  typename Side::template Matrix<S> a[EACH];
  typename Side::template Vector<S> d[EACH];
#pragma unroll
  for (int step = 0; step < EACH; ++step) {
    const long long e = base + step * THREADS;
    a[step] = typename Side::template Matrix<S>();
    d[step] = typename Side::template Vector<S>();
    if (e >= given.entries) continue;
    if constexpr (Side::template reads_matrix<S>) a[step] = load_once(given.values + e);
    if constexpr (Side::template reads_vector<S>) d[step] = given.diagonal[load_once(given.index + e)];
  }
#pragma unroll
  for (int step = 0; step < EACH; ++step) {
    const long long e = base + step * THREADS;
    if (e < given.entries) given.out[e] = Side::template product<S>(a[step], d[step], 0, 0);
  }
}
