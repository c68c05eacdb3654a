// Blocks of a cooperative grid that work together, beside others: their threads, warps and barrier.
#pragma once

#include "_push_cuda.py"  // BARRIER_WORDS
#include "headers/primitives.cuh"

struct Team {
  int number;
  int rank;  // of this block
  int blocks;
  unsigned* barrier;

  __device__ __forceinline__ bool leads() const { return rank == 0 && threadIdx.x == 0; }
  __device__ __forceinline__ int warp() const { return rank * static_cast<int>(blockDim.x / 32) + warp_index(); }
  __device__ __forceinline__ int warps() const { return blocks * static_cast<int>(blockDim.x / 32); }
  // Every thread of the team waits for all others; what they wrote before is seen after.
  __device__ __forceinline__ void sync() const {
    barrier_of_blocks(barrier, static_cast<unsigned>(rank), static_cast<unsigned>(blocks));
  }
  // [begin, end) over all threads of the team.
  __device__ __forceinline__ StridedRange<long long> range(long long begin, long long end) const {
    const long long mine = static_cast<long long>(rank) * blockDim.x + threadIdx.x;
    return {mine < end - begin ? begin + mine : end, end, static_cast<long long>(blocks) * blockDim.x};
  }
};

// The team of this block where a grid is cut into so many alike; blocks that are left over have a number beyond.
__device__ __forceinline__ Team team_of_block(int teams, unsigned* barriers) {
  const int blocks = static_cast<int>(gridDim.x) / teams, block = static_cast<int>(blockIdx.x), number = block / blocks;
  return {
      number, block % blocks, blocks, barriers + static_cast<long long>(BARRIER_WORDS) * (number < teams ? number : 0)};
}
