// support[e] = the largest s such that e is in s triangles of edges with s or more: peeling edges, level by level.
//
// support[e] counts the triangles of e that are left. At level s the edges with at most s leave. A warp takes an edge
// that leaves: its lanes read the shorter row of its ends and search each neighbour in the longer one. The other edges
// of a triangle lose it once: if two of its edges leave in one round, the one of the smaller number takes it from the
// third. stamps[e] is the round in which e leaves, and 0 until it is known. An edge that leaves keeps its support.
//
// compiled: peel<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/peel_levels.cuh"
#include "headers/primitives.cuh"

template <class Offset>
struct PeelParameters {
  int edges;
  int first_level;
  bool one_level;
  const Offset* indptr;
  const int* indices;
  const int* ids;
  const int* tails;
  const int* heads;
  int* support;
  int* stamps;
  int* queue;
  int* left;
  int* other;
  int* counts;
  unsigned* barrier;
};

template <class Offset>
struct Peeling {
  PeelParameters<Offset> given;

  // The place of a vertex in a sorted row, or -1.
  __device__ __forceinline__ long long find(long long low, long long high, int wanted) const {
    const long long end = high;
    while (low < high) {
      const long long middle = low + (high - low) / 2;
      if (load_constant(given.indices + middle) < wanted) low = middle + 1;
      else high = middle;
    }
    return low < end && load_constant(given.indices + low) == wanted ? low : -1;
  }
  // The edge of an arc if it is there still, or -1; `leaves` says whether it leaves in this round.
  __device__ __forceinline__ int get_edge(long long arc, int round, bool& leaves) const {
    const int e = load_constant(given.ids + arc), stamp = load_racing(given.stamps + e);
    leaves = stamp == round;
    return stamp == 0 || stamp >= round ? e : -1;
  }
  // Every lane calls this; e loses a triangle.
  __device__ __forceinline__ void lose(bool wanted, int e, int level, int round, int* next, int* queued) const {
    bool leaves = false;
    if (wanted && load_fresh(given.support + e) > level) {
      const int before = atomicAdd(given.support + e, -1);
      leaves = before == level + 1;
      if (before <= level) atomicAdd(given.support + e, 1);
      if (leaves) store_racing(given.stamps + e, round + 1);
    }
    warp_append(leaves, e, next, queued);
  }
  // The triangles of an edge that leaves.
  __device__ __forceinline__ void remove(int e, int level, int round, int* next, int* queued) const {
    int u = load_constant(given.tails + e), v = load_constant(given.heads + e);
    if (given.indptr[u + 1] - given.indptr[u] > given.indptr[v + 1] - given.indptr[v]) {
      const int longer = u;
      u = v;
      v = longer;
    }
    const long long first = given.indptr[v], last = given.indptr[v + 1], end = given.indptr[u + 1];
    for (long long at = given.indptr[u]; at < end; at += 32) {
      const long long arc = at + lane_index();
      bool one_leaves = false, two_leaves = false;
      int one = arc < end ? get_edge(arc, round, one_leaves) : -1, two = -1;
      if (one >= 0 && one != e) {
        const long long there = find(first, last, load_constant(given.indices + arc));
        two = there < 0 ? -1 : get_edge(there, round, two_leaves);
      }
      const bool closed = two >= 0;
      lose(closed && !one_leaves && (!two_leaves || e < two), one, level, round, next, queued);
      lose(closed && !two_leaves && (!one_leaves || e < one), two, level, round, next, queued);
    }
  }
  __device__ __forceinline__ void remove_all(
      const int* queue, int size, int level, int round, int* next, int* queued) const {
    const int warps = static_cast<int>(gridDim.x * (blockDim.x / 32));
    int i = static_cast<int>(blockIdx.x * (blockDim.x / 32)) + warp_index();
    for (; i < size; i += warps) remove(queue[i], level, round, next, queued);
  }
  // Edges with few triangles go to the queue, and those with more stay.
  __device__ __forceinline__ void scan(const int* list, int size, int level, int round, int* queue, int* queued,
                                       int* other, int* kept, int* least) const {
    const int padded = (size + 31) & ~31;
    int mine = NOTHING_LEFT;
    for (const int i : grid_range(padded)) {
      const int e = i >= size ? -1 : list ? list[i] : i;
      const bool there = e >= 0 && load_fresh(given.stamps + e) == 0;
      const int support = there ? load_fresh(given.support + e) : 0;
      const bool leaves = there && support <= level, stays = there && support > level;
      if (leaves) given.stamps[e] = round;
      warp_append(leaves, e, queue, queued);
      warp_append(stays, e, other, kept);
      if (stays && support < mine) mine = support;
    }
    mine = block_reduce(mine, NOTHING_LEFT, Least());
    if (threadIdx.x == 0 && mine < NOTHING_LEFT) atomicMin(least, mine);
  }
};

template <class Offset>
__global__ void peel(PeelParameters<Offset> given) {
  peel_levels(Peeling<Offset>{given}, given.edges, given.first_level, given.one_level);
}
