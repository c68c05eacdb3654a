// level[v] = d + 1 and the pieces of v join the frontier, for every arc u -> v from it that finds v unreached.
//
// A thread owns a piece of a row (the row itself unless long ones were split). Finds go to one of eight W-queues of
// the block, by the thread's number, so that neighbours in a warp do not meet on one counter; the W-queues are
// joined to the B-queue of the block, and the B-queues to the G-queue, each with one reservation.
// Three layers: one block with its own barriers, the resident blocks with a barrier of the grid, and a launch a level.
//
// compiled: relaunched<Offset, Parents> with Offset = int | long long; Parents = LevelsOnly | WithParents
// compiled: many_levels<Offset, Parents, Grid> with Offset = int | long long; Parents = LevelsOnly | WithParents;
//   Grid = OneBlock | ResidentBlocks
#pragma once

#include "_common.cuh"
#include "headers/primitives.cuh"

constexpr int W_QUEUES = 8;
constexpr int W_ROOM = 512;  // pieces; what does not fit goes to the G-queue one by one

template <class Offset>
struct
    Pieces {  // piece p holds the arcs begin[p] .. begin[p + 1) and belongs to owner[p]; v has first[v] .. first[v + 1)
  const Offset* begin;
  const int* owner;
  const int* first;
  const int* columns;
};

struct Queues {  // of a block
  int size[W_QUEUES];
  int start[W_QUEUES + 1];
  int base;
  int at[W_QUEUES][W_ROOM];
};

struct List {  // the G-queues of all levels, one behind the other
  int* at;
  int* tail;
};

__device__ __forceinline__ void add(Queues& mine, const List& list, int piece) {
  const int queue = threadIdx.x % W_QUEUES;
  const int slot = atomicAdd(&mine.size[queue], 1);
  if (slot < W_ROOM) mine.at[queue][slot] = piece;
  else list.at[atomicAdd(list.tail, 1)] = piece;
}

template <class Offset, class Parents>
__device__ void expand(
    const Pieces<Offset>& g, const Tree<Parents>& tree, Queues& mine, const List& list, int p, int depth) {
  for (Offset k = g.begin[p]; k < g.begin[p + 1]; ++k) {
    const int v = g.columns[k];
    if (tree.levels[v] >= 0 || atomicCAS(&tree.levels[v], -1, depth + 1) != -1) continue;
    if constexpr (Parents::kept) tree.parents[v] = g.owner[p];
    for (int q = g.first[v]; q < g.first[v + 1]; ++q) add(mine, list, q);
  }
}

// The W-queues become the B-queue, which takes its place in the G-queue; the W-queues are empty again.
__device__ void join(Queues& mine, const List& list) {
  __syncthreads();
  if (threadIdx.x == 0) {
    mine.start[0] = 0;
    for (int q = 0; q < W_QUEUES; ++q) mine.start[q + 1] = mine.start[q] + min(mine.size[q], W_ROOM);
    mine.base = mine.start[W_QUEUES] ? atomicAdd(list.tail, mine.start[W_QUEUES]) : 0;
  }
  __syncthreads();
  for (int q = 0; q < W_QUEUES; ++q)
    for (int i = threadIdx.x; i < mine.start[q + 1] - mine.start[q]; i += blockDim.x)
      list.at[mine.base + mine.start[q] + i] = mine.at[q][i];
  __syncthreads();
  if (threadIdx.x < W_QUEUES) mine.size[threadIdx.x] = 0;
  __syncthreads();
}

// One level of the calling blocks: pieces first .. last of the list.
template <class Offset, class Parents>
__device__ void push_level(const Pieces<Offset>& g, const Tree<Parents>& tree, Queues& mine, const List& list,
                           int first, int last, int depth) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last) expand(g, tree, mine, list, list.at[i], depth);
  join(mine, list);
}

__device__ __forceinline__ void empty(Queues& mine) {
  if (threadIdx.x < W_QUEUES) mine.size[threadIdx.x] = 0;
  __syncthreads();
}

// Top layer: this launch is the level. state = {tail, ...}.
template <class Offset, class Parents>
__global__ void relaunched(const Offset* begin, const int* owner, const int* heads, const int* columns, int* levels,
                           int* parents, int* list, int* state, int first, int last, int depth) {
  __shared__ Queues mine;
  empty(mine);
  push_level(Pieces<Offset>{begin, owner, heads, columns}, Tree<Parents>{levels, parents}, mine, List{list, state},
             first, last, depth);
}

// The two lower layers: level after level while a thread a piece is enough and there are more than `fewest`.
// Grid is `one block` or `resident blocks`; in the end state = {tail, where the last frontier begins, its level}.
struct OneBlock {
  static __device__ __forceinline__ void wait(unsigned*) { __syncthreads(); }
};
struct ResidentBlocks {
  static __device__ __forceinline__ void wait(unsigned* barrier) { grid_sync(barrier); }
};

template <class Offset, class Parents, class Grid>
__global__ void many_levels(
    const Offset* begin, const int* owner, const int* heads, const int* columns, int* levels, int* parents, int* list,
    int* state, unsigned* barrier, int first, int last, int depth, int fewest) {
  __shared__ Queues mine;
  empty(mine);
  while (last - first > fewest && last - first <= static_cast<int>(gridDim.x * blockDim.x)) {
    push_level(Pieces<Offset>{begin, owner, heads, columns}, Tree<Parents>{levels, parents}, mine, List{list, state},
               first, last, depth);
    Grid::wait(barrier);
    first = last;
    last = *static_cast<volatile int*>(state);
    ++depth;
    Grid::wait(barrier);
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    state[1] = first;
    state[2] = depth;
  }
}
