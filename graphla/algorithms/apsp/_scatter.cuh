// The weights as a full matrix that holds infinity: a warp owns a row. A vertex is 0 from itself, or less.
//
// compiled: scatter<T, Offset> with T = float | double | short | unsigned long long; Offset = int | long long
// compiled: put_beyond<T> with T = int | unsigned long long
// compiled: first_hops<T, Offset> with T = float | short; Offset = int | long long
#pragma once

#include "headers/primitives.cuh"

template <class T, class Offset>
__global__ void scatter(const Offset* start, const int* target, const T* weight, int n, T* d, long long stride) {
  for (long long i = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) >> 5; i < n;
       i += gridDim.x * static_cast<long long>(blockDim.x) >> 5) {
    T own = static_cast<T>(0);
    for (Offset e = start[i] + lane_index(); e < start[i + 1]; e += 32) {
      if (target[e] != i) d[i * stride + target[e]] = weight[e];
      else if (weight[e] < own) own = weight[e];
    }
    for (int step = 16; step; step >>= 1) {
      const T other = __shfl_xor_sync(WHOLE_WARP, own, step);
      own = other < own ? other : own;
    }
    if (lane_index() == 0) d[i * stride + i] = own;
  }
}

// What is greater than `last` becomes infinity, as it is written from now on.
template <class T>
__global__ void put_beyond(T* d, long long cells, T last, T infinity) {
  for (const long long c : grid_range(cells))
    if (d[c] > last) d[c] = infinity;
}

// H[i, j] = j for an arc that is not infinitely long, H[i, i] = i; the rest of H holds −1.
template <class T, class Offset>
__global__ void first_hops(
    const Offset* start, const int* target, const T* weight, T infinity, int n, int* h, long long stride) {
  for (long long i = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) >> 5; i < n;
       i += gridDim.x * static_cast<long long>(blockDim.x) >> 5) {
    for (Offset e = start[i] + lane_index(); e < start[i + 1]; e += 32)
      if (weight[e] != infinity) h[i * stride + target[e]] = target[e];
    if (lane_index() == 0) h[i * stride + i] = static_cast<int>(i);
  }
}
