// Relaxing rows: for arcs (u, v) in weight order with low <= d[u] + w < high, offer d[u] + w to v.
// A thread owns a row of up to NARROW arcs, a warp one of up to WIDE, a block the longest, of which it puts
// up to STASH aside; a thread has AHEAD arcs in flight, and the first that ends beyond `high` ends the row.
#pragma once
#include "_common.cuh"

constexpr unsigned ALL = 0xffffffffu;

template <typename Key>
struct Stash {
  int count, vertex[STASH];
  Key distance[STASH], low[STASH];
};

// What the threads of a block counted, gathered so that the grid sees one atomic a block.
struct Tally {
  unsigned long long relaxed, settled, beyond;  // beyond: ~(nearest distance put off), 0 if none
  int changed;
};

template <typename W, typename Offset, typename Relax>
__device__ void scan(const Arcs<W, Offset>& arcs, Offset from, Offset end, int stride,
                     typename Path<W>::Key d, typename Path<W>::Key low, typename Path<W>::Key high,
                     Relax& relax) {
  using Key = typename Path<W>::Key;
  for (Offset e = from; e < end; e += static_cast<Offset>(AHEAD) * stride) {
    int v[AHEAD];
    Key far[AHEAD], known[AHEAD];
    bool over = false;
    for (int k = 0; k < AHEAD; ++k) {
      const Offset at = e + static_cast<Offset>(k) * stride;
      far[k] = at < end ? Path<W>::plus(d, arcs.weight[at]) : Path<W>::infinity;
      v[k] = at < end ? arcs.target[at] : 0;
      if (at < end && far[k] >= high) {
        if (!over) relax.put_off(far[k]);
        over = true;
      }
    }
    for (int k = 0; k < AHEAD; ++k) {
      const bool mine = far[k] >= low && far[k] < high;
      known[k] = mine ? fresh(relax.distance + v[k]) : 0;
      relax.relaxed += mine;
    }
    for (int k = 0; k < AHEAD; ++k)
      if (far[k] < known[k]) relax.improve(v[k], far[k]);
    if (over) return;
  }
}

// All lanes of a warp come together, each with a vertex or with -1.
template <typename W, typename Offset, typename Relax>
__device__ void expand(const Arcs<W, Offset>& arcs, int u, typename Path<W>::Key d,
                       typename Path<W>::Key low, typename Path<W>::Key high,
                       Stash<typename Path<W>::Key>& stash, Relax& relax) {
  const int lane = threadIdx.x & 31;
  Offset begin = 0, end = 0;
  if (u >= 0) begin = arcs.start[u], end = arcs.start[u + 1];
  bool wide = end - begin > NARROW;
  if (end - begin > WIDE) {
    const int place = atomicAdd(&stash.count, 1);
    if (place < STASH) {
      stash.vertex[place] = u, stash.distance[place] = d, stash.low[place] = low;
      wide = false;
    }
  } else if (!wide) {
    scan(arcs, begin, end, 1, d, low, high, relax);
  }
  __syncwarp(ALL);
  for (unsigned votes = __ballot_sync(ALL, wide); votes; votes &= votes - 1) {
    const int leader = __ffs(votes) - 1;
    const Offset from = __shfl_sync(ALL, begin, leader), to = __shfl_sync(ALL, end, leader);
    const auto near = __shfl_sync(ALL, d, leader), least = __shfl_sync(ALL, low, leader);
    scan(arcs, from + lane, to, 32, near, least, high, relax);
    __syncwarp(ALL);
  }
}

// All threads of a block come together and take the rows put aside.
template <typename W, typename Offset, typename Relax>
__device__ void expand_stash(const Arcs<W, Offset>& arcs, typename Path<W>::Key high,
                             Stash<typename Path<W>::Key>& stash, Relax& relax) {
  __syncthreads();
  const int count = stash.count < STASH ? stash.count : STASH;
  for (int i = 0; i < count; ++i) {
    const int u = stash.vertex[i];
    scan(arcs, static_cast<Offset>(arcs.start[u] + threadIdx.x), arcs.start[u + 1],
         static_cast<int>(blockDim.x), stash.distance[i], stash.low[i], high, relax);
  }
  __syncthreads();
  if (threadIdx.x == 0) stash.count = 0;
  __syncthreads();
}

__device__ __forceinline__ unsigned long long warp_sum(unsigned long long x) {
  for (int step = 16; step; step >>= 1) x += __shfl_xor_sync(ALL, x, step);
  return x;
}

__device__ __forceinline__ unsigned long long warp_max(unsigned long long x) {
  for (int step = 16; step; step >>= 1) {
    const unsigned long long other = __shfl_xor_sync(ALL, x, step);
    x = other > x ? other : x;
  }
  return x;
}

// Adds what this thread counted to `total`, through `block`.
__device__ inline void collect(const Tally& mine, Tally& block, Tally* total) {
  if (threadIdx.x == 0) block = Tally{0, 0, 0, 0};
  __syncthreads();
  const unsigned long long relaxed = warp_sum(mine.relaxed), settled = warp_sum(mine.settled);
  const unsigned long long beyond = warp_max(mine.beyond);
  const unsigned changed = __ballot_sync(ALL, mine.changed != 0);
  if ((threadIdx.x & 31) == 0) {
    if (relaxed) atomicAdd(&block.relaxed, relaxed);
    if (settled) atomicAdd(&block.settled, settled);
    if (beyond) atomicMax(&block.beyond, beyond);
    if (changed) atomicOr(&block.changed, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    if (block.relaxed) atomicAdd(&total->relaxed, block.relaxed);
    if (block.settled) atomicAdd(&total->settled, block.settled);
    if (block.beyond) atomicMax(&total->beyond, block.beyond);
    if (block.changed) atomicOr(&total->changed, 1);
  }
}
