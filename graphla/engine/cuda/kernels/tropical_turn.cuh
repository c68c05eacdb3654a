// Operands as the tiles of a product read them: padded to whole tiles, A turned. A block moves 32 × 32 cells.
// compiled: turn_padded<T> with T = float | double | bool | short
// compiled: copy_padded<T> with T = float | double | bool | short
#pragma once

// out[j * stride + i] = in[i * n + j]; a block of 32 × 8 threads.
template <class T>
__global__ void turn_padded(const T* in, int m, int n, T* out, long long stride) {
  __shared__ T cells[32][33];
  const int i0 = blockIdx.y * 32, j0 = blockIdx.x * 32;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (i0 + y < m && j0 + static_cast<int>(threadIdx.x) < n)
      cells[y][threadIdx.x] = in[static_cast<long long>(i0 + y) * n + j0 + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    if (j0 + y < n && i0 + static_cast<int>(threadIdx.x) < m)
      out[(j0 + y) * stride + i0 + threadIdx.x] = cells[threadIdx.x][y];
}

// out[i * stride + j] = in[i * n + j], one row of blocks a row.
template <class T>
__global__ void copy_padded(const T* in, int n, T* out, long long stride) {
  const long long i = blockIdx.y;
  for (const int j : grid_range(n)) out[i * stride + j] = in[i * n + j];
}
