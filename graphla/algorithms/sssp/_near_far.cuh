// Near and far. The frontier holds the vertices nearer than `high` whose arcs wait to be relaxed; the
// others wait in the far pile. When the frontier is empty `high` rises by a step and the pile is split.
// A vertex waits exactly if distance < relaxed_at: the queues are hints, so a vertex may stand in them
// twice, and if one overflows the pile is gathered anew from all vertices.
// A small frontier is settled by one block in shared memory with no barrier of the grid, a larger one
// by all blocks; a thread owns a vertex, a warp or a block a long row.
#pragma once
#include "_state.cuh"

// Where an improved vertex goes. A block alone counts in shared memory; a block of many stages what it
// has and writes it out at the end of the turn.
template <typename W, typename Offset, bool ALONE>
struct Push {
  using Key = typename Path<W>::Key;
  const Solver<W, Offset>& s;
  Room<W>& room;
  Key* distance;
  Key high;
  int round, turn, side, lost;
  unsigned long long relaxed, beyond;

  __device__ void near(int v) {
    const int place = atomicAdd(&room.near_count[(round + 1) % 3], 1);
    if (place < NEAR) {
      room.near[(round + 1) & 1][place] = v;
    } else {
      const int spilled = atomicAdd(&s.counts->near[(turn + 1) % 3], 1);
      if (spilled < s.capacity) s.near(turn + 1)[spilled] = v;
      else lost = 1;
    }
  }
  __device__ void far(int v, Key d) {
    const unsigned long long nearness = ~static_cast<unsigned long long>(d);
    if (nearness > beyond) beyond = nearness;
    int place = atomicAdd(&room.far_count[ALONE ? side & 1 : 0], 1);
    if (!ALONE && place < FAR) {
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
};

// Vertex v of the frontier, if it still waits, relaxes its arcs; -1 joins in only. True the first time.
template <typename W, typename Offset, bool ALONE>
__device__ bool take(Push<W, Offset, ALONE>& push, int v) {
  using Key = typename Path<W>::Key;
  const auto& s = push.s;
  Key d = 0, before = 0;
  if (v >= 0) d = fresh(s.distance + v), before = fresh(s.relaxed_at + v);
  const bool waits = d < before;
  if (waits) s.relaxed_at[v] = d;
  expand(s.out, waits ? v : -1, d, Key(0), Path<W>::infinity, push.room.stash, push);
  return waits && before == Path<W>::infinity;
}

// A vertex goes to the frontier or to the pile, or nowhere if it does not wait.
template <typename W, typename Offset, bool ALONE>
__device__ void sort_out(Push<W, Offset, ALONE>& push, int v) {
  const auto d = fresh(push.s.distance + v);
  if (d >= fresh(push.s.relaxed_at + v)) return;
  if (d < push.high) push.near(v);
  else push.far(v, d);
}

// The block writes its frontier, and its pile if it staged one, to where the grid finds them.
template <typename W, typename Offset, bool ALONE>
__device__ void flush(Push<W, Offset, ALONE>& push) {
  const auto& s = push.s;
  auto& room = push.room;
  __syncthreads();
  const int nears = min(room.near_count[(push.round + 1) % 3], NEAR);
  const int fars = ALONE ? 0 : min(room.far_count[0], FAR);
  if (threadIdx.x == 0) {
    room.base[0] = nears ? atomicAdd(&s.counts->near[(push.turn + 1) % 3], nears) : 0;
    room.base[1] = fars ? atomicAdd(&s.counts->far[push.side % 3], fars) : 0;
  }
  __syncthreads();
  const int near_base = room.base[0], far_base = room.base[1];
  push.lost |= near_base + nears > s.capacity || far_base + fars > s.capacity;
  for (int i = threadIdx.x; i < nears; i += blockDim.x)
    if (near_base + i < s.capacity)
      s.near(push.turn + 1)[near_base + i] = room.near[(push.round + 1) & 1][i];
  for (int i = threadIdx.x; i < fars; i += blockDim.x)
    if (far_base + i < s.capacity) s.far(push.side)[far_base + i] = room.far[i];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 3; ++i) room.near_count[i] = 0;
    room.far_count[0] = 0;
  }
  __syncthreads();
}

// The next bucket. A step that leaves the device idle grows, one that takes vertices often shrinks.
template <typename W>
__device__ void advance(Standing<W>& at, bool fixed) {
  if (!fixed && at.rounds > 0) {
    const long long taken = at.popped, once = at.first;
    const bool idle = taken < 384ll * at.rounds ? taken < 3 * once : taken < 4096ll * at.rounds && 2 * taken < 3 * once;
    if (idle) at.step = Path<W>::wider(at.step);
    else if (taken > 4096ll * at.rounds && taken > 3 * once) at.step = Path<W>::narrower(at.step);
  }
  at.popped = at.rounds = at.first = 0;
  at.high = next_bound<W>(at.high, at.step, at.beyond ? static_cast<typename Path<W>::Key>(~at.beyond) : 0);
  at.beyond = 0;
}

// What the threads of the block have counted in `push` goes to `at` of each of them.
template <typename W, typename Offset>
__device__ void agree(Push<W, Offset, true>& push, Standing<W>& at, unsigned long long first) {
  auto& sum = push.room.sum;
  if (threadIdx.x == 0) sum = Tally{0, 0, 0, 0};
  collect(Tally{push.relaxed, first, push.beyond, push.lost}, push.room.tally, &sum);
  __syncthreads();
  at.first += static_cast<int>(sum.settled);
  at.lost |= sum.changed;
  if (sum.beyond > at.beyond) at.beyond = sum.beyond;
  if (threadIdx.x == 0) push.s.counts->relaxed += sum.relaxed;
  push.relaxed = push.beyond = 0;
  __syncthreads();
}

