// The dense start. Vertices are swept in buckets of distance [low, high): each vertex nearer than `high` relaxes the
// arcs that end in the bucket and defers the others. Once the vertices that are not settled have fewer arcs than
// settling them by relaxation would cost, each of them pulls:
//
//   d[v] = min over settled u of d[u] + w(u, v)
//
// Entering arcs are sorted by weight, so a pull stops at the first arc that weighs more than the best distance so far.
// A thread owns a vertex, a warp or a block a long row of arcs.
#pragma once

#include "_common.cuh"
#include "_rows.cuh"
#include "_state.cuh"
#include "headers/primitives.cuh"

constexpr unsigned long long FEW_LEFT = 8;  // settled arcs per arc that is left, from which on the rest is pulled

template <class W>
struct Settle {
  using Key = typename Path<W>::Key;
  Key* distance;
  unsigned relaxed;
  int changed, stashed;
  unsigned long long beyond;
  __device__ __forceinline__ void improve(int v, Key far) {
    atomicMin(distance + v, far);
    changed = 1;
  }
  __device__ __forceinline__ void defer(Key far) {
    const unsigned long long nearness = ~static_cast<unsigned long long>(far);
    if (far < Path<W>::infinity && nearness > beyond) beyond = nearness;
  }
};

// What a lane knows of its vertices in some groups, whose loads are under way together.
template <class Key, int GROUPS>
struct Group {
  Key d[GROUPS], before[GROUPS];
  // The bits of the groups that have a vertex nearer than `reach` that waits, or any such one if the bucket is new.
  __device__ __forceinline__ unsigned look(
      const Key* distance, const Key* relaxed_at, unsigned v, unsigned n, unsigned stride, Key reach, bool advanced) {
    unsigned waiting = 0;
#pragma unroll
    for (int g = 0; g < GROUPS; ++g)
      d[g] = v + g * stride < n ? load_fresh(distance + v + g * stride) : ~static_cast<Key>(0);
#pragma unroll
    for (int g = 0; g < GROUPS; ++g) before[g] = d[g] < reach ? relaxed_at[v + g * stride] : 0;
#pragma unroll
    for (int g = 0; g < GROUPS; ++g)
      waiting |= static_cast<unsigned>(__any_sync(WHOLE_WARP, d[g] < before[g] || (advanced && d[g] < reach))) << g;
    return waiting;
  }
  // One of them, without an index into registers.
  __device__ __forceinline__ Key pick(const Key (&x)[GROUPS], int g) const {
    Key one = x[0];
#pragma unroll
    for (int e = 1; e < GROUPS; ++e) one = g == e ? x[e] : one;
    return one;
  }
};

// Vertices nearer than `reach` relax their arcs into [low, high), or into [0, high) if their distance fell.
template <class W, class Offset, class Sizes>
__device__ __noinline__ void sweep(
    typename Path<W>::Key reach, typename Path<W>::Key low, typename Path<W>::Key high, bool advanced, Tally* total) {
  using Key = typename Path<W>::Key;
  auto& shared = shared_of_block<W, Offset, Sizes>();
  const auto& s = shared.solver;
  const Arcs<W, Offset> out = s.out;
  Settle<W> relax{s.distance, 0, 0, 0, 0};
  unsigned long long settled = 0;
  const unsigned lane = threadIdx.x & 31, n = static_cast<unsigned>(s.n), stride = next_group();
  for (unsigned first = first_group(); first < n; first += Sizes::GROUPS * stride) {
    Group<Key, Sizes::GROUPS> groups;
    for (unsigned waiting = groups.look(s.distance, s.relaxed_at, first + lane, n, stride, reach, advanced); waiting;
         waiting &= waiting - 1) {
      const int g = __ffs(static_cast<int>(waiting)) - 1;
      const Key d = groups.pick(groups.d, g), before = groups.pick(groups.before, g);
      const int v = static_cast<int>(first + lane + g * stride), base = s.base(v);
      Offset begin = 0, end = 0;
      if (d < reach && (d < before || advanced)) {
        begin = out.indptr[v - base];
        end = out.indptr[v - base + 1];
        s.relaxed_at[v] = d;
        if (before == Path<W>::infinity) settled += end - begin;
      }
      expand<Sizes::LEAD, Sizes::AHEAD>(
          out, base, begin, end, d, d < before ? static_cast<Key>(0) : low, high, shared.stash, relax);
    }
  }
  expand_stash(out, high, shared.stash, relax);
  collect(Tally{relax.relaxed, settled, relax.beyond, relax.changed}, shared.tally, total);
}

// Whether to pull now. The vertices that are left must have fewer arcs than the settled ones. Besides, relaxing must
// cost half of what it settles, or few arcs must be left: more sweeps over all vertices then cost more than a pull.
template <class W>
__device__ bool pays_to_pull(const Buckets<W>& at, unsigned long long m) {
  const unsigned long long left = m - at.settled;
  return left < at.settled && (2 * at.relaxed >= at.gained || FEW_LEFT * left < at.settled);
}

