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

// The warp appends the entries of its lanes that have arcs, which begin at `begin`; `reserve` makes room for a packed
// size, and returns where it begins. Every lane calls this.
template <class Offset, class Reserve>
__device__ __forceinline__ void append_entries(
    const Queue<Offset>& queue, Reserve reserve, int vertex, Offset begin, Offset arcs) {
  const unsigned some = __ballot_sync(WHOLE_WARP, arcs > 0);
  Offset upto = arcs;
  for (int reach = 1; reach < 32; reach *= 2) {
    const Offset left = __shfl_up_sync(WHOLE_WARP, upto, reach);
    if (lane_index() >= reach) upto += left;
  }
  Wide base = 0;
  if (lane_index() == 31 && some)
    base = reserve((static_cast<Wide>(__popc(some)) << ARC_BITS) + static_cast<Wide>(upto));
  base = __shfl_sync(WHOLE_WARP, base, 31);
  if (arcs > 0) {
    const int slot = static_cast<int>(base >> ARC_BITS) + __popc(some & lower_lanes());
    const Offset before = static_cast<Offset>(base & ARC_MASK) + upto - arcs;
    queue.vertex[slot] = vertex;
    queue.before[slot] = before;
    queue.shift[slot] = begin - before;
  }
}

// Calls visit(where, entry) for the share of warp `warp` of the arcs of a queue, one arc per lane: where it is stored,
// -1 for a lane without an arc.
template <class Offset, class Visit>
__device__ __forceinline__ void each_arc(const Queue<Offset>& queue, Wide packed, int warp, int warps, Visit visit) {
  const int size = static_cast<int>(packed >> ARC_BITS);
  const Offset arcs = static_cast<Offset>(packed & ARC_MASK);
  const Offset share = ((arcs + warps - 1) / warps + 31) / 32 * 32;
  const Offset last = min(static_cast<Offset>(warp + 1) * share, arcs);
  Offset arc = static_cast<Offset>(warp) * share;
  if (arc >= last) return;
  int first = owner_of(queue.before, size, arc);
  for (; arc < last; arc += 32) {
    const int entry = first + lane_index();
    const Offset before = entry < size ? queue.before[entry] : arcs;
    const Offset shift = entry < size ? queue.shift[entry] : 0;
    const Offset mine = arc + lane_index();
    const int owner = owner_in_window(before, mine);
    const Offset where = mine + __shfl_sync(WHOLE_WARP, shift, owner);
    visit(mine < last ? where : static_cast<Offset>(-1), first + owner);
    first += __shfl_sync(WHOLE_WARP, owner, 31);
    if (first + 1 < size && queue.before[first + 1] <= arc + 32) ++first;
  }
}
