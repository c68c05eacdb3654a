// Near and far. The frontier has the vertices nearer than `high` whose arcs wait to be relaxed; the others wait in the
// far pile. When the frontier is empty, `high` rises by a step and the pile is split. A vertex waits exactly if
// distance < relaxed_at: the queues are hints, so a vertex may be in them twice, and if a queue overflows, the pile is
// gathered again from all vertices.
//
// One block settles a small frontier in shared memory without grid barriers; all blocks settle a larger one. Where
// the sizes say so, both run the same machine code: it compiles in two thirds of the time. A thread owns a vertex, a warp
// or a block a long row.
#pragma once

#include "_common.cuh"
#include "_rows.cuh"
#include "_state.cuh"
#include "headers/primitives.cuh"

// Whether a block runs alone: known to the compiler, which then compiles two forms, or not, which compiles one.
template <bool ALONE>
struct Known {
  static constexpr bool alone = ALONE;
};
struct Asked { bool alone; };

// Where an improved vertex goes. A block that runs alone counts in shared memory; one of many blocks buffers vertices
// and writes them out at the end of the turn.
template <class W, class Offset, class Sizes, class Alone>
struct Push : Alone {
  using Key = typename Path<W>::Key;
  const Solver<W, Offset, Sizes>& s;
  Shared<W, Offset, Sizes>& shared;
  Key* distance;
  Key high;
  int round, side, stashed;
  unsigned relaxed;
  Key nearest;  // of the deferred vertices

  __device__ void near(int v) {
    const int place = atomicAdd(&shared.near_count[(round + 1) % 3], 1);
    if (place < Sizes::NEAR) {
      shared.near[(round + 1) & 1][place] = v;
    } else {
      const int spilled = atomicAdd(&s.counts->near[(shared.progress.turn + 1) % 3], 1);
      if (spilled < s.capacity) s.near(shared.progress.turn + 1)[spilled] = v;
      else shared.lost = 1;
    }
  }
  __device__ void far(int v, Key d) {
    if (d < nearest) nearest = d;
    int place = atomicAdd(&shared.far_count[this->alone ? side & 1 : 0], 1);
    if (!this->alone) {
      if (place < Sizes::FAR) {
        shared.far[place] = v;
        return;
      }
      place = atomicAdd(&s.counts->far[side % 3], 1);
    }
    if (place < s.capacity) s.far(side)[place] = v;
    else shared.lost = 1;
  }
  __device__ void improve(int v, Key d) {
    atomicMin(distance + v, d);
    if (d < high) near(v);
    else far(v, d);
  }
  __device__ void defer(Key) {}
  __device__ unsigned long long beyond() const {
    return nearest < Path<W>::infinity ? ~static_cast<unsigned long long>(nearest) : 0;
  }
};

// Vertex v of the frontier relaxes its arcs if it still waits; -1 for a lane without one. True the first time.
template <class W, class Offset, class Sizes, class Alone>
__device__ bool take(Push<W, Offset, Sizes, Alone>& push, int v) {
  using Key = typename Path<W>::Key;
  const auto& s = push.s;
  Key d = 0, before = 0;
  Offset begin = 0, end = 0;
  const int base = s.base(v);
  if (v >= 0) {
    d = __ldcg(s.distance + v);
    before = __ldcg(s.relaxed_at + v);
    begin = s.out.indptr[v - base];
    end = s.out.indptr[v - base + 1];
  }
  const bool waits = d < before;
  if (waits) store_racing(s.relaxed_at + v, d);
  expand<Sizes::NEAR_LEAD, Sizes::NEAR_AHEAD>(
      s.out, base, begin, waits ? end : begin, d, static_cast<Key>(0), Path<W>::infinity, push.shared.stash, push);
  return waits && before == Path<W>::infinity;
}

// Moves a vertex to the frontier or to the far pile if it waits.
template <class W, class Offset, class Sizes, class Alone>
__device__ void classify(Push<W, Offset, Sizes, Alone>& push, int v) {
  const auto d = __ldcg(push.s.distance + v);
  if (d >= __ldcg(push.s.relaxed_at + v)) return;
  if (d < push.high) push.near(v);
  else push.far(v, d);
}

