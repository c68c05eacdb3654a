// Y[i, r] = ⊕_k M[i, k] ⊗ X[k, r] for up to 32 columns r: a product with a matrix of few rows, by pulling.
//
// A block owns a stretch of arcs, and a team of T lanes an equal part of it, with V columns to a lane (few_walk.cuh).
//
// compiled: few_pull<S, Side, Entries, Mask, Offset, 4, T> with S = plus_times FP32 | min_plus FP32;
//   Side = VectorFirst | MatrixFirst; Entries = Full | Words; Mask = NoMask | Inside | Outside;
//   Offset = int | long long; T = 8 | 1; hot on sm_90
// compiled: few_pull<S, VectorFirst, Words, Outside, int, 2, T> with S = plus_first FP64 | min_plus INT64;
//   T = 16 | 2; hot on sm_90
// compiled: few_pull<S, VectorFirst, Words, Outside, int, V, 2> with S = any_pair BOOL | lor_land BOOL | max_min INT16;
//   V = 16 | 8
// compiled: few_pull<S, VectorFirst, Full, NoMask, int, 1, 32> with S = plus_times FC64 | plus_times FP64
#pragma once

#include "few_walk.cuh"

template <class S, class Side, class Entries, class Mask, class Offset, int V, int T>
__global__ __launch_bounds__(T == 1 ? LANE_THREADS : FEW_THREADS) void few_pull(
    FewPullParameters<S, Side, Offset> given) {
  pull_stretch<S, Side, Entries, Mask, Offset, V, T>(given);
}
