// The barrier of a cooperative grid, and how a kernel waits.
#pragma once

#include "words.cuh"

#if !defined(GRAPHLA_EMULATOR)
// A thread that waits for others to write calls this in its loop; only an emulator needs it.
__device__ __forceinline__ void emulator_yield() {}
#endif

// One atomic a block: the arrivals of a round add up to 2^31, which turns the top bit; it is what the blocks watch.
// *barrier begins at zero and serves any number of rounds and launches, each of at most 2^31 blocks. `rank` is the
// number of this block among the `blocks` that wait for each other.
__device__ __forceinline__ void barrier_of_blocks(unsigned* barrier, unsigned rank, unsigned blocks) {
  constexpr unsigned top = 0x80000000u;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const unsigned before = atomicAdd(barrier, rank == 0 ? top - (blocks - 1) : 1u);
    while (!((before ^ load_fresh(barrier)) & top)) emulator_yield();
    __threadfence();
  }
  __syncthreads();
}

__device__ __forceinline__ void grid_barrier(unsigned* barrier) { barrier_of_blocks(barrier, blockIdx.x, gridDim.x); }

#if defined(GRAPHLA_EMULATOR)
#define grid_sync(barrier) (static_cast<void>(barrier), emulator_grid_sync())
#else
// Every thread of the grid waits for all others; what they wrote before is seen after.
__device__ __forceinline__ void grid_sync(unsigned* barrier) { grid_barrier(barrier); }
#endif
