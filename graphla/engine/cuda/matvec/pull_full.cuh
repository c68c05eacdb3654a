// w[i] = ⊕_k M[i, k] ⊗ v[k] over a full matrix, for the rows that the mask allows: a warp owns a row.
//
// compiled: pull_full<S, MatrixFirst, Entries, Mask> with S = min_plus FP32 | lor_land BOOL; Entries = Full | Bitmap;
//   Mask = NoMask | Inside
#pragma once

#include "board.cuh"
#include "headers/primitives.cuh"
#include "headers/sum.cuh"
#include "headers/views.cuh"

template <class S, class Side, class Entries, class Mask>
__global__ void pull_full(
    int rows, int columns, const typename Side::template Matrix<S>* values, const bool* has,
    const typename Side::template Vector<S>* vector, const bool* flags, Board* board, typename S::C* out) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  Sum<S> sum;
  if (i < rows && Mask::allows(flags, i))
    for (int k = lane_index(); k < columns && !sum.done(); k += 32)
      if (Entries::has(has, k))
        sum.take(Side::template product<S>(values[static_cast<long long>(i) * columns + k], vector[k], i, k));
  sum.template over_team<32>();
  if (i >= rows || lane_index() != 0) return;
  board->present()[i] = sum.found;
  if (!sum.found) return;
  out[i] = sum.total;
  atomicAdd(&board->count, 1ull);
}
