// core[v] = the largest k such that v has k neighbours of core number k or more: peeling, level by level.
//
// degrees[v] counts the neighbours that are left. At level k the vertices with k neighbours leave; each of their
// neighbours that has more loses one, and leaves at the same level if it then has k. Of a short queue several
// warps share a row. Of a long one a warp takes some vertices, its lanes their short rows and the warp together
// the long ones. What a warp finds it takes next if its row is short, from shared memory, without a barrier. All
// else goes to the queue of all. A vertex that leaves keeps its degree: its core number.
//
// compiled: peel<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/peel_levels.cuh"
#include "headers/primitives.cuh"
#include "headers/trail.cuh"

#include "peel.py"  // THREADS

constexpr int LONG_ROW = 32;

template <class Offset>
struct PeelParameters {
  int n;
  const Offset* indptr;
  const int* indices;
  int* degrees;
  int* queue;
  int* left;
  int* other;
  int* counts;
  unsigned* barrier;
};

template <class Offset>
struct Peeling {
  PeelParameters<Offset> given;

  // Every lane calls this; u loses a neighbour.
  __device__ __forceinline__ void lose(bool wanted, int u, int k, Trail& trail) const {
    bool leaves = false;
    if (wanted && load_racing(given.degrees + u) > k) {
      const int before = atomicAdd(given.degrees + u, -1);
      leaves = before == k + 1;
      if (before <= k) atomicAdd(given.degrees + u, 1);
    }
    trail.add(leaves, u, leaves && given.indptr[u + 1] - given.indptr[u] <= LONG_ROW);
  }
  // The neighbours of the vertices that the lanes hold, -1 for none.
  __device__ __forceinline__ void remove(int v, int k, Trail& trail) const {
    const Offset begin = v < 0 ? 0 : given.indptr[v], end = v < 0 ? 0 : given.indptr[v + 1];
    const bool by_warp = end - begin > LONG_ROW;
    const int length = by_warp ? 0 : static_cast<int>(end - begin);
    for (int i = 0, longest = warp_reduce(length, Most()); i < longest; ++i) {
      const int u = i < length ? load_constant(given.indices + begin + i) : v;
      lose(i < length && u != v, u, k, trail);
    }
    for (unsigned rows = __ballot_sync(WHOLE_WARP, by_warp); rows; rows &= rows - 1) {
      const int owner = __ffs(static_cast<int>(rows)) - 1;
      const Offset first = __shfl_sync(WHOLE_WARP, begin, owner), last = __shfl_sync(WHOLE_WARP, end, owner);
      const int mine = __shfl_sync(WHOLE_WARP, v, owner);
      lose_row(mine, first, last, 32, k, trail);
    }
  }
  // The neighbours of v among 32 arcs of each `step`.
  __device__ __forceinline__ void lose_row(
      int v, long long first, long long last, int step, int k, Trail& trail) const {
    for (long long at = first; at < last; at += step) {
      const bool there = last - at > lane_index();
      const int u = there ? load_constant(given.indices + at + lane_index()) : v;
      lose(there && u != v, u, k, trail);
    }
  }
  // The vertices of the queue, and those that warps find meanwhile and take themselves.
  __device__ __forceinline__ void remove_all(const int* queue, int size, int k, int, int* next, int* queued) const {
    __shared__ int own[THREADS / 32][OWN];
    Trail trail{own[warp_index()], 0, next, queued, given.n};
    const auto go_on = [&](int v) { remove(v, k, trail); };
    const int warps = static_cast<int>(gridDim.x * (blockDim.x / 32));
    const int warp = static_cast<int>(blockIdx.x * (blockDim.x / 32)) + warp_index();
    if (size <= warps) {
      const int parts = warps / size, place = warp / parts;
      if (place < size) {
        const int v = queue[place];
        const long long first = given.indptr[v] + 32LL * (warp % parts), last = given.indptr[v + 1];
        lose_row(v, first, last, 32 * parts, k, trail);
      }
      trail.follow(go_on);
      return;
    }
    trail.take_all(queue, size, go_on);
  }
  // Vertices with k neighbours go to the queue, and those with more stay.
  __device__ __forceinline__ void scan(
      const int* list, int size, int k, int, int* queue, int* queued, int* other, int* kept, int* least) const {
    const int padded = (size + 31) & ~31;
    int mine = NOTHING_LEFT;
    for (const int i : grid_range(padded)) {
      const int v = i >= size ? -1 : list ? list[i] : i;
      const int degree = v < 0 ? -1 : load_fresh(given.degrees + v);
      warp_append(v >= 0 && degree == k, v, queue, queued);
      warp_append(degree > k, v, other, kept);
      if (degree > k && degree < mine) mine = degree;
    }
    mine = block_reduce(mine, NOTHING_LEFT, Least());
    if (threadIdx.x == 0 && mine < NOTHING_LEFT) atomicMin(least, mine);
  }
  // The neighbours of each vertex, itself not counted.
  __device__ __forceinline__ void count_degrees() const {
    const int padded = (given.n + 31) & ~31;
    for (const int v : grid_range(padded)) {
      const Offset begin = v < given.n ? given.indptr[v] : 0, end = v < given.n ? given.indptr[v + 1] : 0;
      if (v < given.n) given.degrees[v] = static_cast<int>(end - begin) - has(begin, end, v);
    }
  }
  // Whether a sorted row has a column.
  __device__ __forceinline__ bool has(Offset begin, Offset end, int u) const {
    for (Offset low = begin, high = end; low < high;) {
      const Offset middle = low + (high - low) / 2;
      const int at = load_constant(given.indices + middle);
      if (at == u) return true;
      if (at < u) low = middle + 1;
      else high = middle;
    }
    return false;
  }
};

template <class Offset>
__global__ void peel(PeelParameters<Offset> given) {
  const Peeling<Offset> peeling{given};
  peeling.count_degrees();
  grid_sync(given.barrier);
  peel_levels(peeling, given.n, 0, false);
}
