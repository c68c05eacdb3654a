// Near and far. The frontier holds the vertices nearer than `high` whose arcs wait to be relaxed; the
// others wait in the far pile. When the frontier is empty `high` rises by a step and the pile is split.
// A vertex waits exactly if distance < relaxed_at: the queues are hints, so a vertex may stand in them
// twice, and if one overflows the pile is gathered anew from all vertices.
// A small frontier is settled by one block in shared memory with no barrier of the grid, a larger one
// by all blocks; a thread owns a vertex, a warp or a block a long row.
#pragma once

#include "_common.cuh"
#include "_rows.cuh"
#include "_state.cuh"
#include "headers/primitives.cuh"

// Where an improved vertex goes. A block alone counts in shared memory; a block of many stages what it
// has and writes it out at the end of the turn.
template <typename W, typename Offset, typename Sizes, bool ALONE>
struct Push {
  using Key = typename Path<W>::Key;
  const Solver<W, Offset, Sizes>& s;
  Room<W, Offset, Sizes>& room;
  Key* distance;
  Key high;
  int round, turn, side, lost, stashed;
  unsigned relaxed;
  Key nearest;  // of the vertices put off

  __device__ void near(int v) {
    const int place = atomicAdd(&room.near_count[(round + 1) % 3], 1);
    if (place < Sizes::NEAR) {
      room.near[(round + 1) & 1][place] = v;
    } else {
      const int spilled = atomicAdd(&s.counts->near[(turn + 1) % 3], 1);
      if (spilled < s.capacity) s.near(turn + 1)[spilled] = v;
      else lost = 1;
    }
  }
  __device__ void far(int v, Key d) {
    if (d < nearest) nearest = d;
    int place = atomicAdd(&room.far_count[ALONE ? side & 1 : 0], 1);
    if (!ALONE && place < Sizes::FAR) {
      room.far[place] = v;
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
  __device__ void put_off(Key) {}
  __device__ unsigned long long beyond() const {
    return nearest < Path<W>::infinity ? ~static_cast<unsigned long long>(nearest) : 0;
  }
};

// Vertex v of the frontier, if it still waits, relaxes its arcs; -1 joins in only. True the first time.
template <typename W, typename Offset, typename Sizes, bool ALONE>
__device__ bool take(Push<W, Offset, Sizes, ALONE>& push, int v) {
  using Key = typename Path<W>::Key;
  const auto& s = push.s;
  Key d = 0, before = 0;
  Offset begin = 0, end = 0;
  const int base = s.base(v);
  if (v >= 0) {
    d = __ldcg(s.distance + v);
    before = __ldcg(s.relaxed_at + v);
    begin = s.out.start[v - base];
    end = s.out.start[v - base + 1];
  }
  const bool waits = d < before;
  if (waits) store_racing(s.relaxed_at + v, d);
  expand<Sizes::NEAR_LEAD, Sizes::NEAR_AHEAD>(
      s.out, base, begin, waits ? end : begin, d, static_cast<Key>(0), Path<W>::infinity, push.room.stash, push);
  return waits && before == Path<W>::infinity;
}

// A vertex goes to the frontier or to the pile, or nowhere if it does not wait.
template <typename W, typename Offset, typename Sizes, bool ALONE>
__device__ void sort_out(Push<W, Offset, Sizes, ALONE>& push, int v) {
  const auto d = __ldcg(push.s.distance + v);
  if (d >= __ldcg(push.s.relaxed_at + v)) return;
  if (d < push.high) push.near(v);
  else push.far(v, d);
}

// The block writes its frontier, and its pile if it staged one, to where the grid finds them.
template <typename W, typename Offset, typename Sizes, bool ALONE>
__device__ void flush(Push<W, Offset, Sizes, ALONE>& push) {
  const auto& s = push.s;
  auto& room = push.room;
  __syncthreads();
  const int nears = min(room.near_count[(push.round + 1) % 3], Sizes::NEAR);
  const int fars = ALONE ? 0 : min(room.far_count[0], Sizes::FAR);
  if (threadIdx.x == 0) {
    room.base[0] = nears ? atomicAdd(&s.counts->near[(push.turn + 1) % 3], nears) : 0;
    room.base[1] = fars ? atomicAdd(&s.counts->far[push.side % 3], fars) : 0;
  }
  __syncthreads();
  const int near_base = room.base[0], far_base = room.base[1];
  push.lost |= near_base + nears > s.capacity || far_base + fars > s.capacity;
  for (int i = threadIdx.x; i < nears; i += blockDim.x)
    if (near_base + i < s.capacity) s.near(push.turn + 1)[near_base + i] = room.near[(push.round + 1) & 1][i];
  for (int i = threadIdx.x; i < fars; i += blockDim.x)
    if (far_base + i < s.capacity) s.far(push.side)[far_base + i] = room.far[i];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) room.near_count[i] = 0;
    room.far_count[0] = 0;
  }
  __syncthreads();
}