// The block appends its buffers to the frontier and the far pile in global memory.
template <class W, class Offset, class Sizes, class Alone>
__device__ void flush(Push<W, Offset, Sizes, Alone>& push) {
  const auto& s = push.s;
  auto& shared = push.shared;
  __syncthreads();
  const int nears = min(shared.near_count[(push.round + 1) % 3], Sizes::NEAR);
  const int fars = push.alone ? 0 : min(shared.far_count[0], Sizes::FAR);
  if (threadIdx.x == 0) {
    shared.base[0] = nears ? atomicAdd(&s.counts->near[(shared.progress.turn + 1) % 3], nears) : 0;
    shared.base[1] = fars ? atomicAdd(&s.counts->far[push.side % 3], fars) : 0;
  }
  __syncthreads();
  const int near_base = shared.base[0], far_base = shared.base[1];
  if (threadIdx.x == 0 && (near_base + nears > s.capacity || far_base + fars > s.capacity)) shared.lost = 1;
  for (int i = threadIdx.x; i < nears; i += blockDim.x)
    if (near_base + i < s.capacity)
      s.near(shared.progress.turn + 1)[near_base + i] = shared.near[(push.round + 1) & 1][i];
  for (int i = threadIdx.x; i < fars; i += blockDim.x)
    if (far_base + i < s.capacity) s.far(push.side)[far_base + i] = shared.far[i];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) shared.near_count[i] = 0;
    shared.far_count[0] = 0;
  }
  __syncthreads();
}

// Opens the next bucket. The step grows if the device was idle, and shrinks if vertices were taken many times.
template <class Sizes, class W>
__device__ void advance(Progress<W>& at, bool fixed) {
  if (!fixed && at.rounds > 0) {
    const long long taken = at.popped, once = at.first;
    const bool idle = taken < static_cast<long long>(Sizes::IDLE) * Sizes::LOCAL * at.rounds;
    if (idle && taken < 3 * once) at.step = Path<W>::wider(at.step);
    else if (!idle && taken > 4 * once) at.step = Path<W>::narrower(at.step);
  }
  at.popped = at.rounds = at.first = 0;
  at.high = next_bound<W>(at.high, at.step, at.beyond ? static_cast<typename Path<W>::Key>(~at.beyond) : 0);
  at.beyond = 0;
}

// Adds what a turn counted.
template <class W>
__device__ void add_counts(Progress<W>& at, const Tally& counted, Counts<W>* counts, bool first_block) {
  at.first += static_cast<int>(counted.settled);
  at.lost |= counted.changed;
  if (counted.beyond > at.beyond) at.beyond = counted.beyond;
  if (first_block) counts->relaxed += counted.relaxed;
}

// The frontier is empty: thread 0 opens the next bucket, or stops the block if it cannot go on alone.
template <class W, class Offset, class Sizes, class Alone>
__device__ void open_bucket(Push<W, Offset, Sizes, Alone>& push, unsigned first, bool fixed) {
  auto& shared = push.shared;
  auto& at = shared.progress;
  if (threadIdx.x == 0) shared.sum = Tally{0, 0, 0, 0};
  collect(Tally{push.relaxed, first, push.beyond(), shared.lost}, shared.tally, &shared.sum);
  if (threadIdx.x == 0) {
    add_counts(at, shared.sum, push.s.counts, true);
    at.far = shared.far_count[push.side & 1];
    shared.stop = at.lost || at.far == 0 || at.far > Sizes::ALONE_FAR;
    if (!shared.stop) {
      advance<Sizes>(at, fixed);
      shared.far_count[~push.side & 1] = shared.near_count[(push.round + 2) % 3] = 0;
    }
  }
  __syncthreads();
  push.relaxed = 0;
  push.nearest = Path<W>::infinity;
  push.high = at.high;
}

