// Operands as the tiles of a product read them: padded to whole tiles, A transposed, `together` k side by side, those
// of B in reverse (see `tropical_tile.cuh`). A block of A moves 32 × 32 cells.
//
// compiled: transpose_padded<T, together> with T = float | bool | short; together = 2
// compiled: transpose_padded<double, 1>
// compiled: copy_padded<T, together> with T = float | bool | short; together = 2
// compiled: copy_padded<double, 1>
#pragma once

#include "tropical_tile.cuh"

// Word (k, i) of `out` is in[i, k]; a block of 32 × 8 threads.
template <class T, int together>
__global__ void transpose_padded(const T* in, int m, int n, T* out, long long width) {
  __shared__ T cells[32][33];
  const int i0 = blockIdx.y * 32, k0 = blockIdx.x * 32, x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (i0 + y < m && k0 + x < n) cells[y][x] = in[static_cast<long long>(i0 + y) * n + k0 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (k0 + y < n && i0 + x < m) out[place<together, false>(k0 + y, i0 + x, width)] = cells[x][y];
}

// Word (k, j) of `out` is in[k, j]; the blocks at x have row x, since there may be more rows than a grid is high.
template <class T, int together>
__global__ void copy_padded(const T* in, int n, T* out, long long width) {
  const long long k = blockIdx.x;
  const int j = blockIdx.y * blockDim.x + threadIdx.x;
  if (j < n) out[place<together, true>(k, j, width)] = in[k * n + j];
}
