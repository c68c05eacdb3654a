// Near and far. The frontier has the vertices nearer than `high` whose arcs wait to be relaxed; the others wait in the
// far pile. When the frontier is empty, `high` rises by a step and the pile is split. A vertex waits exactly if
// distance < relaxed_at: the queues are hints, so a vertex may be in them twice, and if a queue overflows, the pile is
// gathered again from all vertices.
//
// One block settles a small frontier in shared memory without grid barriers; all blocks settle a larger one. A thread
// owns a vertex, a warp or a block a long row.
#pragma once

#include "_common.cuh"
#include "_rows.cuh"
#include "_state.cuh"
#include "headers/primitives.cuh"

// Where an improved vertex goes. A block that runs alone counts in shared memory; one of many blocks buffers vertices
// and writes them out at the end of the turn.
template <class W, class Offset, class Sizes, bool ALONE>
struct Push {
  using Key = typename Path<W>::Key;
  const Solver<W, Offset, Sizes>& s;
  Shared<W, Offset, Sizes>& shared;
  Key* distance;
  Key high;
  int round, turn, side, lost, stashed;
  unsigned relaxed;
  Key nearest;  // of the deferred vertices

  __device__ void near(int v) {
    const int place = atomicAdd(&shared.near_count[(round + 1) % 3], 1);
    if (place < Sizes::NEAR) {
      shared.near[(round + 1) & 1][place] = v;
    } else {
      const int spilled = atomicAdd(&s.counts->near[(turn + 1) % 3], 1);
      if (spilled < s.capacity) s.near(turn + 1)[spilled] = v;
      else lost = 1;
    }
  }
  __device__ void far(int v, Key d) {
    if (d < nearest) nearest = d;
    int place = atomicAdd(&shared.far_count[ALONE ? side & 1 : 0], 1);
    if (!ALONE && place < Sizes::FAR) {
      shared.far[place] = v;
      return;
    }
    if (!ALONE) place = atomicAdd(&s.counts->far[side % 3], 1);
    if (place < s.capacity) s.far(side)[place] = v;
    else lost = 1;
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
template <class W, class Offset, class Sizes, bool ALONE>
__device__ bool take(Push<W, Offset, Sizes, ALONE>& push, int v) {
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
template <class W, class Offset, class Sizes, bool ALONE>
__device__ void classify(Push<W, Offset, Sizes, ALONE>& push, int v) {
  const auto d = __ldcg(push.s.distance + v);
  if (d >= __ldcg(push.s.relaxed_at + v)) return;
  if (d < push.high) push.near(v);
  else push.far(v, d);
}

// The block appends its buffers to the frontier and the far pile in global memory.
template <class W, class Offset, class Sizes, bool ALONE>
__device__ void flush(Push<W, Offset, Sizes, ALONE>& push) {
  const auto& s = push.s;
  auto& shared = push.shared;
  __syncthreads();
  const int nears = min(shared.near_count[(push.round + 1) % 3], Sizes::NEAR);
  const int fars = ALONE ? 0 : min(shared.far_count[0], Sizes::FAR);
  if (threadIdx.x == 0) {
    shared.base[0] = nears ? atomicAdd(&s.counts->near[(push.turn + 1) % 3], nears) : 0;
    shared.base[1] = fars ? atomicAdd(&s.counts->far[push.side % 3], fars) : 0;
  }
  __syncthreads();
  const int near_base = shared.base[0], far_base = shared.base[1];
  push.lost |= near_base + nears > s.capacity || far_base + fars > s.capacity;
  for (int i = threadIdx.x; i < nears; i += blockDim.x)
    if (near_base + i < s.capacity) s.near(push.turn + 1)[near_base + i] = shared.near[(push.round + 1) & 1][i];
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
template <class W, class Offset, class Sizes>
__device__ void open_bucket(Push<W, Offset, Sizes, true>& push, unsigned first, bool fixed) {
  auto& shared = push.shared;
  auto& at = shared.progress;
  if (threadIdx.x == 0) shared.sum = Tally{0, 0, 0, 0};
  collect(Tally{push.relaxed, first, push.beyond(), push.lost}, shared.tally, &shared.sum);
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

template <class W, class Offset, class Sizes>
__device__ void start_alone(Push<W, Offset, Sizes, true>& push) {
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

// Writes the frontier, the far pile and the progress to global memory.
template <class W, class Offset, class Sizes>
__device__ void end_alone(Push<W, Offset, Sizes, true>& push, unsigned first) {
  const auto& s = push.s;
  auto& shared = push.shared;
  auto& at = shared.progress;
  if (threadIdx.x == 0) shared.sum = Tally{0, 0, 0, 0};
  collect(Tally{push.relaxed, first, push.beyond(), push.lost}, shared.tally, &shared.sum);
  if (threadIdx.x == 0) at.far = min(shared.far_count[push.side & 1], s.capacity);
  flush(push);
  if (threadIdx.x == 0) {
    add_counts(at, shared.sum, s.counts, true);
    at.side = push.side;
    ++at.turn;
    at.near = min(load_fresh(&s.counts->near[at.turn % 3]), s.capacity);
    s.counts->far[at.side % 3] = at.far;
    s.counts->far[(at.side + 1) % 3] = 0;
    s.counts->progress = at;
    s.counts->rounds += push.round;
  }
}

// One block runs alone until the frontier or the far pile is too large for it, or nothing waits.
template <class W, class Offset, class Sizes>
__device__ __noinline__ void run_alone(bool fixed) {
  auto& shared = shared_of_block<W, Offset, Sizes>();
  const auto& at = shared.progress;
  const auto& s = shared.solver;
  Push<W, Offset, Sizes, true> push{s, shared, s.distance, at.high, 0, at.turn, at.side, 0, 0, 0, Path<W>::infinity};
  const int lane = threadIdx.x & 31;
  int near = at.near;
  unsigned first = 0;
  start_alone(push);
  for (;; ++push.round) {
    if (near == 0) {
      open_bucket(push, first, fixed);
      first = 0;
      if (shared.stop) break;
      const int far = shared.progress.far;
      ++push.side;
      for (int i = threadIdx.x; i < far; i += blockDim.x) classify(push, __ldcg(s.far(push.side - 1) + i));
    } else {
      if (threadIdx.x == 0) {
        shared.near_count[(push.round + 2) % 3] = 0;
        shared.progress.popped += near;
        ++shared.progress.rounds;
      }
      for (int i = threadIdx.x - lane; i < near; i += blockDim.x)
        first += take(push, i + lane < near ? shared.near[push.round & 1][i + lane] : -1);
    }
    if (__syncthreads_or(push.stashed)) expand_stash(s.out, Path<W>::infinity, shared.stash, push);
    push.stashed = 0;
    near = shared.near_count[(push.round + 1) % 3];
    if (near > Sizes::NEAR) break;
  }
  end_alone(push, first);
}

// The block goes on with the vertices that it found, while they are few, for some rounds before it meets the others.
// Other blocks may improve them meanwhile: then they wait again. Returns how many were taken, above 32 bits of those
// that were taken for the first time.
template <class W, class Offset, class Sizes>
__device__ unsigned long long go_on(Push<W, Offset, Sizes, false>& push) {
  auto& shared = push.shared;
  const int lane = threadIdx.x & 31;
  unsigned long long first = 0;
  for (int round = 1; round < Sizes::LOCAL; ++round) {
    const int near = shared.near_count[(push.round + 1) % 3];
    if (near == 0 || near > Sizes::NEAR / 2) break;
    ++push.round;
    if (threadIdx.x == 0) {
      shared.near_count[(push.round + 2) % 3] = 0;
      first += static_cast<unsigned long long>(near) << 32;
    }
    for (int i = threadIdx.x - lane; i < near; i += blockDim.x)
      first += take(push, i + lane < near ? shared.near[push.round & 1][i + lane] : -1);
    if (__syncthreads_or(push.stashed)) expand_stash(push.s.out, Path<W>::infinity, shared.stash, push);
    push.stashed = 0;
  }
  return first;
}

// Thread 0 of each block updates the progress after a turn of all blocks.
template <class W, class Offset, class Sizes>
__device__ void finish_turn(
    const Solver<W, Offset, Sizes>& s, Progress<W>& at, const Tally& seen, int taken, bool gathered) {
  if (taken) {
    at.popped += taken + static_cast<int>(seen.settled >> 32);
    ++at.rounds;
  }
  if (gathered) at.lost = 0;
  add_counts(at, seen, s.counts, leads());
  ++at.turn;
  at.near = min(load_fresh(&s.counts->near[at.turn % 3]), s.capacity);
  if (at.near == 0) at.far = min(load_fresh(&s.counts->far[at.side % 3]), s.capacity);
}

// All blocks relax the frontier, or split the far pile, or gather it again from all vertices.
template <class W, class Offset, class Sizes>
__device__ __noinline__ void turn_of_grid(bool fixed, Tally* now) {
  auto& shared = shared_of_block<W, Offset, Sizes>();
  auto& at = shared.progress;
  const auto& s = shared.solver;
  const bool split = at.near == 0, gather = split && at.lost;
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
  Push<W, Offset, Sizes, false> push{s, shared, s.distance, at.high, 0, at.turn, at.side, 0, 0, 0, Path<W>::infinity};
  unsigned long long first = 0;
  const int lane = threadIdx.x & 31, rank = blockIdx.x * blockDim.x + threadIdx.x;
  const int size = gridDim.x * blockDim.x, count = gather ? s.n : split ? at.far : at.near;
  if (split) {
    for (int i = rank; i < count; i += size) classify(push, gather ? i : __ldcg(s.far(push.side - 1) + i));
  } else {
    for (int i = rank - lane; i < count; i += size)
      first += take(push, i + lane < count ? __ldcg(s.near(push.turn) + i + lane) : -1);
    expand_stash(s.out, Path<W>::infinity, shared.stash, push);
    push.stashed = 0;
    first += go_on(push);
  }
  flush(push);
  collect(Tally{push.relaxed, first, push.beyond(), push.lost}, shared.tally, now);
  grid_sync(s.barrier);
  if (threadIdx.x == 0) finish_turn(s, at, read(now), split ? 0 : count, gather);
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
    if (!small) {
      turn_of_grid<W, Offset, Sizes>(fixed, next_tally(s.turns, turn));
      continue;
    }
    grid_sync(s.barrier);  // block 0 changes counts that all blocks have just read
    if (blockIdx.x == 0) run_alone<W, Offset, Sizes>(fixed);
    grid_sync(s.barrier);
    if (threadIdx.x == 0) at = load_progress(s.counts);
    __syncthreads();
  }
}
