// A tile of 64 × 64 values in the registers of 256 threads, 4 × 4 each.
#pragma once

#include "headers/primitives.cuh"
#include "matmat/tropical_numbers.cuh"
#include "tiles.py"  // CORNER, CORNER_THREADS

template <class T>
struct Corner {
  T at[4][4];
  static __device__ __forceinline__ int row() { return (threadIdx.x >> 4) * 4; }
  static __device__ __forceinline__ int column() { return (threadIdx.x & 15) * 4; }
  __device__ __forceinline__ void load(const T* tile, long long stride) {
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) at[y][x] = load_fresh(tile + (row() + y) * stride + column() + x);
  }
  __device__ __forceinline__ void store(T* tile, long long stride) const {
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) tile[(row() + y) * stride + column() + x] = at[y][x];
  }
};
