// level[v] = d + 1 and the pieces of v join the frontier, for every arc u -> v from it that finds v unreached.
//
// A thread owns a piece of a row (the whole row unless long rows were split). Vertices found go to one of eight
// W-queues of the block, chosen by the thread's number, so that neighbours in a warp do not share a counter; the
// W-queues are joined to the B-queue of the block, and the B-queues to the G-queue, with one reservation each. Three
// layers: one block with its own barriers, the resident blocks with a grid barrier, and one launch per level.
//
// compiled: relaunched<Offset, Parents> with Offset = int | long long; Parents = LevelsOnly | WithParents
// compiled: many_levels<Offset, Parents, Grid> with Offset = int | long long; Parents = LevelsOnly | WithParents;
//   Grid = OneBlock | ResidentBlocks
#pragma once

#include "../_common.cuh"
#include "headers/primitives.cuh"

constexpr int W_QUEUES = 8;
constexpr int W_ROOM = 512;  // pieces; further ones go to the G-queue one by one

template <class Offset>
struct Pieces {  // piece p has the arcs begin[p] .. begin[p + 1) of owner[p]; v has the pieces first[v] .. first[v + 1)
  const Offset* begin;
  const int* owner;
  const int* first;
  const int* indices;
};

struct Queues {  // of a block
  int size[W_QUEUES];
  int start[W_QUEUES + 1];
  int base;
  int at[W_QUEUES][W_ROOM];
};

struct List {  // the G-queues of all levels, one after the other
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
    const int v = g.indices[k];
    if (load_racing(&tree.levels[v]) >= 0 || atomicCAS(&tree.levels[v], -1, depth + 1) != -1) continue;
    if constexpr (Parents::kept) tree.parents[v] = g.owner[p];
    for (int q = g.first[v]; q < g.first[v + 1]; ++q) add(mine, list, q);
  }
}

// Joins the W-queues to the B-queue, which is appended to the G-queue, and empties them.
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

// The calling blocks push one level: the pieces first .. last of the list.
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

template <class Offset>
struct LevelParameters {
  const Offset* begin;
  const int* owner;
  const int* first_piece;
  const int* indices;
  int* levels;
  int* parents;
  int* list;
  int* state;  // {tail of the list, where the last frontier begins, its level}
  unsigned* barrier;
  int first;
  int last;
  int depth;
  int fewest;  // pieces of a frontier that is left to the layer below
};

// Top layer: this launch is the level.
template <class Offset, class Parents>
__global__ void relaunched(const __grid_constant__ LevelParameters<Offset> given) {
  __shared__ Queues mine;
  empty(mine);
  const Pieces<Offset> pieces{given.begin, given.owner, given.first_piece, given.indices};
  const Tree<Parents> tree{given.levels, given.parents};
  push_level(pieces, tree, mine, List{given.list, given.state}, given.first, given.last, given.depth);
}

// The two lower layers: level after level while there is a thread for each piece and there are more than `fewest`.
struct OneBlock {
  static __device__ __forceinline__ void wait(unsigned*) { __syncthreads(); }
};
struct ResidentBlocks {
  static __device__ __forceinline__ void wait(unsigned* barrier) { grid_sync(barrier); }
};

template <class Offset, class Parents, class Grid>
__global__ void many_levels(const __grid_constant__ LevelParameters<Offset> given) {
  __shared__ Queues mine;
  empty(mine);
  const Pieces<Offset> pieces{given.begin, given.owner, given.first_piece, given.indices};
  const Tree<Parents> tree{given.levels, given.parents};
  int* const state = given.state;
  int first = given.first, last = given.last, depth = given.depth;
  while (last - first > given.fewest && last - first <= static_cast<int>(gridDim.x * blockDim.x)) {
    push_level(pieces, tree, mine, List{given.list, state}, first, last, depth);
    Grid::wait(given.barrier);
    first = last;
    last = *static_cast<volatile int*>(state);
    ++depth;
    Grid::wait(given.barrier);
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    state[1] = first;
    state[2] = depth;
  }
}
