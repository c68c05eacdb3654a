// What a search of many sources in words works with, and the pull of a level.
//
//   seen[d + 1][v] = seen[d][v] | OR of seen[d][u] over the arcs u -> v, for the bits that are pulled
//
// Vertices with nothing to do are copied; the others are buffered and taken 32 at a time, one row per lane: its first
// pack, a few more packs by the lane, more by the warp; the rest of a long row becomes tasks for the whole grid.
#pragma once

#include "../_device.py"  // RESIDENT_THREADS
#include "../_frontier.cuh"
#include "_packs.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"
#include "multi_source.py"  // LEVEL_WORDS

constexpr int RESIDENT_WARPS = RESIDENT_THREADS / 32;
constexpr int OWN_PACKS = 8;    // packs that a lane probes before the warp helps
constexpr int WARP_PACKS = 16;  // strides of the warp before the row is left to the whole grid
constexpr int SETS = 4;         // words that a lane loads at once
constexpr int PENDING = 160;    // vertices that a warp buffers: 31 left over and 32 of each set

struct Numbers {     // of one level; all are zero before the launch
  Wide packed;       // packed size of the queue of tasks
  Bits found;        // bits that any vertex got
  Wide pulled;       // packs of the vertices that a pull found
  Wide padding;      // to whole sectors
  Wide of_hubs[64];  // packs of the hubs that have bit s
};
static_assert(sizeof(Numbers) == LEVEL_WORDS * sizeof(Wide), "the host allocates LEVEL_WORDS");

struct Words {
  int n;
  PackedRows out, in;
  const Columns* first;  // pack of each row of `in`
  Bits* history;         // seen[d] at d * n
  Queue<int> queue;
  int hubs;
  __device__ __forceinline__ Bits* seen(int depth) const { return history + static_cast<long long>(depth) * n; }
};

struct Level {  // the bits that have a frontier, by direction
  int depth;
  Bits pulled;
  Bits pushed;
};

struct Gain {
  Bits bits;
  Wide packs;
};

// The bits that v got in the last level. All of seen[1] is new: seen[0] is written at the sources only.
__device__ __forceinline__ Bits fresh_at(const Words& w, int depth, int v) {
  return w.seen(depth)[v] & (depth > 1 ? ~w.seen(depth - 1)[v] : ~static_cast<Bits>(0));
}

// The words of a level; those of the hubs stand in shared memory.
struct Seen {
  const Bits* words;
  const Bits* of_hubs;
  int hubs;
  __device__ __forceinline__ Bits operator[](int v) const { return v < hubs ? of_hubs[v] : words[v]; }
  __device__ __forceinline__ Bits of_any(const Columns& tails) const {
    return (*this)[tails.at[0]] | (*this)[tails.at[1]] | (*this)[tails.at[2]] | (*this)[tails.at[3]];
  }
};

__device__ inline void copy_hubs(const Seen& seen, Bits* of_hubs) {
  for (int v = threadIdx.x; v < seen.hubs; v += blockDim.x) of_hubs[v] = seen.words[v];
  __syncthreads();
}

// The lane probes a few more packs, two per memory access; `at` is left where it stopped.
__device__ __forceinline__ void probe_alone(
    const Columns* packs, const Seen& seen, Bits need, int& at, int end, Bits& got) {
  for (int i = 0; i < OWN_PACKS && at < end && (got & need) != need; i += 2, at += 2) {
    const Columns tails = packs[at], more = packs[min(at + 1, end - 1)];
    got |= seen.of_any(tails);
    if ((got & need) != need) got |= seen.of_any(more);
  }
}

// The warp probes further packs for each lane that lacks bits and has packs left; true where packs are still left.
__device__ __forceinline__ bool probe_together(
    const Columns* packs, const Seen& seen, Bits need, int& at, int end, Bits& got) {
  const bool open = at < end && (got & need) != need;
  for (unsigned rest = __ballot_sync(WHOLE_WARP, open); rest; rest &= rest - 1) {
    const int lane = __ffs(static_cast<int>(rest)) - 1, last = shuffle_from(end, lane);
    const Bits goal = shuffle_from(need, lane);
    Bits words = shuffle_from(got, lane);
    int k = shuffle_from(at, lane);
    for (int i = 0; i < WARP_PACKS && k < last && (words & goal) != goal; ++i, k += 32)
      words |=
          warp_reduce(k + lane_index() < last ? seen.of_any(packs[k + lane_index()]) : static_cast<Bits>(0), Either{});
    if (lane == lane_index()) {
      got = words;
      at = k;
    }
  }
  return at < end && (got & need) != need;
}

