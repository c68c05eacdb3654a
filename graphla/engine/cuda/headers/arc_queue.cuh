// A queue that carries its own prefix sum, and who owns an arc of it.
//
// Entry e owns the arcs before[e] ... of the queue; arc a is stored at a + shift[e]. Its packed size has the entries
// above and the arcs below, so that slot and arcs are reserved by one 64-bit addition and entries lie in their order.
#pragma once

#include "primitives.cuh"

using Wide = unsigned long long;

constexpr int ARC_BITS = 34;
constexpr Wide ARC_MASK = (static_cast<Wide>(1) << ARC_BITS) - 1;

template <class Offset>
struct Queue {
  int* vertex;
  Offset* before;
  Offset* shift;
};

// The entry that owns an arc: the warp narrows the range 32-fold a step.
template <class Offset>
__device__ __forceinline__ int owner_of(const Offset* before, int size, Offset arc) {
  int low = 0, high = size;
  while (high - low > 1) {
    const int stride = (high - low + 31) / 32;
    const int entry = low + lane_index() * stride;
    const unsigned left = __ballot_sync(WHOLE_WARP, entry < high && before[entry] <= arc);
    low += (__popc(left) - 1) * stride;
    high = min(low + stride, high);
  }
  return low;
}

// The lane whose entry owns the arc `mine`, where each lane brings the first arc of an entry of a window of 32: it
// holds the owners of 32 arcs, for every entry has an arc.
template <class Offset>
__device__ __forceinline__ int owner_in_window(Offset before, Offset mine) {
  int owner = 0;
  for (int reach = 16; reach; reach /= 2) {
    const Offset start = __shfl_sync(WHOLE_WARP, before, owner + reach);
    if (start <= mine) owner += reach;
  }
  return owner;
}
