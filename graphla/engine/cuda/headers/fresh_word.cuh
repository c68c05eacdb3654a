// A word that other blocks wrote before the last barrier of the grid, read once per block.
#pragma once

#include "primitives.cuh"

// One thread per block reads it: 4,000 warps that read one address cost 2 µs.
template <class T>
__device__ __forceinline__ T read_for_block(const T* p) {
  __shared__ T word;
  if (threadIdx.x == 0) word = load_fresh(p);
  __syncthreads();
  const T value = word;
  __syncthreads();
  return value;
}
