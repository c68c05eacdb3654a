// The weights as a full matrix, which is infinite elsewhere: a warp owns a row. The diagonal is 0, or a negative loop.
//
// compiled: scatter<T, Offset> with T = float | double | short | unsigned long long; Offset = int | long long
// compiled: put_beyond<T> with T = int | unsigned long long
// compiled: widen<int, T> with T = long long | unsigned long long
// compiled: first_hops<T, Offset> with T = float | short; Offset = int | long long
#pragma once

#include "headers/primitives.cuh"

template <class T, class Offset>
__global__ void scatter(const Offset* indptr, const int* indices, const T* values, int n, T* d, long long stride) {
  for (long long i = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) >> 5; i < n;
       i += gridDim.x * static_cast<long long>(blockDim.x) >> 5) {
    T own = static_cast<T>(0);
    for (Offset e = indptr[i] + lane_index(); e < indptr[i + 1]; e += 32) {
      if (indices[e] != i) d[i * stride + indices[e]] = values[e];
      else if (values[e] < own) own = values[e];
    }
    for (int step = 16; step; step >>= 1) {
      const T other = __shfl_xor_sync(WHOLE_WARP, own, step);
      own = other < own ? other : own;
    }
    if (lane_index() == 0) d[i * stride + i] = own;
  }
}

// Replaces what is greater than `last` by `infinity`.
template <class T>
__global__ void put_beyond(T* d, long long cells, T last, T infinity) {
  for (const long long c : grid_range(cells))
    if (d[c] > last) d[c] = infinity;
}

// The first n rows and columns of D in another type, with its infinity: a warp owns a row.
template <class From, class To>
__global__ void widen(const From* d, long long stride, int n, To* out, From infinity, To wide_infinity) {
  for (long long i = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) >> 5; i < n;
       i += gridDim.x * static_cast<long long>(blockDim.x) >> 5)
    for (int j = lane_index(); j < n; j += 32) {
      const From cell = d[i * stride + j];
      out[i * n + j] = cell == infinity ? wide_infinity : static_cast<To>(cell);
    }
}

// H[i, j] = j for an arc of finite weight, H[i, i] = i; the rest of H is −1.
template <class T, class Offset>
__global__ void first_hops(
    const Offset* indptr, const int* indices, const T* values, T infinity, int n, int* h, long long stride) {
  for (long long i = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) >> 5; i < n;
       i += gridDim.x * static_cast<long long>(blockDim.x) >> 5) {
    for (Offset e = indptr[i] + lane_index(); e < indptr[i + 1]; e += 32)
      if (values[e] != infinity) h[i * stride + indices[e]] = indices[e];
    if (lane_index() == 0) h[i * stride + i] = static_cast<int>(i);
  }
}
