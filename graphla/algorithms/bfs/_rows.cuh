// Rows searched for a tail that is seen, 32 rows at a time.
//
// First four tails of each row; longer rows without a hit there are buffered again. Of those a lane probes a few times
// four tails more, then the warp searches one row after the other, and very long rows are left to the block.
#pragma once

#include "_common.cuh"
#include "_device.py"  // RESIDENT_THREADS
#include "_frontier.cuh"
#include "fused.py"  // GROUP
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

constexpr int RESIDENT_WARPS = RESIDENT_THREADS / 32;
constexpr int PENDING = 160;     // vertices that a warp buffers: 31 left over and 128 new ones
constexpr int FEW_ROWS = 16;     // fewer rows of 32 that must be searched on are buffered until there are 32
constexpr int LONGER = 48;       // such rows that a warp buffers: 31 left over and 15 new ones
constexpr int SERIAL_STEPS = 4;  // times four more tails of each row, before the warp searches one row after the other
constexpr int LONG_ROW = 2048;   // tails left from which on a whole block searches the row
constexpr int LONG_ROWS = 64;    // such rows that a block buffers

// Words of a bitmap of n vertices, padded to whole groups.
__device__ __forceinline__ int words_of(int n) { return (n + GROUP - 1) / GROUP * (GROUP / 32); }

template <class Offset, class Parents>
struct Search {
  int n;
  Rows<Offset> out, in;
  const int* strongest;
  const unsigned* isolated;
  int source;
  Tree<Parents> tree;
  // Vertices without an answer before the first pull: the unseen ones, and those without arcs, which count as seen.
  __device__ __forceinline__ unsigned unwritten(const unsigned* seen, int w) const {
    return (~seen[w] | isolated[w]) & ~(w == source >> 5 ? bit_of(source) : 0u);
  }
};

struct Workspace {  // shared memory of a block
  int found;
  Wide missed;  // tails of the rows without a hit
  int answer;
  int long_rows;
  int long_row[LONG_ROWS];
  int pending[RESIDENT_WARPS][PENDING];
};

using Longer = int[RESIDENT_WARPS][LONGER];  // shared memory that a pull alone needs

// What a warp found in a pull, and the tails that it probed without a hit; `found` is lane 0's.
struct Tally {
  int found;
  unsigned missed;
};

template <class Offset, class Parents>
__device__ __forceinline__ void found_by_pull(
    const Search<Offset, Parents>& s, unsigned* fresh, int v, int depth, int parent) {
  s.tree.put(v, depth + 1, parent);
  atomicOr(&fresh[v >> 5], bit_of(v));
}

// Each lane brings a vertex and its parent, or parent -1 if none of its `tails` is seen; v is -1 for a lane without
// one.
template <class Offset, class Parents>
__device__ __forceinline__ void settle(
    const Search<Offset, Parents>& s, unsigned* fresh, int v, int parent, int tails, int depth, Tally& tally) {
  if (v >= 0 && parent >= 0) found_by_pull(s, fresh, v, depth, parent);
  else if (v >= 0) tally.missed += static_cast<unsigned>(tails);
  const unsigned finders = __ballot_sync(WHOLE_WARP, v >= 0 && parent >= 0);
  if (lane_index() == 0) tally.found += __popc(finders);
}

// The warp searches `count` tails for one that is seen; -1 if there is none.
__device__ __forceinline__ int search_by_warp(const int* indices, const unsigned* seen, int count) {
  for (int k = lane_index(); k - lane_index() < count; k += 32) {
    const int u = k < count ? indices[k] : -1;
    const unsigned hits = __ballot_sync(WHOLE_WARP, u >= 0 && bit_test(seen, u));
    if (hits) return __shfl_sync(WHOLE_WARP, u, __ffs(hits) - 1);
  }
  return -1;
}

// Each lane brings a row and gets a seen tail among its next four, or -1. Four lanes together read one row, which takes
// a fourth of the memory transactions of four loads per lane.
template <class Parents, class Offset>
__device__ __forceinline__ int search_four(const int* indices, const unsigned* seen, Offset k, int left) {
  const int lane = lane_index();
  int tails[4], found = -1;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const Offset begin = shuffle_from(k, 8 * j + lane / 4);
    tails[j] = lane % 4 < shuffle_from(left, 8 * j + lane / 4) ? indices[begin + lane % 4] : -1;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const unsigned hits = __ballot_sync(WHOLE_WARP, tails[j] >= 0 && bit_test(seen, tails[j]));
    const int hit = __ffs(static_cast<int>(hits >> lane % 8 * 4 & 15u)) - 1;
    const int tail = Parents::kept ? shuffle_from(tails[j], lane % 8 * 4 + max(hit, 0)) : 0;
    if (lane / 8 == j && hit >= 0) found = tail;
  }
  return found;
}

