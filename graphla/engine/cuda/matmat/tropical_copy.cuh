// Asynchronous copies from global to shared memory, 16 bytes at a time.
#pragma once

#include "headers/primitives.cuh"
#include "tropical_operands.py"  // TILE_WORKERS

// Sixteen bytes to shared memory without a register on the way; `arrived<n>` waits until at most n groups are missing.
template <class T>
__device__ __forceinline__ void fetch(T* shared, const T* global) {
#if defined(GRAPHLA_EMULATOR)
  __pipeline_memcpy_async(shared, global, 16);
#else
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
      "l"(global)
      : "memory");
#endif
}
__device__ __forceinline__ void close_group() {
#if defined(GRAPHLA_EMULATOR)
  __pipeline_commit();
#else
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int missing>
__device__ __forceinline__ void arrived() {
#if defined(GRAPHLA_EMULATOR)
  __pipeline_wait_prior(missing);
#else
  asm volatile("cp.async.wait_group %0;" ::"n"(missing) : "memory");
#endif
}

// What a block copies of each stage of an operand; a row of the stage is a row of the operand. `mine` tells threads
// apart.
template <class T, int rows, int width>
struct Share {
  static constexpr int words = 16 / sizeof(T), chunks = width / words, at_a_time = TILE_WORKERS / chunks;
  const T* from;
  long long stride;
  unsigned mine;
  __device__ __forceinline__ Share(const T* tile, long long row)
      : from(tile),
        stride(row),
        mine(threadIdx.x / chunks * static_cast<unsigned>(row) + threadIdx.x % chunks * words) {}
  // The next rows of the operand, `count` of them unless the stage is to be full.
  template <bool full>
  __device__ __forceinline__ void fetch_next(T (&stage)[rows][width], int count) {
    const int first = threadIdx.x / chunks;
    T* to = &stage[0][0] + threadIdx.x * words;
#pragma unroll
    for (int r = 0; r < rows; r += at_a_time)
      if ((rows >= at_a_time || first < rows) && (full || r + first < count))
        fetch(to + r * width, from + r * stride + mine);
    from += rows * stride;
  }
};
