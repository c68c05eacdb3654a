// What the searches share: bitmaps of vertices, and the levels and parents being written.
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"

__device__ __forceinline__ int thread_id() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ unsigned bit_of(int v) { return 1u << (v & 31); }

// Prefetch the sector at p into the L2 cache.
__device__ __forceinline__ void prefetch(const void* p) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
#endif
}

// `strongest[v]` of a vertex without tails; see fused_prepare.cuh.
constexpr int NO_TAIL = -2147483647 - 1;

// Whether a search writes parents, and as which numbers: a type, so that a search for levels has no code for them.
struct LevelsOnly {
  static constexpr bool kept = false;
  __device__ __forceinline__ int operator()(int parent) const { return parent; }
};
struct WithParents {
  static constexpr bool kept = true;
  __device__ __forceinline__ int operator()(int parent) const { return parent; }
};

// Levels and parents. Only the thread that found a vertex writes its level and parent.
template <class Parents>
struct Tree {
  int* levels;
  int* parents;
  Parents name = {};
  __device__ __forceinline__ void put(int v, int level, int parent) const {
    levels[v] = level;
    if constexpr (Parents::kept) parents[v] = name(parent);
  }
  // Four neighbours at once, the first a multiple of four.
  __device__ __forceinline__ void put_four(int first, const Pack<int, 4>& level, const Pack<int, 4>& parent) const {
    store_pack(levels + first, level);
    if constexpr (Parents::kept)
      store_pack(parents + first, Pack<int, 4>{name(parent[0]), name(parent[1]), name(parent[2]), name(parent[3])});
  }
  // All threads of the grid: level and parent are -1 but for the source.
  __device__ void clear(int n, int source) const {
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x)
      put(v, v == source ? 0 : -1, v == source ? source : -1);
  }
};
