// Predecessors after the fact: p[v] = some u with d[u] + w(u, v) = d[v]. The entering arcs come in the
// order of their weights, so those heavier than d[v] are never read. An arc from a nearer vertex can
// close no circle; vertices that only arcs of weight zero reach wait until such an arc comes from a
// vertex that has its predecessor. A thread owns a vertex, a warp a long row.
#pragma once
#include "_state.cuh"

template <typename W, typename Offset>
__device__ int before(const Solver<W, Offset>& s, const int* parent, Offset from, Offset end, int stride,
                      typename Path<W>::Key d, bool level) {
  using Key = typename Path<W>::Key;
  for (Offset e = from; e < end; e += stride) {
    const W w = s.in.weight[e];
    if (Path<W>::plus(0, w) > d) break;
    const int u = s.in.target[e];
    const Key near = s.distance[u];
    if (near > d || Path<W>::plus(near, w) != d) continue;
    if (near < d || (level && fresh(parent + u) >= 0)) return u;
  }
  return -1;
}

// One pass over the vertices without a predecessor; `changed` tells that some are left that may get one.
template <typename W, typename Offset>
__device__ __noinline__ void tree_pass(const Solver<W, Offset>& s, Room<W>& room, int* parent, bool level, Tally* total) {
  const int lane = threadIdx.x & 31, stride = gridDim.x * blockDim.x;
  int changed = 0;
  for (int first = blockIdx.x * blockDim.x + threadIdx.x - lane; first < s.n; first += stride) {
    const int v = first + lane;
    Offset begin = 0, end = 0;
    typename Path<W>::Key d = Path<W>::infinity;
    if (v < s.n && parent[v] < 0 && (d = s.distance[v]) < Path<W>::infinity)
      begin = s.in.start[v], end = s.in.start[v + 1];
    const bool wide = end - begin > NARROW;
    int found = wide ? -1 : before(s, parent, begin, end, 1, d, level);
    __syncwarp(ALL);
    for (unsigned votes = __ballot_sync(ALL, wide); votes; votes &= votes - 1) {
      const int leader = __ffs(votes) - 1;
      const Offset from = __shfl_sync(ALL, begin, leader), to = __shfl_sync(ALL, end, leader);
      const int mine = before(s, parent, from + lane, to, 32, __shfl_sync(ALL, d, leader), level);
      const unsigned some = __ballot_sync(ALL, mine >= 0);
      const int one = __shfl_sync(ALL, mine, some ? __ffs(some) - 1 : 0);
      if (lane == leader) found = one;
    }
    if (found >= 0) parent[v] = found;
    if (begin < end) changed |= level ? found >= 0 : found < 0;
  }
  collect(Tally{0, 0, 0, changed}, room.tally, total);
}

template <typename W, typename Offset>
__device__ void grow_tree(const Solver<W, Offset>& s, Room<W>& room, int* parent, int source, int* turn) {
  const int rank = blockIdx.x * blockDim.x + threadIdx.x;
  for (int v = rank; v < s.n; v += gridDim.x * blockDim.x) parent[v] = v == source ? v : -1;
  grid_sync(s.barrier);
  for (bool level = false;; level = true) {
    Tally* now = next_tally(s.turns, turn);
    tree_pass(s, room, parent, level, now);
    grid_sync(s.barrier);
    if (!read(now).changed) return;
  }
}
