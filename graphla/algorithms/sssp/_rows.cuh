// Relaxes rows: for arcs (u, v) in weight order with low <= d[u] + w < high, offers d[u] + w to v.
//
// A thread relaxes the first arcs of a row, some at once; a warp relaxes the rest of a longer row, and a block what is
// longer than WIDE. `base` is added to the heads. The first arc that ends at `high` or beyond ends the row.
#pragma once

#include "_common.cuh"
#include "headers/primitives.cuh"

template <class W, class Offset, class Sizes>
struct Stash {
  int count, vertex[Sizes::STASH], base[Sizes::STASH];
  Offset begin[Sizes::STASH], end[Sizes::STASH];
  typename Path<W>::Key distance[Sizes::STASH], low[Sizes::STASH];
};

// What the threads of a block count; added up so that the grid sees one atomic per block.
struct Tally {
  unsigned long long relaxed, settled, beyond;  // beyond: ~(nearest deferred distance), 0 if none
  int changed;
};

// The first group of 32 vertices of this warp, and the distance to its next group. Neighbouring groups go to different
// blocks, because vertices of high degree often have neighbouring numbers.
__device__ __forceinline__ int first_group() {
  return static_cast<int>((blockIdx.x + gridDim.x * (threadIdx.x / 32)) * 32);
}
__device__ __forceinline__ int next_group() { return static_cast<int>(gridDim.x * blockDim.x); }

// Relaxes AT_ONCE arcs together: from, from + stride, ...; true if the row goes on.
template <int AT_ONCE, class W, class Offset, class Relax>
__device__ __forceinline__ bool relax_some(
    const Arcs<W, Offset>& arcs, int base, Offset from, Offset end, int stride, typename Path<W>::Key d,
    typename Path<W>::Key low, typename Path<W>::Key high, Relax& relax) {
  using Key = typename Path<W>::Key;
  int v[AT_ONCE];
  Key far[AT_ONCE], known[AT_ONCE];
  bool over = end - from <= static_cast<Offset>(AT_ONCE) * stride;
  for (int k = 0; k < AT_ONCE; ++k) {
    const Offset at = from + static_cast<Offset>(k) * stride;
    far[k] = at < end ? Path<W>::plus(d, arcs.values[at]) : Path<W>::infinity;
    v[k] = at < end ? base + arcs.indices[at] : 0;
    if (at < end && far[k] >= high) relax.defer(far[k]);
    over |= far[k] >= high;
  }
  for (int k = 0; k < AT_ONCE; ++k) {
    const bool mine = far[k] >= low && far[k] < high;
    known[k] = mine ? __ldcg(relax.distance + v[k]) : 0;
    relax.relaxed += mine;
  }
  for (int k = 0; k < AT_ONCE; ++k)
    if (far[k] < known[k]) relax.improve(v[k], far[k]);
  return !over;
}

template <int AT_ONCE, class W, class Offset, class Relax>
__device__ void scan(const Arcs<W, Offset>& arcs, int base, Offset from, Offset end, int stride,
                     typename Path<W>::Key d, typename Path<W>::Key low, typename Path<W>::Key high, Relax& relax) {
  while (relax_some<AT_ONCE>(arcs, base, from, end, stride, d, low, high, relax))
    from += static_cast<Offset>(AT_ONCE) * stride;
}

// All lanes of a warp call this, each with a row [begin, end), which may be empty.
template <int FIRST, int AT_ONCE, class W, class Offset, class Sizes, class Relax>
__device__ void expand(
    const Arcs<W, Offset>& arcs, int base, Offset begin, Offset end, typename Path<W>::Key d, typename Path<W>::Key low,
    typename Path<W>::Key high, Stash<W, Offset, Sizes>& stash, Relax& relax) {
  const int lane = threadIdx.x & 31;
  bool more = begin < end;
#pragma unroll 1
  for (int lead = 0; lead < FIRST && more; lead += AT_ONCE, begin += AT_ONCE)
    more = relax_some<AT_ONCE>(arcs, base, begin, end, 1, d, low, high, relax);
  if (more && end - begin > Sizes::WIDE) {
    const int place = atomicAdd(&stash.count, 1);
    if (place < Sizes::STASH) {
      stash.base[place] = base;
      stash.begin[place] = begin;
      stash.end[place] = end;
      stash.distance[place] = d;
      stash.low[place] = low;
      relax.stashed = 1;
      more = false;
    }
  }
  __syncwarp(WHOLE_WARP);
  for (unsigned votes = __ballot_sync(WHOLE_WARP, more); votes; votes &= votes - 1) {
    const int leader = __ffs(votes) - 1;
    const Offset from = __shfl_sync(WHOLE_WARP, begin, leader), to = __shfl_sync(WHOLE_WARP, end, leader);
    const auto near = __shfl_sync(WHOLE_WARP, d, leader), least = __shfl_sync(WHOLE_WARP, low, leader);
    scan<AT_ONCE>(arcs, __shfl_sync(WHOLE_WARP, base, leader), static_cast<Offset>(from + lane), to, 32, near, least,
                  high, relax);
    __syncwarp(WHOLE_WARP);
  }
}

// All threads of a block relax the rows in its stash.
template <class W, class Offset, class Sizes, class Relax>
__device__ void expand_stash(
    const Arcs<W, Offset>& arcs, typename Path<W>::Key high, Stash<W, Offset, Sizes>& stash, Relax& relax) {
  __syncthreads();
  const int count = min(stash.count, Sizes::STASH);
  for (int i = 0; i < count; ++i)
    scan<Sizes::AHEAD>(arcs, stash.base[i], static_cast<Offset>(stash.begin[i] + threadIdx.x), stash.end[i],
                       static_cast<int>(blockDim.x), stash.distance[i], stash.low[i], high, relax);
  __syncthreads();
  if (threadIdx.x == 0) stash.count = 0;
  __syncthreads();
}

// Adds what this thread counted to `total`, through `block` in shared memory.
__device__ inline void collect(const Tally& mine, Tally& block, Tally* total) {
  if (threadIdx.x == 0) block = Tally{0, 0, 0, 0};
  __syncthreads();
  const unsigned long long relaxed = warp_reduce(mine.relaxed), settled = warp_reduce(mine.settled);
  const unsigned long long beyond = warp_reduce(mine.beyond, Most{});
  const unsigned changed = __ballot_sync(WHOLE_WARP, mine.changed != 0);
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
