// A block at work together: one-dimensional, a multiple of 32 threads, all of which call these.
#pragma once

#include "warp.cuh"

// What a block's warps leave for each other: one slot a warp.
template <class T>
__device__ __forceinline__ T* block_slots() {
  __shared__ T slots[32];
  return slots;
}

// op over all threads, in every thread; `nothing` is op's identity.
template <class T, class Op = Plus>
__device__ __forceinline__ T block_reduce(T x, T nothing = T(), Op op = {}) {
  T* slots = block_slots<T>();
  x = warp_reduce(x, op);
  if (lane_index() == 0) slots[warp_index()] = x;
  __syncthreads();
  x = lane_index() < static_cast<int>(blockDim.x / 32) ? slots[lane_index()] : nothing;
  __syncthreads();
  return warp_reduce(x, op);
}

template <class T>
struct Prefix {
  T before, total;
};
// The sum over the threads before this one, and over all.
template <class T>
__device__ __forceinline__ Prefix<T> block_exclusive_sum(T x) {
  T* slots = block_slots<T>();
  const T inclusive = warp_inclusive_scan(x);
  if (lane_index() == 31) slots[warp_index()] = inclusive;
  __syncthreads();
  const T of_warp = lane_index() < static_cast<int>(blockDim.x / 32) ? slots[lane_index()] : T();
  __syncthreads();
  const T upto = warp_inclusive_scan(of_warp);
  const T before = shuffle_from(upto - of_warp, warp_index());
  return {static_cast<T>(before + inclusive - x), shuffle_from(upto, 31)};
}

// The threads that want to put their value at the end of a queue, with one atomic for the block.
template <class T, class Count>
__device__ __forceinline__ void block_append(bool wanted, T value, T* queue, Count* count) {
  __shared__ Count begin;
  const Prefix<int> place = block_exclusive_sum(static_cast<int>(wanted));
  if (threadIdx.x == 0) begin = place.total ? atomicAdd(count, static_cast<Count>(place.total)) : 0;
  __syncthreads();
  if (wanted) queue[begin + place.before] = value;
}
