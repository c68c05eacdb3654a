// C = A ⊕.⊗ B over full matrices: a block owns 64 × 64 of C, a thread 4 × 4 of them, fed from shared memory.
// compiled: tiles<S> with S = min_plus FP32 | plus_times FP64 | max_min INT16; hot
#pragma once

constexpr int TILE = 64, TILE_DEPTH = 16, TILE_THREADS = 256, TILE_EACH = 4;

template <class S>
__global__ __launch_bounds__(TILE_THREADS) void tiles(const typename S::A* a, const typename S::B* b,
                                                      typename S::C* c, int m, int depth, int n) {
  __shared__ typename S::A left[TILE_DEPTH][TILE];
  __shared__ typename S::B right[TILE_DEPTH][TILE];
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  const int i0 = threadIdx.x / 16, j0 = threadIdx.x % 16;
  typename S::C total[TILE_EACH][TILE_EACH];
  for (auto& line : total)
    for (auto& cell : line) cell = S::identity();
  for (int base = 0; base < depth; base += TILE_DEPTH) {
    const int steps = depth - base < TILE_DEPTH ? depth - base : TILE_DEPTH;
    __syncthreads();
    for (const int p : block_range(0, TILE * TILE_DEPTH)) {
      const int k = p % TILE_DEPTH, i = p / TILE_DEPTH, j = p % TILE, l = p / TILE;
      if (row + i < m && k < steps) left[k][i] = a[static_cast<long long>(row + i) * depth + base + k];
      if (column + j < n && l < steps) right[l][j] = b[static_cast<long long>(base + l) * n + column + j];
    }
    __syncthreads();
    for (int k = 0; k < steps; ++k)
#pragma unroll
      for (int y = 0; y < TILE_EACH; ++y)
#pragma unroll
        for (int x = 0; x < TILE_EACH; ++x) {
          const int i = i0 + 16 * y, j = j0 + 16 * x;
          if (row + i >= m || column + j >= n) continue;
          const auto term = S::mul(left[k][i], right[k][j], row + i, base + k, column + j);
          total[y][x] = S::is_any ? term : S::add(total[y][x], term);
        }
  }
  for (int y = 0; y < TILE_EACH; ++y)
    for (int x = 0; x < TILE_EACH; ++x) {
      const int i = row + i0 + 16 * y, j = column + j0 + 16 * x;
      if (i < m && j < n) c[static_cast<long long>(i) * n + j] = total[y][x];
    }
}
