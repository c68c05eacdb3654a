// label[v] = the smallest vertex that paths join with v, in one cooperative launch.
//
// A thread owns a vertex, and a warp together the rows of its lanes that are long. Every vertex points to its smallest
// neighbour first. In graphs of higher degree its second neighbour is joined next, and the component that most of some
// samples are in is known: only vertices outside it look at all their arcs.
//
// compiled: afforest<Offset> with Offset = int | long long; hot
#pragma once

#include "../shared/_trees.cuh"
#include "headers/primitives.cuh"

constexpr int LONG_ROW = 32;

template <class Offset>
struct AfforestParameters {
  int n;
  const Offset* out_indptr;
  const int* out_indices;
  const Offset* in_indptr;
  const int* in_indices;
  int* parent;
  unsigned* barrier;
  int* largest;
  bool symmetric;
  bool sampled;
};

template <class Offset>
struct Neighbours {
  const Offset* indptr;
  const int* indices;

  __device__ __forceinline__ void point_to_first(int* parent, int n) const {
    for (const int v : grid_range(n)) {
      const Offset begin = indptr[v];
      const int first = begin < indptr[v + 1] ? load_constant(indices + begin) : v;
      parent[v] = first < v ? first : v;
    }
  }
  __device__ __forceinline__ void join_second(int* parent, int n) const {
    for (const int v : grid_range(n))
      if (indptr[v] + 1 < indptr[v + 1])
        join_trees(parent, find_root(parent, v), load_constant(indices + indptr[v] + 1));
  }
  // The arcs of the vertices that do not point to `skipped`; of symmetric graphs those to smaller vertices do.
  __device__ __forceinline__ void join_all(int* parent, int n, int skipped, bool smaller) const {
    const int padded = (n + 31) & ~31;
    for (const int v : grid_range(padded)) {
      const bool mine = v < n && load_racing(parent + v) != skipped;
      const Offset begin = mine ? indptr[v] : 0, end = mine ? indptr[v + 1] : 0;
      const bool by_warp = end - begin > LONG_ROW;
      if (!by_warp) join_row(parent, v, begin, end, smaller);
      for (unsigned left = __ballot_sync(WHOLE_WARP, by_warp); left; left &= left - 1) {
        const int owner = __ffs(static_cast<int>(left)) - 1;
        const Offset first = __shfl_sync(WHOLE_WARP, begin, owner), last = __shfl_sync(WHOLE_WARP, end, owner);
        const int u = __shfl_sync(WHOLE_WARP, v, owner);
        join_row(parent, u, first + lane_index(), last, smaller, 32);
        __syncwarp();
      }
    }
  }
  // Every `step`th arc of a row, up to the first that leads to no smaller vertex if only those are wanted.
  __device__ __forceinline__ void join_row(
      int* parent, int v, Offset begin, Offset end, bool smaller, int step = 1) const {
    if (begin >= end) return;
    int root = find_root(parent, v);
    for (Offset k = begin; k < end; k += step) {
      const int u = load_constant(indices + k);
      if (smaller && u >= v) break;
      root = join_trees(parent, root, u);
    }
  }
};

// One block: the root that most of the samples point to, one sample per thread; every vertex points to its root.
__device__ __forceinline__ void find_largest(const int* parent, int n, int* largest) {
  __shared__ int roots[1024];
  __shared__ unsigned long long most;
  const unsigned long long place = static_cast<unsigned long long>(threadIdx.x) * n / blockDim.x;
  const int mine = load_racing(parent + place);
  roots[threadIdx.x] = mine;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  unsigned long long count = 0;
  for (int i = 0; i < static_cast<int>(blockDim.x); ++i) count += roots[i] == mine;
  atomicMax(&most, count << 32 | static_cast<unsigned>(mine));
  __syncthreads();
  if (threadIdx.x == 0) *largest = static_cast<int>(most & 0xFFFFFFFFu);
}

template <class Offset>
__global__ void afforest(AfforestParameters<Offset> given) {
  const Neighbours<Offset> out{given.out_indptr, given.out_indices}, in{given.in_indptr, given.in_indices};
  const int n = given.n;
  int* const parent = given.parent;
  out.point_to_first(parent, n);
  grid_sync(given.barrier);
  int skipped = -1;
  if (given.sampled) {
    out.join_second(parent, n);
    grid_sync(given.barrier);
    compress_trees(parent, n);
    grid_sync(given.barrier);
    if (blockIdx.x == 0) find_largest(parent, n, given.largest);
    grid_sync(given.barrier);
    skipped = load_fresh(given.largest);
  }
  out.join_all(parent, n, skipped, given.symmetric && !given.sampled);
  if (given.sampled && !given.symmetric) in.join_all(parent, n, skipped, false);
  grid_sync(given.barrier);
  compress_trees(parent, n);
}