// Chooses what follows a sweep that counted `seen`; opens the next bucket if that is another sweep.
template <class W>
__device__ Start choose_next(Buckets<W>& at, const Tally& seen, unsigned long long m, int n, W step, int patience) {
  using Key = typename Path<W>::Key;
  at.gained += seen.settled;
  at.relaxed += seen.relaxed;
  ++at.idle;
  if (seen.beyond > at.beyond) at.beyond = seen.beyond;
  at.advanced = false;
  if (seen.changed) return Start::sweep;
  if (!at.beyond) return Start::finished;
  at.settled += at.gained;
  if (pays_to_pull(at, m)) return Start::pull;
  if (at.gained > static_cast<unsigned long long>(n) / 4) at.idle = 0;
  if (at.idle >= patience) return Start::sparse;
  at.low = at.high;
  at.high = next_bound<W>(at.high, step, static_cast<Key>(~at.beyond));
  at.gained = at.relaxed = at.beyond = 0;
  at.advanced = true;
  return Start::sweep;
}

// Sweeps until no arc is deferred, or a pull is cheaper, or the sweeps settle too few vertices.
template <class W, class Offset, class Sizes>
__device__ Start dense_start(const Solver<W, Offset, Sizes>& s, W step, int patience, int* turn) {
  auto& at = shared_of_block<W, Offset, Sizes>().buckets;
  if (threadIdx.x == 0) at = Buckets<W>{0, next_bound<W>(0, step, 0), Start::sweep, -1, true, 0, 0, 0, 0};
  __syncthreads();
  while (at.then == Start::sweep) {
    Tally* now = next_tally(s.turns, turn);
    sweep<W, Offset, Sizes>(at.high, at.low, at.high, at.advanced, now);
    grid_sync(s.barrier);
    if (threadIdx.x == 0) {
      const Tally seen = read(now);
      if (leads()) s.counts->relaxed += seen.relaxed;
      at.then = choose_next(at, seen, s.m, s.n, step, patience);
    }
    __syncthreads();
  }
  return at.then;
}

// Improves `best` by AHEAD arcs: from, from + stride, ... No tail is nearer than `floor`; true if arcs are left that
// are light enough to improve `best`.
template <class W, class Offset, class Sizes>
__device__ __forceinline__ bool take_best(const Solver<W, Offset, Sizes>& s, int base, Offset from, Offset end,
                                          int stride, typename Path<W>::Key floor, typename Path<W>::Key& best) {
  using Key = typename Path<W>::Key;
  Key far[Sizes::AHEAD];
  bool over = end - from <= static_cast<Offset>(Sizes::AHEAD) * stride;
  for (int k = 0; k < Sizes::AHEAD; ++k) {
    const Offset at = from + static_cast<Offset>(k) * stride;
    const W w = at < end ? s.in.values[at] : static_cast<W>(0);
    const bool mine = at < end && Path<W>::plus(floor, w) < best;
    over |= !mine;
    const Key d = mine ? __ldcg(s.distance + base + s.in.indices[at]) : Path<W>::infinity;
    far[k] = d < Path<W>::infinity ? Path<W>::plus(d, w) : d;
  }
  for (int k = 0; k < Sizes::AHEAD; ++k) best = far[k] < best ? far[k] : best;
  return !over;
}

// Each vertex not nearer than `bound` takes the best of its entering arcs. A second pass (`again`) reads only arcs
// light enough to come from such a vertex; the vertices that it changes still have to relax their arcs.
template <class W, class Offset, class Sizes>
__device__ __noinline__ void pull(typename Path<W>::Key bound, bool again, Tally* total) {
  using Key = typename Path<W>::Key;
  auto& shared = shared_of_block<W, Offset, Sizes>();
  const Solver<W, Offset, Sizes> s = shared.solver;
  const Key floor = again ? bound : 0;
  const int lane = threadIdx.x & 31;
  int changed = 0;
  for (int first = first_group(); first < s.n; first += next_group()) {
    const int v = first + lane;
    const int base = s.base(v);
    Offset begin = 0, end = 0;
    Key d = 0, best = 0;
    if (v < s.n && (d = best = load_fresh(s.distance + v)) >= bound) {
      begin = s.in.indptr[v - base];
      end = s.in.indptr[v - base + 1];
    }
    Offset at = begin;
    bool more = begin < end;
    for (int lead = 0; lead < Sizes::LEAD && more; lead += Sizes::AHEAD, at += Sizes::AHEAD)
      more = take_best(s, base, at, end, 1, floor, best);
    __syncwarp(WHOLE_WARP);
    for (unsigned votes = __ballot_sync(WHOLE_WARP, more); votes; votes &= votes - 1) {
      const int leader = __ffs(votes) - 1;
      Offset from = __shfl_sync(WHOLE_WARP, at, leader) + lane;
      const Offset to = __shfl_sync(WHOLE_WARP, end, leader);
      const int copy = __shfl_sync(WHOLE_WARP, base, leader);
      Key found = __shfl_sync(WHOLE_WARP, best, leader);
      while (take_best(s, copy, from, to, 32, floor, found)) from += static_cast<Offset>(Sizes::AHEAD) * 32;
      found = warp_reduce(found, Least{});
      if (lane == leader) best = found;
    }
    if (best < d) {
      store_racing(s.distance + v, best);
      changed = 1;
    } else if (again && begin < end && d < Path<W>::infinity) s.relaxed_at[v] = d;
  }
  collect(Tally{0, 0, 0, changed}, shared.tally, total);
}