template <class W, class Offset, class Sizes, class Alone>
__device__ void start_alone(Push<W, Offset, Sizes, Alone>& push) {
  const auto& s = push.s;
  auto& shared = push.shared;
  const auto& at = shared.progress;
  for (int i = threadIdx.x; i < at.near; i += blockDim.x) shared.near[0][i] = __ldcg(s.near(at.turn) + i);
  if (threadIdx.x == 0) {
    shared.far_count[at.side & 1] = min(load_fresh(&s.counts->far[at.side % 3]), s.capacity);
    s.counts->near[(at.turn + 2) % 3] = 0;
  }
  __syncthreads();
}

// Thread 0 of the block that ran alone writes the progress to global memory.
template <class W, class Offset, class Sizes, class Alone>
__device__ void end_alone(const Push<W, Offset, Sizes, Alone>& push) {
  const auto& s = push.s;
  auto& at = push.shared.progress;
  add_counts(at, push.shared.sum, s.counts, true);
  at.side = push.side;
  ++at.turn;
  at.near = min(load_fresh(&s.counts->near[at.turn % 3]), s.capacity);
  s.counts->far[at.side % 3] = at.far;
  s.counts->far[(at.side + 1) % 3] = 0;
  s.counts->progress = at;
  s.counts->rounds += push.round;
}

// Thread 0 of each block updates the progress after a turn of all blocks.
template <class W, class Offset, class Sizes>
__device__ void finish_turn(const Solver<W, Offset, Sizes>& s, Progress<W>& at, const Tally& seen) {
  if (at.near) {
    at.popped += at.near + static_cast<int>(seen.settled >> 32);
    ++at.rounds;
  } else {
    at.lost = 0;  // if it was set, all vertices were gathered
  }
  add_counts(at, seen, s.counts, leads());
  ++at.turn;
  at.near = min(load_fresh(&s.counts->near[at.turn % 3]), s.capacity);
  if (at.near == 0) at.far = min(load_fresh(&s.counts->far[at.side % 3]), s.capacity);
}

// Before a turn of all blocks: the next bucket if the frontier is empty, and room for what the turn finds.
template <class W, class Offset, class Sizes>
__device__ void start_turn(const Solver<W, Offset, Sizes>& s, Progress<W>& at, bool split, bool fixed) {
  __syncthreads();
  if (split && threadIdx.x == 0) {
    advance<Sizes>(at, fixed);
    ++at.side;
  }
  if (leads()) {
    s.counts->near[(at.turn + 2) % 3] = 0;
    if (split) s.counts->far[(at.side + 1) % 3] = 0;
  }
  __syncthreads();
}

// Whether a block stops after a round that found `near` vertices. One of many goes on with what it found, while that is
// little, for some rounds before it meets the others: they may improve its vertices meanwhile, which then wait again.
template <class Sizes>
__device__ __forceinline__ bool is_over(bool alone, bool split, int round, int near) {
  if (alone) return near > Sizes::NEAR;
  return split || round + 1 >= Sizes::LOCAL || near == 0 || near > Sizes::NEAR / 2;
}

// What a block takes in a round: its share of the first `count` vertices of the frontier, or of the far pile if that is
// split, or of all vertices if they are gathered again because a queue overflowed.
struct Round {
  int count;
  bool split;
};

template <class W, class Offset, class Sizes>
__device__ Round first_round(const Solver<W, Offset, Sizes>& s, Progress<W>& at, bool alone, bool fixed) {
  if (alone) return Round{at.near, false};
  const bool split = at.near == 0;
  start_turn(s, at, split, fixed);
  return Round{!split ? at.near : at.lost ? s.n : at.far, split};
}

// Returns how many of the vertices of this lane are taken for the first time.
template <class W, class Offset, class Sizes, class Alone>
__device__ __forceinline__ unsigned take_round(Push<W, Offset, Sizes, Alone>& push, const Round& now) {
  const auto& s = push.s;
  const auto& at = push.shared.progress;
  const bool inside = push.alone || push.round > 0;  // the frontier is in shared memory
  const int rank = inside ? threadIdx.x : blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = inside ? blockDim.x : gridDim.x * blockDim.x, lane = threadIdx.x & 31;
  const bool gather = at.lost;
  unsigned first = 0;
  if (now.split) {
    for (int i = rank; i < now.count; i += stride) classify(push, gather ? i : __ldcg(s.far(push.side - 1) + i));
    return 0;
  }
  const int* const near = push.shared.near[push.round & 1];
  for (int i = rank - lane; i < now.count; i += stride) {
    const int place = i + lane;
    first += take(push, place >= now.count ? -1 : inside ? near[place] : __ldcg(s.near(at.turn) + place));
  }
  return first;
}