// Each lane brings an unseen vertex (or -1) and what of its row is left.
template <class Offset, class Parents>
__device__ __forceinline__ void search_longer(const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh,
                                              int v, Offset k, int left, int depth, Tally& tally, Workspace& work) {
  int parent = -1;
  for (int step = 0; step < SERIAL_STEPS && __any_sync(WHOLE_WARP, left > 0); ++step) {
    const int tail = search_four<Parents>(s.in.indices, seen, k, left);
    k += 4;
    left -= 4;
    if (tail >= 0) {
      parent = tail;
      left = 0;
    }
  }
  bool held = false;
  if (left > LONG_ROW) {
    const int slot = atomicAdd(&work.long_rows, 1);
    held = slot < LONG_ROWS;
    if (held) work.long_row[slot] = v;
  }
  for (unsigned rest = __ballot_sync(WHOLE_WARP, left > 0 && !held); rest; rest &= rest - 1) {
    const int lane = __ffs(static_cast<int>(rest)) - 1;
    const int tail = search_by_warp(s.in.indices + shuffle_from(k, lane), seen, shuffle_from(left, lane));
    if (lane == lane_index()) parent = tail;
  }
  settle(s, fresh, v, parent, v >= 0 ? static_cast<int>(s.in.indptr[v + 1] - s.in.indptr[v]) : 0, depth, tally);
}

// The warp searches the buffered vertices, 32 at a time until fewer than `least` are left: four tails each. If few of
// the 32 must be searched on, these are buffered in `longer`.
template <class Offset, class Parents>
__device__ __forceinline__ void search_pending(
    const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, int depth, int least, int& waiting,
    int& waiting_longer, Tally& tally, int* longer, Workspace& work) {
  const int* const pending = work.pending[warp_index()];
  const int lane = lane_index();
  const auto last = [=](const int* held, int count) { return lane < count ? held[count - 1 - lane] : -1; };
  while (waiting >= least || (least == 1 && waiting_longer)) {
    int v = last(pending, waiting);
    Offset k = v >= 0 ? s.in.indptr[v] : 0;
    int left = v >= 0 ? static_cast<int>(s.in.indptr[v + 1] - k) : 0;
    waiting = max(waiting - 32, 0);
    const int parent = search_four<Parents>(s.in.indices, seen, k, left);
    const bool on = parent < 0 && left > 4;
    settle(s, fresh, on ? -1 : v, parent, left, depth, tally);
    const unsigned others = __ballot_sync(WHOLE_WARP, on);
    k += 4;
    left -= 4;
    if (!on) {
      v = -1;
      left = 0;
    }
    if (__popc(others) < FEW_ROWS) {
      if (on) longer[waiting_longer + __popc(others & lower_lanes())] = v;
      waiting_longer += __popc(others);
      __syncwarp();
      if (waiting_longer < (waiting ? 32 : least)) continue;
      v = last(longer, waiting_longer);
      waiting_longer = max(waiting_longer - 32, 0);
      k = v >= 0 ? s.in.indptr[v] + 4 : 0;
      left = v >= 0 ? static_cast<int>(s.in.indptr[v + 1] - k) : 0;
    }
    search_longer(s, seen, fresh, v, k, left, depth, tally, work);
    __syncwarp();
  }
}

// The whole block searches the long rows that its warps buffered, one after the other.
template <class Offset, class Parents>
__device__ void search_long_rows(
    const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, int depth, Workspace& work) {
  const int rows = min(work.long_rows, LONG_ROWS);
  for (int r = 0; r < rows; ++r) {
    if (threadIdx.x == 0) work.answer = -1;
    __syncthreads();
    const int v = work.long_row[r];
    const Offset end = s.in.indptr[v + 1];
    for (Offset k = s.in.indptr[v] + threadIdx.x; k < end && *static_cast<volatile int*>(&work.answer) < 0;
         k += blockDim.x) {
      const int u = s.in.indices[k];
      if (bit_test(seen, u)) *static_cast<volatile int*>(&work.answer) = u;
    }
    __syncthreads();
    if (threadIdx.x == 0 && work.answer >= 0) {
      found_by_pull(s, fresh, v, depth, work.answer);
      work.found += 1;
    }
  }
}
