// C = A ⊕.⊗ B over full matrices: a block owns a tile of 128 × 128. A is turned and both are padded to tiles; C is not.
// compiled: tropical<OverSemiring<S>> with S = min_plus INT32 | plus_times FP32 | max_min FP32 | min_max FP32 | max_plus FP32 | lor_land BOOL | min_plus FP64 | any_secondi INT64
// compiled: tropical<NonNegativeFloat>; hot on sm_90
// compiled: tropical<SignedFloat>; hot on sm_90
// compiled: tropical<NonNegativeInt>; hot on sm_90
// compiled: tropical<Double>
#pragma once
#include "tropical_tile.cuh"

template <class P>
__global__ __launch_bounds__(TILE_WORKERS, sizeof(typename P::C) > 4 ? 1 : 2) void tropical(
    const typename P::A* a, long long lda, const typename P::B* b, long long ldb, typename P::C* c, int m, int depth,
    int n) {
  using Place = Cells<typename P::C>;
  const long long i = static_cast<long long>(blockIdx.y) * TILE_SIDE, j = static_cast<long long>(blockIdx.x) * TILE_SIDE;
  Place cells;
  cells.fill(P::nothing());
  multiply_tile<P>(cells, a, lda, b, ldb, depth, i, j);
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 8; ++x)
      if (i + Place::row(y) < m && j + Place::column(x) < n)
        c[(i + Place::row(y)) * n + j + Place::column(x)] = cells.at[y][x];
}
