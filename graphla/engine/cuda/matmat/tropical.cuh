// C = A ⊕.⊗ B over full matrices: a block owns a tile of 128 × 128. A and B lie as `tropical_tile.cuh` wants,
// with whole stages of k if nothing absorbs them; C by rows.
//
// compiled: tropical<OverSemiring<S>> with S = min_plus INT32 | plus_times FP32 | max_min FP32 | min_max FP32 |
//   max_plus FP32 | lor_land BOOL | min_plus FP64 | any_secondi INT64
// compiled: tropical<NonNegativeFloat>; hot on sm_90
// compiled: tropical<SignedFloat>; hot on sm_90
// compiled: tropical<NonNegativeInt>; hot on sm_90
// compiled: tropical<Double>
#pragma once

#include "tropical_cells.cuh"
#include "tropical_copy.cuh"
#include "tropical_tile.cuh"

template <class P>
__global__ __launch_bounds__(TILE_WORKERS, sizeof(typename P::C) > 4 ? 1 : 2) void tropical(
    const typename P::A* a, long long lda, const typename P::B* b, long long ldb, typename P::C* c, int m, int depth,
    int n) {
  const long long i = static_cast<long long>(blockIdx.y) * TILE_SIDE,
                  j = static_cast<long long>(blockIdx.x) * TILE_SIDE;
  Cells<typename P::C> cells;
  cells.fill(P::nothing());
  multiply_tile<P, P::absorbs>(cells, a, lda, b, ldb, depth, i, j);
  cells.store_part(c + i * n + j, n, m - i, n - j, [](typename P::C word) { return word; });
}