// One block goes on by itself until the frontier or the pile outgrows it, or all is done.
template <typename W, typename Offset>
__device__ __noinline__ void alone(const Solver<W, Offset>& s, Room<W>& room, Standing<W> at, bool fixed) {
  Push<W, Offset, true> push{s, room, s.distance, at.high, 0, at.turn, at.side, 0, 0, 0};
  for (int i = threadIdx.x; i < at.near; i += blockDim.x) room.near[0][i] = fresh(s.near(at.turn) + i);
  if (threadIdx.x == 0) {
    room.far_count[at.side & 1] = min(fresh(&s.counts->far[at.side % 3]), s.capacity);
    s.counts->near[(at.turn + 2) % 3] = 0;
  }
  __syncthreads();
  unsigned long long first = 0;
  const int lane = threadIdx.x & 31;
  for (;; ++push.round) {
    if (at.near == 0) {
      agree(push, at, first);
      first = 0;
      at.far = room.far_count[push.side & 1];
      if (at.lost || at.far == 0 || at.far > ALONE_FAR) break;
      advance(at, fixed);
      push.high = at.high, ++push.side;
      if (threadIdx.x == 0) room.far_count[push.side & 1] = room.near_count[(push.round + 2) % 3] = 0;
      __syncthreads();
      for (int i = threadIdx.x; i < at.far; i += blockDim.x)
        sort_out(push, fresh(s.far(push.side - 1) + i));
    } else {
      if (threadIdx.x == 0) room.near_count[(push.round + 2) % 3] = 0;
      for (int i = threadIdx.x - lane; i < at.near; i += blockDim.x)
        first += take(push, i + lane < at.near ? room.near[push.round & 1][i + lane] : -1);
      at.popped += at.near, ++at.rounds;
    }
    __syncthreads();
    if (room.stash.count) expand_stash(s.out, Path<W>::infinity, room.stash, push);
    at.near = room.near_count[(push.round + 1) % 3];
    if (at.near > NEAR) break;
  }
  if (at.near) agree(push, at, first);
  at.far = min(room.far_count[push.side & 1], s.capacity);
  flush(push);
  if (threadIdx.x == 0) {
    at.side = push.side, ++at.turn;
    at.near = min(fresh(&s.counts->near[at.turn % 3]), s.capacity);
    s.counts->far[at.side % 3] = at.far, s.counts->far[(at.side + 1) % 3] = 0;
    s.counts->standing = at;
  }
}

// All blocks take the frontier, or split the pile, or gather it anew from all vertices.
template <typename W, typename Offset>
__device__ __noinline__ void together(const Solver<W, Offset>& s, Room<W>& room, Standing<W>& at, bool fixed, int* turn) {
  Tally* now = next_tally(s.turns, turn);
  const bool split = at.near == 0, gather = split && at.lost;
  if (split) advance(at, fixed), ++at.side;
  if (leads()) {
    s.counts->near[(at.turn + 2) % 3] = 0;
    if (split) s.counts->far[(at.side + 1) % 3] = 0;
  }
  Push<W, Offset, false> push{s, room, s.distance, at.high, 0, at.turn, at.side, 0, 0, 0};
  unsigned long long first = 0;
  const int lane = threadIdx.x & 31, rank = blockIdx.x * blockDim.x + threadIdx.x;
  const int size = gridDim.x * blockDim.x, count = gather ? s.n : split ? at.far : at.near;
  if (split) {
    for (int i = rank; i < count; i += size)
      sort_out(push, gather ? i : fresh(s.far(at.side - 1) + i));
  } else {
    for (int i = rank - lane; i < count; i += size)
      first += take(push, i + lane < count ? fresh(s.near(at.turn) + i + lane) : -1);
    expand_stash(s.out, Path<W>::infinity, room.stash, push);
    at.popped += count, ++at.rounds;
  }
  flush(push);
  collect(Tally{push.relaxed, first, push.beyond, push.lost}, room.tally, now);
  grid_sync(s.barrier);
  const Tally seen = read(now);
  if (leads()) s.counts->relaxed += seen.relaxed;
  if (seen.beyond > at.beyond) at.beyond = seen.beyond;
  at.first += static_cast<int>(seen.settled);
  at.lost = (gather ? 0 : at.lost) | seen.changed, ++at.turn;
  at.near = min(fresh(&s.counts->near[at.turn % 3]), s.capacity);
  if (at.near == 0) at.far = min(fresh(&s.counts->far[at.side % 3]), s.capacity);
}

// Settles every vertex that waits; none of them is nearer than `bound`.
template <typename W, typename Offset>
__device__ void near_far(const Solver<W, Offset>& s, Room<W>& room, typename Path<W>::Key bound, W step,
                         bool fixed, int* turn) {
  Standing<W> at{bound, step, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  while (at.near || at.far || at.lost) {
    const bool small = at.near ? at.near <= ALONE_NEAR : !at.lost && at.far <= ALONE_FAR;
    if (!small) {
      together(s, room, at, fixed, turn);
      continue;
    }
    grid_sync(s.barrier);  // block 0 counts on where all blocks have just read
    if (blockIdx.x == 0) alone(s, room, at, fixed);
    grid_sync(s.barrier);
    const auto& there = s.counts->standing;
    at = Standing<W>{fresh(&there.high),   fresh(&there.step),  fresh(&there.turn),  fresh(&there.side),
                     fresh(&there.near),   fresh(&there.far),   fresh(&there.lost),  fresh(&there.popped),
                     fresh(&there.rounds), fresh(&there.first), fresh(&there.beyond)};
  }
}
