// A matching of two sides grows until no path from a free vertex on the left to a free one on the right is left.
//
// A phase searches from all free vertices on the left at once, level by level: u meets v, if v is not met yet, and the
// mate of v is in the next level, in the tree of u. Where v is free, the tree of u ends. Then a thread for each
// tree that has ended walks back from there, and the edges of its path change; the trees have no vertex in common.
// Lanes hold the vertices of a level; long rows are read by the warp together. A phase that ends no tree is the last.
//
// compiled: searches<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"

#include "searches.py"  // LONG_ROW

// Of each three counters one is read, one is added to and one is cleared.
struct SearchCounts {
  int queued[3];
  int found[3];
};

template <class Offset>
struct SearchParameters {
  int n;
  const Offset* indptr;
  const int* indices;
  const bool* left;
  int* mates;
  int* parents;
  int* roots;
  int* ends;
  int* queue;
  int* next;
  int* counts;
  unsigned* barrier;
};

template <class Offset>
struct Search {
  SearchParameters<Offset> given;

  // Every lane calls this: u, in the tree of `root`, looks at its neighbour v.
  __device__ __forceinline__ void meet(bool wanted, int u, int root, int v, int* next, int* queued) const {
    int mate = -1;
    if (wanted && load_racing(given.parents + v) < 0 && atomicCAS(given.parents + v, -1, u) < 0) {
      mate = given.mates[v];
      if (mate < 0) store_racing(given.ends + root, v);
      else given.roots[mate] = root;
    }
    warp_append(mate >= 0, mate, next, queued);
  }
  // The neighbours of the vertices that the lanes hold, -1 for none; trees that have ended grow no more.
  __device__ __forceinline__ void expand(int u, int* next, int* queued) const {
    const int root = u < 0 ? -1 : given.roots[u];
    const bool grows = u >= 0 && load_racing(given.ends + root) < 0;
    const long long begin = grows ? given.indptr[u] : 0, end = grows ? given.indptr[u + 1] : 0;
    const bool by_warp = end - begin > LONG_ROW;
    const int length = by_warp ? 0 : static_cast<int>(end - begin);
    for (int i = 0, longest = warp_reduce(length, Most()); i < longest; ++i) {
      const int v = i < length ? load_constant(given.indices + begin + i) : u;
      meet(i < length && v != u, u, root, v, next, queued);
    }
    for (unsigned rows = __ballot_sync(WHOLE_WARP, by_warp); rows; rows &= rows - 1) {
      const int owner = __ffs(static_cast<int>(rows)) - 1;
      const int mine = __shfl_sync(WHOLE_WARP, u, owner), tree = __shfl_sync(WHOLE_WARP, root, owner);
      const long long first = shuffle_from(begin, owner), last = shuffle_from(end, owner);
      for (long long at = first; at < last; at += 32) {
        const bool there = last - at > lane_index();
        const int v = there ? load_constant(given.indices + at + lane_index()) : mine;
        meet(there && v != mine, mine, tree, v, next, queued);
      }
    }
  }
  __device__ __forceinline__ void expand_all(const int* queue, int size, int* next, int* queued) const {
    const int padded = (size + 31) & ~31;
    for (const int i : grid_range(padded)) expand(i < size ? queue[i] : -1, next, queued);
  }
  // Nothing is met yet; the free vertices on the left are the roots.
  __device__ __forceinline__ void begin(int* queue, int* queued) const {
    const int padded = (given.n + 31) & ~31;
    for (const int v : grid_range(padded)) {
      const bool starts = v < given.n && given.left[v] && given.mates[v] < 0;
      if (v < given.n) given.parents[v] = given.ends[v] = -1;
      if (starts) given.roots[v] = v;
      warp_append(starts, v, queue, queued);
    }
  }
  // Change the edges of the paths; say whether there is one.
  __device__ __forceinline__ void flip(int* found) const {
    for (const int root : grid_range(given.n)) {
      int v = given.ends[root];
      if (v >= 0) store_racing(found, 1);
      while (v >= 0) {
        const int u = given.parents[v], onward = given.mates[u];
        given.mates[v] = u;
        given.mates[u] = v;
        v = onward;
      }
    }
  }
};

template <class Offset>
__global__ void searches(SearchParameters<Offset> given) {
  const Search<Offset> search{given};
  SearchCounts* const counts = reinterpret_cast<SearchCounts*>(given.counts);
  const bool clears = blockIdx.x == 0 && threadIdx.x == 0;
  int *queue = given.queue, *next = given.next;
  for (int phase = 0, step = 0;; ++phase) {
    search.begin(queue, counts->queued + step % 3);
    grid_sync(given.barrier);
    while (const int size = read_for_block(counts->queued + step % 3)) {
      if (clears) counts->queued[(step + 2) % 3] = 0;
      search.expand_all(queue, size, next, counts->queued + (step + 1) % 3);
      grid_sync(given.barrier);
      ++step;
      int* const before = queue;
      queue = next;
      next = before;
    }
    if (clears) counts->found[(phase + 1) % 3] = 0;
    search.flip(counts->found + phase % 3);
    grid_sync(given.barrier);
    if (!read_for_block(counts->found + phase % 3)) return;
  }
}
