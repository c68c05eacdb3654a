// Parents from distances: p[v] = some u with d[u] + w(u, v) = d[v].
//
// Entering arcs are sorted by weight, so those heavier than d[v] are never read. An arc from a nearer vertex cannot
// close a cycle; vertices that only arcs of weight zero reach wait until such an arc comes from a vertex that has its
// parent. A thread owns a vertex, a warp or a block the rest of a long row.
#pragma once

#include "_common.cuh"
#include "_rows.cuh"
#include "_state.cuh"
#include "headers/primitives.cuh"

// Tests AHEAD arcs: from, from + stride, ...; true if none of them leads to a parent and some are left. With `level`,
// arcs of weight zero from vertices that have their parent count.
template <class W, class Offset, class Sizes>
__device__ __forceinline__ bool find_parent(const Solver<W, Offset, Sizes>& s, const int* parent, int base, Offset from,
                                            Offset end, int stride, typename Path<W>::Key d, bool level, int& found) {
  using Key = typename Path<W>::Key;
  int u[Sizes::AHEAD];
  Key near[Sizes::AHEAD], far[Sizes::AHEAD];
  bool over = end - from <= static_cast<Offset>(Sizes::AHEAD) * stride;
  for (int k = 0; k < Sizes::AHEAD; ++k) {
    const Offset at = from + static_cast<Offset>(k) * stride;
    const W w = at < end ? s.in.values[at] : static_cast<W>(0);
    const bool mine = at < end && Path<W>::plus(0, w) <= d;
    over |= !mine;
    u[k] = mine ? s.in.indices[at] : -1;
    near[k] = mine ? s.distance[base + u[k]] : Path<W>::infinity;
    far[k] = near[k] <= d ? Path<W>::plus(near[k], w) : Path<W>::infinity;
  }
  for (int k = 0; k < Sizes::AHEAD; ++k)
    if (found < 0 && far[k] == d && (near[k] < d || (level && load_fresh(parent + base + u[k]) >= 0))) found = u[k];
  return !over && found < 0;
}

// The block searches the long rows in its stash; whether a vertex found a parent (level), or missed one (else).
template <class W, class Offset, class Sizes>
__device__ int find_in_stash(
    const Solver<W, Offset, Sizes>& s, Shared<W, Offset, Sizes>& shared, int* parent, bool level) {
  auto& stash = shared.stash;
  __syncthreads();
  int changed = 0;
  const int count = min(stash.count, Sizes::STASH), stride = static_cast<int>(blockDim.x);
  for (int i = 0; i < count; ++i) {
    Offset from = stash.begin[i] + threadIdx.x;
    int found = -1;
    bool more = true;
    while (__syncthreads_or(more) && !__syncthreads_or(found >= 0)) {
      if (more)
        more = find_parent(s, parent, stash.base[i], from, stash.end[i], stride, stash.distance[i], level, found);
      from += static_cast<Offset>(Sizes::AHEAD) * stride;
    }
    if (found >= 0) store_racing(parent + stash.vertex[i], found);
    const bool some = __syncthreads_or(found >= 0);
    changed |= level ? some : !some;
  }
  __syncthreads();
  if (threadIdx.x == 0) stash.count = 0;
  __syncthreads();
  return changed;
}

// One pass over the vertices without a parent; `changed` if another pass may find more.
template <class W, class Offset, class Sizes>
__device__ __noinline__ void tree_pass(int* parent, bool level, Tally* total) {
  using Key = typename Path<W>::Key;
  auto& shared = shared_of_block<W, Offset, Sizes>();
  const Solver<W, Offset, Sizes> s = shared.solver;
  const int lane = threadIdx.x & 31;
  int changed = 0;
  for (int first = first_group(); first < s.n; first += next_group()) {
    const int v = first + lane;
    const int base = s.base(v);
    Offset begin = 0, end = 0;
    Key d = Path<W>::infinity;
    if (v < s.n && parent[v] < 0 && (d = s.distance[v]) < Path<W>::infinity) {
      begin = s.in.indptr[v - base];
      end = s.in.indptr[v - base + 1];
    }
    Offset at = begin;
    int found = -1;
    bool more = begin < end;
    for (int lead = 0; lead < Sizes::LEAD && more; lead += Sizes::AHEAD, at += Sizes::AHEAD)
      more = find_parent(s, parent, base, at, end, 1, d, level, found);
    if (more && end - at > Sizes::WIDE) {
      const int place = atomicAdd(&shared.stash.count, 1);
      if (place < Sizes::STASH) {
        shared.stash.vertex[place] = v;
        shared.stash.base[place] = base;
        shared.stash.distance[place] = d;
        shared.stash.begin[place] = at;
        shared.stash.end[place] = end;
        more = false;
        begin = end;
      }
    }
    __syncwarp(WHOLE_WARP);
    for (unsigned votes = __ballot_sync(WHOLE_WARP, more); votes; votes &= votes - 1) {
      const int leader = __ffs(votes) - 1;
      Offset from = __shfl_sync(WHOLE_WARP, at, leader) + lane;
      const Offset to = __shfl_sync(WHOLE_WARP, end, leader);
      const Key near = __shfl_sync(WHOLE_WARP, d, leader);
      const int copy = __shfl_sync(WHOLE_WARP, base, leader);
      int mine = -1;
      while (find_parent(s, parent, copy, from, to, 32, near, level, mine))
        from += static_cast<Offset>(Sizes::AHEAD) * 32;
      const unsigned some = __ballot_sync(WHOLE_WARP, mine >= 0);
      mine = __shfl_sync(WHOLE_WARP, mine, some ? __ffs(some) - 1 : 0);
      if (lane == leader) found = mine;
    }
    if (found >= 0) store_racing(parent + v, found);
    if (begin < end) changed |= level ? found >= 0 : found < 0;
  }
  changed |= find_in_stash(s, shared, parent, level);
  collect(Tally{0, 0, 0, changed}, shared.tally, total);
}

template <class W, class Offset, class Sizes>
__device__ void grow_tree(const Solver<W, Offset, Sizes>& s, int* parent, int* turn) {
  const int rank = blockIdx.x * blockDim.x + threadIdx.x;
  for (int v = rank; v < s.n; v += gridDim.x * blockDim.x) parent[v] = s.is_source(v) ? v - s.base(v) : -1;
  grid_sync(s.barrier);
  for (bool level = false;; level = true) {
    Tally* now = next_tally(s.turns, turn);
    tree_pass<W, Offset, Sizes>(parent, level, now);
    grid_sync(s.barrier);
    if (!read(now).changed) return;
  }
}