struct Row {
  int v;  // -1 for none
  Bits before;
  Columns first;
};

__device__ __forceinline__ Row row_of(const Words& w, const Seen& seen, int v) {
  return v >= 0 ? Row{v, seen.words[v], w.first[v]} : Row{v, ~static_cast<Bits>(0), {}};
}

// A lane's row: pulls its bits; the row's pushes, and the rest of a long row, become tasks.
__device__ __forceinline__ void do_row(
    const Words& w, const Level& level, const Seen& seen, const Row& row, const Next<int>& tasks, Gain& gain) {
  const int v = row.v;
  const Bits need = level.pulled & ~row.before;
  int at = need ? w.in.indptr[v] + 1 : 0;
  const int end = need ? w.in.indptr[v + 1] : 0;
  Bits got = need ? seen.of_any(row.first) : 0;
  probe_alone(w.in.packs, seen, need, at, end, got);
  const bool long_row = probe_together(w.in.packs, seen, need, at, end, got);
  got &= need;
  if (v >= 0) w.seen(level.depth + 1)[v] = row.before | got;
  const bool pushes = v >= 0 && level.pushed && (fresh_at(w, level.depth, v) & level.pushed);
  const int heads = got || pushes ? w.out.length(v) : 0;
  add_tasks<2>(tasks, {{v, ~v}, {pushes ? w.out.indptr[v] : 0, at}, {pushes ? heads : 0, long_row ? end - at : 0}});
  gain.bits |= got;
  gain.packs += got ? heads : 0;
}

// Of a lane's vertices base, base + stride ... those with something to do are buffered, in order; the words of the
// others are copied. Returns the size of the warp's buffer.
__device__ __forceinline__ int buffer_open(
    const Words& w, const Level& level, const Seen& seen, int base, int stride, int* pending, int waiting) {
  Bits words[SETS], last[SETS];
#pragma unroll
  for (int j = 0; j < SETS; ++j)
    words[j] = base + j * stride < w.n ? seen.words[base + j * stride] : ~static_cast<Bits>(0);
#pragma unroll
  for (int j = 0; j < SETS; ++j)
    last[j] = level.pushed && base + j * stride < w.n ? fresh_at(w, level.depth, base + j * stride) & level.pushed : 0;
#pragma unroll
  for (int j = 0; j < SETS; ++j) {
    const int v = base + j * stride;
    const bool waits = (level.pulled & ~words[j]) || last[j];
    const unsigned held = __ballot_sync(WHOLE_WARP, waits);
    if (waits) pending[waiting + __popc(held & lower_lanes())] = v;
    else if (v < w.n) w.seen(level.depth + 1)[v] = words[j];
    waiting += __popc(held);
  }
  __syncwarp();
  return waiting;
}

// All vertices: a warp takes 32 of its buffer together, one per lane, while the rows of the next 32 are loaded.
__device__ inline Gain pull_and_sort(const Words& w, const Level& level, const Seen& seen, Numbers* numbers) {
  __shared__ int buffers[RESIDENT_WARPS][PENDING];
  int* const pending = buffers[warp_index()];
  const Next<int> tasks{w.queue, &numbers->packed};
  const int stride = grid_warps() * 32;
  Gain gain{0, 0};
  int waiting = 0;
  for (int base = global_warp() * 32; base < w.n; base += SETS * stride) {
    waiting = buffer_open(w, level, seen, base + lane_index(), stride, pending, waiting);
    const int least = base + SETS * stride < w.n ? 32 : 1;
    const auto row = [&] { return row_of(w, seen, lane_index() < waiting ? pending[waiting - 1 - lane_index()] : -1); };
    for (Row ahead = row(); waiting >= least;) {
      const Row now = ahead;
      waiting = max(waiting - 32, 0);
      if (waiting >= least) ahead = row();
      do_row(w, level, seen, now, tasks, gain);
    }
    __syncwarp();
  }
  return gain;
}
