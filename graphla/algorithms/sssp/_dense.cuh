// The dense start. Vertices are swept in buckets of distance [low, high): each vertex nearer than
// `high` relaxes the arcs that end in the bucket, and the arcs beyond wait. Once the vertices not yet
// settled hold fewer arcs than settling them by relaxing would cost, each of them pulls:
//   d[v] = min over settled u of d[u] + w(u, v),
// and as its entering arcs come in the order of their weights it stops at the first that weighs more
// than the best it has. A thread owns a vertex, a warp or a block a long row of arcs.
#include "_state.cuh"

enum class Start { finished, pull, sparse };

template <typename W>
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
  __device__ __forceinline__ void put_off(Key far) {
    const unsigned long long nearness = ~static_cast<unsigned long long>(far);
    if (far < Path<W>::infinity && nearness > beyond) beyond = nearness;
  }
};

// Vertices nearer than `reach` relax their arcs into [low, high), or from 0 on if they have come nearer.
template <typename W, typename Offset>
__device__ __noinline__ void sweep(typename Path<W>::Key reach, typename Path<W>::Key low,
                                   typename Path<W>::Key high, bool advanced, Tally* total) {
  using Key = typename Path<W>::Key;
  auto& room = room_of_block<W, Offset>();
  const Solver<W, Offset> s = room.solver;
  Settle<W> relax{s.distance, 0, 0, 0, 0};
  unsigned long long settled = 0;
  const int lane = threadIdx.x & 31;
  for (int first = first_group(); first < s.n; first += next_group()) {
    const int v = first + lane;
    Key d = Path<W>::infinity, before = 0;
    Offset begin = 0, end = 0;
    const int base = s.base(v);
    if (v < s.n && (d = load_fresh(s.distance + v)) < reach) {
      before = s.relaxed_at[v];
      if (d < before || advanced) {
        begin = s.out.start[v - base], end = s.out.start[v - base + 1];
        s.relaxed_at[v] = d;
        if (before == Path<W>::infinity) settled += end - begin;
      }
    }
    expand<LEAD, AHEAD>(s.out, base, begin, end, d, d < before ? Key(0) : low, high, room.stash, relax);
  }
  expand_stash(s.out, high, room.stash, relax);
  collect(Tally{relax.relaxed, settled, relax.beyond, relax.changed}, room.tally, total);
}

// Sweeps until nothing is put off, or a pull is cheaper, or the sweeps settle too little to pay.
template <typename W, typename Offset>
__device__ Start dense_start(const Solver<W, Offset>& s, W step, int patience, typename Path<W>::Key* bound,
                             int* turn) {
  using Key = typename Path<W>::Key;
  Key low = 0, high = next_bound<W>(0, step, 0);
  unsigned long long settled = 0, gained = 0, relaxed = 0, beyond = 0;
  bool advanced = true;
  for (int idle = 0;; ++idle) {
    Tally* now = next_tally(s.turns, turn);
    sweep<W, Offset>(high, low, high, advanced, now);
    grid_sync(s.barrier);
    const Tally seen = read(now);
    if (leads()) s.counts->relaxed += seen.relaxed;
    gained += seen.settled, relaxed += seen.relaxed;
    if (seen.beyond > beyond) beyond = seen.beyond;
    advanced = false;
    if (seen.changed) continue;
    *bound = high;
    if (!beyond) return Start::finished;
    settled += gained;
    if (s.m - settled < settled && 2 * relaxed >= gained) return Start::pull;
    if (gained > static_cast<unsigned long long>(s.n) / 4) idle = 0;
    if (idle >= patience) return Start::sparse;
    low = high, high = next_bound<W>(high, step, static_cast<Key>(~beyond));
    gained = relaxed = beyond = 0, advanced = true;
  }
}

// Improves `best` by the arcs from, from + stride, ... AHEAD of them at once, where no vertex is nearer than
// `floor`; true if lighter arcs than would do are left.
template <typename W, typename Offset>
__device__ __forceinline__ bool take_best(const Solver<W, Offset>& s, int base, Offset from, Offset end, int stride,
                                          typename Path<W>::Key floor, typename Path<W>::Key& best) {
  using Key = typename Path<W>::Key;
  Key far[AHEAD];
  bool over = end - from <= static_cast<Offset>(AHEAD) * stride;
  for (int k = 0; k < AHEAD; ++k) {
    const Offset at = from + static_cast<Offset>(k) * stride;
    const W w = at < end ? s.in.weight[at] : W(0);
    const bool mine = at < end && Path<W>::plus(floor, w) < best;
    over |= !mine;
    const Key d = mine ? __ldcg(s.distance + base + s.in.target[at]) : Path<W>::infinity;
    far[k] = d < Path<W>::infinity ? Path<W>::plus(d, w) : d;
  }
  for (int k = 0; k < AHEAD; ++k) best = far[k] < best ? far[k] : best;
  return !over;
}

// Each vertex not nearer than `bound` takes the best of its entering arcs. A second pass (again) looks
// only at arcs light enough to come from such a vertex; whom it changes has arcs left to relax.
template <typename W, typename Offset>
__device__ __noinline__ void pull(typename Path<W>::Key bound, bool again, Tally* total) {
  using Key = typename Path<W>::Key;
  auto& room = room_of_block<W, Offset>();
  const Solver<W, Offset> s = room.solver;
  const Key floor = again ? bound : 0;
  const int lane = threadIdx.x & 31;
  int changed = 0;
  for (int first = first_group(); first < s.n; first += next_group()) {
    const int v = first + lane;
    const int base = s.base(v);
    Offset begin = 0, end = 0;
    Key d = 0, best = 0;
    if (v < s.n && (d = best = load_fresh(s.distance + v)) >= bound) begin = s.in.start[v - base], end = s.in.start[v - base + 1];
    Offset at = begin;
    bool more = begin < end;
    for (int lead = 0; lead < LEAD && more; lead += AHEAD, at += AHEAD)
      more = take_best(s, base, at, end, 1, floor, best);
    __syncwarp(WHOLE_WARP);
    for (unsigned votes = __ballot_sync(WHOLE_WARP, more); votes; votes &= votes - 1) {
      const int leader = __ffs(votes) - 1;
      Offset from = __shfl_sync(WHOLE_WARP, at, leader) + lane;
      const Offset to = __shfl_sync(WHOLE_WARP, end, leader);
      const int copy = __shfl_sync(WHOLE_WARP, base, leader);
      Key found = __shfl_sync(WHOLE_WARP, best, leader);
      while (take_best(s, copy, from, to, 32, floor, found)) from += static_cast<Offset>(AHEAD) * 32;
      found = warp_reduce(found, Least{});
      if (lane == leader) best = found;
    }
    if (best < d) s.distance[v] = best, changed = 1;
    else if (again && begin < end && d < Path<W>::infinity) s.relaxed_at[v] = d;
  }
  collect(Tally{0, 0, 0, changed}, room.tally, total);
}