// A turn of all blocks, or of one that goes on alone until the frontier or the far pile is too large for it, or nothing
// waits. The tally `now` is that of the grid.
template <class W, class Offset, class Sizes, class Alone>
__device__ __noinline__ void take_turn(Alone how, bool fixed, Tally* now) {
  auto& shared = shared_of_block<W, Offset, Sizes>();
  auto& at = shared.progress;
  const auto& s = shared.solver;
  if (threadIdx.x == 0) shared.lost = shared.later = 0;
  Round round = first_round(s, at, how.alone, fixed);
  Push<W, Offset, Sizes, Alone> push{how, s, shared, s.distance, at.high, 0, at.side, 0, 0, Path<W>::infinity};
  unsigned first = 0;  // vertices taken for the first time
  if (how.alone) start_alone(push);
  for (;; ++push.round) {
    if (how.alone && round.count == 0) {
      open_bucket(push, first, fixed);
      first = 0;
      if (shared.stop) break;
      round = Round{at.far, true};
      ++push.side;
    }
    if (threadIdx.x == 0) {
      if (push.round > 0 || how.alone) shared.near_count[(push.round + 2) % 3] = 0;
      if (push.round > 0 && !how.alone) shared.later += round.count;
      if (how.alone && !round.split) {
        at.popped += round.count;
        ++at.rounds;
      }
    }
    first += take_round(push, round);
    if (__syncthreads_or(push.stashed)) expand_stash(s.out, Path<W>::infinity, shared.stash, push);
    push.stashed = 0;
    const int near = shared.near_count[(push.round + 1) % 3];
    if (is_over<Sizes>(how.alone, round.split, push.round, near)) break;
    round = Round{near, false};
  }
  if (how.alone && threadIdx.x == 0) {
    shared.sum = Tally{0, 0, 0, 0};
    at.far = min(shared.far_count[push.side & 1], s.capacity);
  }
  flush(push);
  const unsigned long long later = threadIdx.x == 0 ? shared.later : 0;
  collect(Tally{push.relaxed, first + (later << 32), push.beyond(), shared.lost}, shared.tally,
          how.alone ? &shared.sum : now);
  if (!how.alone) grid_sync(s.barrier);
  if (threadIdx.x == 0) {
    if (how.alone) end_alone(push);
    else finish_turn(s, at, read(now));
  }
  __syncthreads();
}

// Settles every vertex that waits; none of them is nearer than `bound`. Each block keeps a copy of the progress.
template <class W, class Offset, class Sizes>
__device__ void near_far(
    const Solver<W, Offset, Sizes>& s, typename Path<W>::Key bound, W step, bool fixed, int* turn) {
  auto& at = shared_of_block<W, Offset, Sizes>().progress;
  if (threadIdx.x == 0) at = Progress<W>{bound, step, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  __syncthreads();
  while (at.near || at.far || at.lost) {
    const bool small = at.near ? at.near <= Sizes::ALONE_NEAR : !at.lost && at.far <= Sizes::ALONE_FAR;
    if (small) grid_sync(s.barrier);  // block 0 changes counts that all blocks have just read
    Tally* now = small ? nullptr : next_tally(s.turns, turn);
    if constexpr (Sizes::ONE_FORM) {
      if (!small || blockIdx.x == 0) take_turn<W, Offset, Sizes>(Asked{small}, fixed, now);
    } else if (!small) {
      take_turn<W, Offset, Sizes>(Known<false>{}, fixed, now);
    } else if (blockIdx.x == 0) {
      take_turn<W, Offset, Sizes>(Known<true>{}, fixed, now);
    }
    if (!small) continue;
    grid_sync(s.barrier);
    if (threadIdx.x == 0) at = load_progress(s.counts);
    __syncthreads();
  }
}