// The next bucket. A step that leaves the device idle grows, one that takes vertices often shrinks.
template <typename Sizes, typename W>
__device__ void advance(Standing<W>& at, bool fixed) {
  if (!fixed && at.rounds > 0) {
    const long long taken = at.popped, once = at.first;
    const bool idle = taken < static_cast<long long>(Sizes::IDLE) * at.rounds;
    if (idle && taken < 3 * once) at.step = Path<W>::wider(at.step);
    else if (!idle && taken > 4 * once) at.step = Path<W>::narrower(at.step);
  }
  at.popped = at.rounds = at.first = 0;
  at.high = next_bound<W>(at.high, at.step, at.beyond ? static_cast<typename Path<W>::Key>(~at.beyond) : 0);
  at.beyond = 0;
}

// What a turn has counted.
template <typename W>
__device__ void take_in(Standing<W>& at, const Tally& counted, Counts<W>* counts, bool first_block) {
  at.first += static_cast<int>(counted.settled);
  at.lost |= counted.changed;
  if (counted.beyond > at.beyond) at.beyond = counted.beyond;
  if (first_block) counts->relaxed += counted.relaxed;
}

// The frontier is done: thread 0 opens the next bucket, or says that this block cannot go on alone.
template <typename W, typename Offset, typename Sizes>
__device__ void open_bucket(Push<W, Offset, Sizes, true>& push, unsigned first, bool fixed) {
  auto& room = push.room;
  auto& at = room.standing;
  if (threadIdx.x == 0) room.sum = Tally{0, 0, 0, 0};
  collect(Tally{push.relaxed, first, push.beyond(), push.lost}, room.tally, &room.sum);
  if (threadIdx.x == 0) {
    take_in(at, room.sum, push.s.counts, true);
    at.far = room.far_count[push.side & 1];
    room.stop = at.lost || at.far == 0 || at.far > Sizes::ALONE_FAR;
    if (!room.stop) {
      advance<Sizes>(at, fixed);
      room.far_count[~push.side & 1] = room.near_count[(push.round + 2) % 3] = 0;
    }
  }
  __syncthreads();
  push.relaxed = 0;
  push.nearest = Path<W>::infinity;
  push.high = at.high;
}

template <typename W, typename Offset, typename Sizes>
__device__ void start_alone(Push<W, Offset, Sizes, true>& push) {
  const auto& s = push.s;
  auto& room = push.room;
  const auto& at = room.standing;
  for (int i = threadIdx.x; i < at.near; i += blockDim.x) room.near[0][i] = __ldcg(s.near(at.turn) + i);
  if (threadIdx.x == 0) {
    room.far_count[at.side & 1] = min(load_fresh(&s.counts->far[at.side % 3]), s.capacity);
    s.counts->near[(at.turn + 2) % 3] = 0;
  }
  __syncthreads();
}

// The grid finds the frontier, the pile and the standing in global memory.
template <typename W, typename Offset, typename Sizes>
__device__ void end_alone(Push<W, Offset, Sizes, true>& push, unsigned first) {
  const auto& s = push.s;
  auto& room = push.room;
  auto& at = room.standing;
  if (threadIdx.x == 0) room.sum = Tally{0, 0, 0, 0};
  collect(Tally{push.relaxed, first, push.beyond(), push.lost}, room.tally, &room.sum);
  if (threadIdx.x == 0) at.far = min(room.far_count[push.side & 1], s.capacity);
  flush(push);
  if (threadIdx.x == 0) {
    take_in(at, room.sum, s.counts, true);
    at.side = push.side;
    ++at.turn;
    at.near = min(load_fresh(&s.counts->near[at.turn % 3]), s.capacity);
    s.counts->far[at.side % 3] = at.far;
    s.counts->far[(at.side + 1) % 3] = 0;
    s.counts->standing = at;
    s.counts->rounds += push.round;
  }
}

