// What the searches share: bits of vertices, and the answer being written.
#pragma once

#include "headers/primitives.cuh"

__device__ __forceinline__ unsigned bit_of(int v) { return 1u << (v & 31); }

// Ask for the sector at p ahead of its use: the L2 cache fetches it while the level ends.
__device__ __forceinline__ void prefetch(const void* p) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
#endif
}

// The strongest tail u of a vertex as one number: u, or ~u where it is the only one.
constexpr int NO_TAIL = -2147483647 - 1;

// Whether parents are kept is a type, so that levels alone pay nothing for them.
struct LevelsOnly { static constexpr bool kept = false; };
struct WithParents { static constexpr bool kept = true; };

// The answer being written. A vertex is stored by the one thread that found it.
template <class Parents>
struct Tree {
  int* levels;
  int* parents;
  __device__ __forceinline__ void put(int v, int level, int parent) const {
    levels[v] = level;
    if constexpr (Parents::kept) parents[v] = parent;
  }
  // Four neighbours at once, the first a multiple of four.
  __device__ __forceinline__ void put_four(int first, const Pack<int, 4>& level, const Pack<int, 4>& parent) const {
    store_pack(levels + first, level);
    if constexpr (Parents::kept) store_pack(parents + first, parent);
  }
  // levels = -1, parents = -1 but for the source, by all threads of the grid.
  __device__ void clear(int n, int source) const {
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x)
      put(v, v == source ? 0 : -1, v == source ? source : -1);
  }
};

// A word that other blocks wrote before the last barrier, read once a block: thousands of warps that read one
// address stand in a queue.
template <class T>
__device__ __forceinline__ T read_for_block(const T* p) {
  __shared__ T word;
  if (threadIdx.x == 0) word = load_fresh(p);
  __syncthreads();
  const T value = word;
  __syncthreads();
  return value;
}
