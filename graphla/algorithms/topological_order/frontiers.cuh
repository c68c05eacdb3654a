// levels[v] = the number of arcs of the longest path that ends in v: Kahn's frontiers.
//
// waits[v] counts the arcs that enter v and have not been taken along. The vertices of a frontier take theirs along;
// a head that waits for no other is in the next frontier. Of a short frontier several warps share a row. Of a long one
// a lane owns a short row, and the warp together the long ones. What is on a cycle or behind one keeps the level -1.
//
// compiled: find_levels<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"

constexpr int LONG_ROW = 32;

template <class Offset>
struct OrderParameters {
  int n;
  const Offset* indptr;
  const int* indices;
  int* waits;
  int* levels;
  int* queue;
  int* queued;
  unsigned* barrier;
};

template <class Offset>
struct Frontier {
  OrderParameters<Offset> given;
  int level;
  int* next;
  int* queued;

  // Every lane calls this; an arc into v is taken along.
  __device__ __forceinline__ void take(bool wanted, int v) const {
    const bool free = wanted && atomicAdd(given.waits + v, -1) == 1;
    if (free) given.levels[v] = level + 1;
    warp_append(free, v, next, queued);
  }
  // 32 arcs of each `step`.
  __device__ __forceinline__ void take_row(long long first, long long last, int step) const {
    for (long long at = first; at < last; at += step) {
      const bool there = last - at > lane_index();
      take(there, there ? load_constant(given.indices + at + lane_index()) : 0);
    }
  }
  // The rows of the vertices that the lanes hold, -1 for none.
  __device__ __forceinline__ void take_rows(int v) const {
    const Offset begin = v < 0 ? 0 : given.indptr[v], end = v < 0 ? 0 : given.indptr[v + 1];
    const bool by_warp = end - begin > LONG_ROW;
    const int length = by_warp ? 0 : static_cast<int>(end - begin);
    for (int i = 0, longest = warp_reduce(length, Most()); i < longest; ++i)
      take(i < length, i < length ? load_constant(given.indices + begin + i) : 0);
    for (unsigned rows = __ballot_sync(WHOLE_WARP, by_warp); rows; rows &= rows - 1) {
      const int owner = __ffs(static_cast<int>(rows)) - 1;
      take_row(__shfl_sync(WHOLE_WARP, begin, owner), __shfl_sync(WHOLE_WARP, end, owner), 32);
    }
  }
  __device__ __forceinline__ void take_all(const int* queue, int size) const {
    const int warps = static_cast<int>(gridDim.x * (blockDim.x / 32));
    const int warp = static_cast<int>(blockIdx.x * (blockDim.x / 32)) + warp_index();
    if (size <= warps) {
      const int parts = warps / size, place = warp / parts;
      if (place >= size) return;
      const int v = queue[place];
      take_row(given.indptr[v] + 32LL * (warp % parts), given.indptr[v + 1], 32 * parts);
      return;
    }
    const int share = min(32, (size - 1) / warps + 1);
    for (long long at = static_cast<long long>(warp) * share; at < size; at += static_cast<long long>(warps) * share) {
      const bool mine = lane_index() < share && at + lane_index() < size;
      take_rows(mine ? queue[at + lane_index()] : -1);
    }
  }
};

// The vertices that no arc enters.
template <class Offset>
__device__ __forceinline__ void begin_frontier(const OrderParameters<Offset>& given) {
  for (const Offset e : grid_range(given.indptr[given.n])) atomicAdd(given.waits + load_once(given.indices + e), 1);
  grid_sync(given.barrier);
  for (const int v : grid_range((given.n + 31) & ~31)) {
    const bool free = v < given.n && load_fresh(given.waits + v) == 0;
    if (free) given.levels[v] = 0;
    warp_append(free, v, given.queue, given.queued);
  }
  grid_sync(given.barrier);
}

template <class Offset>
__global__ void find_levels(OrderParameters<Offset> given) {
  begin_frontier(given);
  int* queue = given.queue;
  for (int level = 0;; ++level) {
    const int size = read_for_block(given.queued + level % 3);
    if (size == 0) return;
    if (blockIdx.x == 0 && threadIdx.x == 0) given.queued[(level + 2) % 3] = 0;
    Frontier<Offset>{given, level, queue + size, given.queued + (level + 1) % 3}.take_all(queue, size);
    grid_sync(given.barrier);
    queue += size;
  }
}
