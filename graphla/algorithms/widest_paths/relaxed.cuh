// width[v] = max over the paths from the source to v of the least weight of their arcs: Bellman-Ford with frontiers.
//
// A vertex u of the frontier offers each head v the lesser of width[u] and the weight. If that is more than width[v],
// or v had no path, v is in the next frontier, once: stamps[v] is the last round in which it was put there. A width
// that grows within a round may be read before or after; the vertex is in the next frontier anyway. Of a short
// frontier several warps share a row. Of a long one a lane owns a short row, and the warp together the long ones.
//
// compiled: widen<T, Offset> with T = int | unsigned | long long | unsigned long long | float | double;
//   Offset = int | long long; hot
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"

constexpr int LONG_ROW = 32;

template <class T, class Offset>
struct WidthParameters {
  int n;
  int source;
  const Offset* indptr;
  const int* indices;
  const T* values;
  T* width;
  int* reached;
  int* stamps;
  int* queue;
  int* other;
  int* queued;
  unsigned* barrier;
};

template <class T>
__device__ __forceinline__ T raise(T* place, T x) {
  if constexpr (is_float<T>) return atomic_most(place, x);
  else return atomicMax(place, x);
}

template <class T, class Offset>
struct Widening {
  WidthParameters<T, Offset> given;
  int round;
  int* next;
  int* queued;

  // Every lane calls this; the arc k offers the width to its head.
  __device__ __forceinline__ void offer(bool wanted, T width, Offset k) const {
    bool grows = false;
    int v = 0;
    if (wanted) {
      v = load_constant(given.indices + k);
      const T weight = load_constant(given.values + k), offered = weight < width ? weight : width;
      const bool known = load_racing(given.reached + v) != 0;
      if (!known || load_racing(given.width + v) < offered) {
        const bool first = !known && atomicExch(given.reached + v, 1) == 0;
        grows = raise(given.width + v, offered) < offered || first;
      }
      grows = grows && atomicExch(given.stamps + v, round) != round;
    }
    warp_append(grows, v, next, queued);
  }
  // 32 arcs of each `step`.
  __device__ __forceinline__ void offer_row(T width, long long first, long long last, int step) const {
    for (long long at = first; at < last; at += step)
      offer(last - at > lane_index(), width, static_cast<Offset>(at + lane_index()));
  }
  // The rows of the vertices that the lanes hold, -1 for none.
  __device__ __forceinline__ void offer_rows(int v) const {
    const Offset begin = v < 0 ? 0 : given.indptr[v], end = v < 0 ? 0 : given.indptr[v + 1];
    const T width = v < 0 ? T() : load_fresh(given.width + v);
    const bool by_warp = end - begin > LONG_ROW;
    const int length = by_warp ? 0 : static_cast<int>(end - begin);
    for (int i = 0, longest = warp_reduce(length, Most()); i < longest; ++i) offer(i < length, width, begin + i);
    for (unsigned rows = __ballot_sync(WHOLE_WARP, by_warp); rows; rows &= rows - 1) {
      const int owner = __ffs(static_cast<int>(rows)) - 1;
      const Offset first = shuffle_from(begin, owner), last = shuffle_from(end, owner);
      offer_row(shuffle_from(width, owner), first, last, 32);
    }
  }
  __device__ __forceinline__ void offer_all(const int* queue, int size) const {
    const int warps = static_cast<int>(gridDim.x * (blockDim.x / 32));
    const int warp = static_cast<int>(blockIdx.x * (blockDim.x / 32)) + warp_index();
    if (size <= warps) {
      const int parts = warps / size, place = warp / parts;
      if (place >= size) return;
      const int v = queue[place];
      offer_row(load_fresh(given.width + v), given.indptr[v] + 32LL * (warp % parts), given.indptr[v + 1], 32 * parts);
      return;
    }
    const int share = min(32, (size - 1) / warps + 1);
    for (long long at = static_cast<long long>(warp) * share; at < size; at += static_cast<long long>(warps) * share) {
      const bool mine = lane_index() < share && at + lane_index() < size;
      offer_rows(mine ? queue[at + lane_index()] : -1);
    }
  }
};

template <class T, class Offset>
__global__ void widen(WidthParameters<T, Offset> given) {
  int *queue = given.queue, *next = given.other;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    queue[0] = given.source;
    given.queued[0] = 1;
  }
  grid_sync(given.barrier);
  for (int round = 0;; ++round) {
    const int size = read_for_block(given.queued + round % 3);
    if (size == 0) return;
    if (blockIdx.x == 0 && threadIdx.x == 0) given.queued[(round + 2) % 3] = 0;
    Widening<T, Offset>{given, round + 1, next, given.queued + (round + 1) % 3}.offer_all(queue, size);
    grid_sync(given.barrier);
    int* const done = queue;
    queue = next;
    next = done;
  }
}
