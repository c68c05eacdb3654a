// A frontier as a queue with the prefix sum of its degrees, and the push over equal shares of its arcs.
//
//   level[v] = d + 1, for every arc u -> v from the frontier with v not seen
//
// One 64-bit atomic addition reserves a slot and its arcs together (vertices in the high bits, arcs in the low bits),
// so the entries stand in the order of their arcs. Each warp gets an equal share of the arcs, whatever the degrees are.
#pragma once

#include "_common.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

template <class Offset>
struct Rows {
  const Offset* indptr;
  const int* indices;
};

template <class Offset>
struct Queues {  // two queues in one pair of arrays
  int* vertices;
  Offset* offsets;
  long long n;
  __device__ Queue<Offset> operator[](int turn) const {
    const long long begin = turn ? n : 0;
    return {vertices + begin, offsets + 2 * begin, offsets + 2 * begin + n};
  }
};

// A queue being filled, and its packed size.
template <class Offset>
struct Next {
  Queue<Offset> queue;
  Wide* packed;
  // Room for vertices and arcs; returns where it begins.
  __device__ __forceinline__ Wide reserve(Wide size) const { return atomicAdd(packed, size); }
};

// The warp appends found[0 .. count) to the queue, without the vertices that have no arcs.
template <class Offset, class Next>
__device__ void enqueue(const Rows<Offset>& out, const Next& next, const int* found, int count) {
  const int v = lane_index() < count ? found[lane_index()] : -1;
  const Offset begin = v >= 0 ? out.indptr[v] : 0;
  const Offset arcs = v >= 0 ? out.indptr[v + 1] - begin : 0;
  append_entries(next.queue, [&next](Wide size) { return next.reserve(size); }, v, begin, arcs);
}

// Calls visit(head, entry) for the share of warp `warp` of the arcs of a queue, one arc per lane; head is -1 for a lane
// without an arc.
template <class Offset, class Visit>
__device__ __forceinline__ void each_head(
    const Rows<Offset>& out, const Queue<Offset>& queue, Wide packed, int warp, int warps, Visit visit) {
  each_arc(queue, packed, warp, warps,
           [&](Offset where, int entry) { visit(where < 0 ? -1 : out.indices[where], entry); });
}

// Warp `warp` of `warps` pushes its share of the arcs of `queue`, the frontier of level `depth`.
template <class Offset, class Parents>
__device__ void push(
    const Rows<Offset>& out, const Tree<Parents>& tree, unsigned* seen, int depth, const Queue<Offset>& queue,
    Wide packed, const Next<Offset>& next, int warp, int warps, int* pending) {
  int waiting = 0;
  each_head(out, queue, packed, warp, warps, [&](int v, int entry) {
    const bool found = v >= 0 && !bit_test_racing(seen, v) && bit_set(seen, v);
    if (found) tree.put(v, depth + 1, Parents::kept ? queue.vertex[entry] : 0);
    const unsigned finders = __ballot_sync(WHOLE_WARP, found);
    if (found) pending[waiting + __popc(finders & lower_lanes())] = v;
    waiting += __popc(finders);
    __syncwarp();
    if (waiting >= 32) {
      waiting -= 32;
      enqueue(out, next, pending + waiting, 32);
      __syncwarp();
    }
  });
  enqueue(out, next, pending, waiting);
}

// Pushes into the bitmap alone, for a next frontier that will be pulled: no queue is written, and `write_levels` writes
// the levels later. Returns how many heads this lane was the first to reach.
template <class Offset, class Parents>
__device__ int push_bits(const Rows<Offset>& out, const Tree<Parents>& tree, unsigned* seen, const Queue<Offset>& queue,
                         Wide packed, int warp, int warps) {
  int found = 0;
  each_head(out, queue, packed, warp, warps, [&](int v, int entry) {
    if (v < 0 || bit_test_racing(seen, v) || !bit_set(seen, v)) return;
    ++found;
    if constexpr (Parents::kept) tree.parents[v] = queue.vertex[entry];
  });
  return found;
}

// Writes the level of the vertices in `seen` and not in `before`. A warp owns 32 words of the bitmaps.
template <class Parents>
__device__ void write_levels(const Tree<Parents>& tree, const unsigned* before, const unsigned* seen, int words,
                             int depth, int warp, int warps) {
  for (int base = warp * 32; base < words; base += warps * 32) {
    const int word = base + lane_index();
    const unsigned fresh = word < words ? seen[word] & ~before[word] : 0;
    for (unsigned some = __ballot_sync(WHOLE_WARP, fresh); some; some &= some - 1) {
      const int j = __ffs(static_cast<int>(some)) - 1;
      if (shuffle_from(fresh, j) >> lane_index() & 1) tree.levels[(base + j) * 32 + lane_index()] = depth;
    }
  }
}
