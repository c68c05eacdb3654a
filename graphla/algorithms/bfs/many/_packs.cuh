// Rows in packs of four column indices, and a queue of packs that warps share evenly.
//
// Vertices with arcs are renumbered by falling degree, so a row sorted by column names its tails of highest degree
// first, and neighbours in number have rows of similar length. A row is padded to whole packs with copies of its last
// column.
#pragma once

#include "../_frontier.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"
#include "multi_source.py"  // OUTCOME_WORDS

using Bits = unsigned long long;
using Columns = Pack<int, 4>;

struct PackedRows {
  const int* indptr;  // counts packs
  const Columns* packs;
  __device__ __forceinline__ int length(int v) const { return indptr[v + 1] - indptr[v]; }
};

// What `search_words` leaves for `finish_words`.
struct Outcome {
  Wide depth;
  Bits found;
  Wide sizes[3];  // packed sizes of its queues, which take turns
};
static_assert(sizeof(Outcome) == OUTCOME_WORDS * sizeof(Wide), "the host allocates OUTCOME_WORDS");

struct Either {
  __device__ __forceinline__ Bits operator()(Bits x, Bits y) const { return x | y; }
};

// Warps of different blocks first: vertices with neighbouring numbers, hubs above all, go to different blocks.
__device__ __forceinline__ int global_warp() { return warp_index() * gridDim.x + blockIdx.x; }
__device__ __forceinline__ int grid_warps() { return blockDim.x / 32 * gridDim.x; }

// Up to N tasks of a lane: a name and the packs begin ... begin + count; no task where count is 0.
template <int N>
struct Tasks {
  int name[N], begin[N], count[N];
};

// Appends the lanes' tasks to the queue: one atomic addition per warp reserves slots and packs.
template <int N>
__device__ void add_tasks(const Next<int>& next, const Tasks<N>& tasks) {
  Wide mine = 0;
#pragma unroll
  for (int j = 0; j < N; ++j)
    mine += tasks.count[j] > 0 ? (static_cast<Wide>(1) << ARC_BITS) + static_cast<Wide>(tasks.count[j]) : 0;
  if (!__any_sync(WHOLE_WARP, mine != 0)) return;
  const Wide upto = warp_inclusive_scan(mine);
  Wide at = lane_index() == 31 ? atomicAdd(next.packed, upto) : 0;
  at = shuffle_from(at, 31) + upto - mine;
#pragma unroll
  for (int j = 0; j < N; ++j) {
    if (tasks.count[j] <= 0) continue;
    const int slot = static_cast<int>(at >> ARC_BITS), before = static_cast<int>(at & ARC_MASK);
    next.queue.vertex[slot] = tasks.name[j];
    next.queue.before[slot] = before;
    next.queue.shift[slot] = tasks.begin[j] - before;
    at += (static_cast<Wide>(1) << ARC_BITS) + static_cast<Wide>(tasks.count[j]);
  }
}

// Calls visit(entry, place) for the share of warp `warp` of the packs of a queue, one pack per lane; entry is -1 for a
// lane without a pack.
template <class Visit>
__device__ void each_pack(const Queue<int>& queue, Wide packed, int warp, int warps, Visit visit) {
  const int size = static_cast<int>(packed >> ARC_BITS), total = static_cast<int>(packed & ARC_MASK);
  const int share = ((total + warps - 1) / warps + 31) / 32 * 32;
  if (static_cast<long long>(warp) * share >= total) return;
  const int begin = warp * share, last = min(total - begin, share) + begin;
  int first = owner_of(queue.before, size, begin);
  for (int at = begin; at < last; at += 32) {
    const int entry = first + lane_index(), mine = at + lane_index();
    const int before = entry < size ? queue.before[entry] : total;
    const int shift = entry < size ? queue.shift[entry] : 0;
    const int owner = owner_in_window(before, mine);
    const int place = mine + __shfl_sync(WHOLE_WARP, shift, owner);
    visit(mine < last ? first + owner : -1, place);
    first += __shfl_sync(WHOLE_WARP, owner, 31);
    if (first + 1 < size && queue.before[first + 1] <= at + 32) ++first;
  }
}