// One block goes on by itself until the frontier or the pile outgrows it, or all is done.
template <typename W, typename Offset, typename Sizes>
__device__ __noinline__ void alone(bool fixed) {
  auto& room = room_of_block<W, Offset, Sizes>();
  const auto& at = room.standing;
  const auto& s = room.solver;
  Push<W, Offset, Sizes, true> push{s, room, s.distance, at.high, 0, at.turn, at.side, 0, 0, 0, Path<W>::infinity};
  const int lane = threadIdx.x & 31;
  int near = at.near;
  unsigned first = 0;
  start_alone(push);
  for (;; ++push.round) {
    if (near == 0) {
      open_bucket(push, first, fixed);
      first = 0;
      if (room.stop) break;
      const int far = room.standing.far;
      ++push.side;
      for (int i = threadIdx.x; i < far; i += blockDim.x) sort_out(push, __ldcg(s.far(push.side - 1) + i));
    } else {
      if (threadIdx.x == 0) {
        room.near_count[(push.round + 2) % 3] = 0;
        room.standing.popped += near;
        ++room.standing.rounds;
      }
      for (int i = threadIdx.x - lane; i < near; i += blockDim.x)
        first += take(push, i + lane < near ? room.near[push.round & 1][i + lane] : -1);
    }
    if (__syncthreads_or(push.stashed)) expand_stash(s.out, Path<W>::infinity, room.stash, push);
    push.stashed = 0;
    near = room.near_count[(push.round + 1) % 3];
    if (near > Sizes::NEAR) break;
  }
  end_alone(push, first);
}

// What a turn of all blocks has left, for the next; by thread 0 of each block.
template <typename W, typename Offset, typename Sizes>
__device__ void go_on(const Solver<W, Offset, Sizes>& s, Standing<W>& at, const Tally& seen, int taken, bool gathered) {
  if (taken) {
    at.popped += taken;
    ++at.rounds;
  }
  if (gathered) at.lost = 0;
  take_in(at, seen, s.counts, leads());
  ++at.turn;
  at.near = min(load_fresh(&s.counts->near[at.turn % 3]), s.capacity);
  if (at.near == 0) at.far = min(load_fresh(&s.counts->far[at.side % 3]), s.capacity);
}

// All blocks take the frontier, or split the pile, or gather it anew from all vertices.
template <typename W, typename Offset, typename Sizes>
__device__ __noinline__ void together(bool fixed, Tally* now) {
  auto& room = room_of_block<W, Offset, Sizes>();
  auto& at = room.standing;
  const auto& s = room.solver;
  const bool split = at.near == 0, gather = split && at.lost;
  __syncthreads();
  if (split && threadIdx.x == 0) advance<Sizes>(at, fixed), ++at.side;
  if (leads()) {
    s.counts->near[(at.turn + 2) % 3] = 0;
    if (split) s.counts->far[(at.side + 1) % 3] = 0;
  }
  __syncthreads();
  Push<W, Offset, Sizes, false> push{s, room, s.distance, at.high, 0, at.turn, at.side, 0, 0, 0, Path<W>::infinity};
  unsigned first = 0;
  const int lane = threadIdx.x & 31, rank = blockIdx.x * blockDim.x + threadIdx.x;
  const int size = gridDim.x * blockDim.x, count = gather ? s.n : split ? at.far : at.near;
  if (split) {
    for (int i = rank; i < count; i += size) sort_out(push, gather ? i : __ldcg(s.far(push.side - 1) + i));
  } else {
    for (int i = rank - lane; i < count; i += size)
      first += take(push, i + lane < count ? __ldcg(s.near(push.turn) + i + lane) : -1);
    expand_stash(s.out, Path<W>::infinity, room.stash, push);
  }
  flush(push);
  collect(Tally{push.relaxed, first, push.beyond(), push.lost}, room.tally, now);
  grid_sync(s.barrier);
  if (threadIdx.x == 0) go_on(s, at, read(now), split ? 0 : count, gather);
  __syncthreads();
}

// Settles every vertex that waits; none of them is nearer than `bound`. Each block keeps where all stand.
template <typename W, typename Offset, typename Sizes>
__device__ void near_far(
    const Solver<W, Offset, Sizes>& s, typename Path<W>::Key bound, W step, bool fixed, int* turn) {
  auto& at = room_of_block<W, Offset, Sizes>().standing;
  if (threadIdx.x == 0) at = Standing<W>{bound, step, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  __syncthreads();
  while (at.near || at.far || at.lost) {
    const bool small = at.near ? at.near <= Sizes::ALONE_NEAR : !at.lost && at.far <= Sizes::ALONE_FAR;
    if (!small) {
      together<W, Offset, Sizes>(fixed, next_tally(s.turns, turn));
      continue;
    }
    grid_sync(s.barrier);  // block 0 counts on where all blocks have just read
    if (blockIdx.x == 0) alone<W, Offset, Sizes>(fixed);
    grid_sync(s.barrier);
    if (threadIdx.x == 0) at = standing_of(s.counts);
    __syncthreads();
  }
}
