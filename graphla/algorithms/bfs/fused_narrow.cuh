// Breadth-first search of a graph of low degree (roads, grids) in one cooperative launch.
//
//   level[v] = d + 1, for every arc u -> v from the frontier with v not seen
//
// The heads of a vertex stand in a padded row, so indptr is not read. A lane owns a vertex of the frontier. The
// vertices found are appended to one list in the order of their levels; a frontier is a range of it. Such graphs have
// thousands of levels of some hundred vertices: block 0 runs those alone, with the frontier and, where it fits, the
// bitmap of the vertices seen in shared memory, so that a level costs one trip to the L2 cache and one block barrier.
// At the end all blocks write the levels of what block 0 found, from the starts of the levels in the list.
//
// compiled: fused_narrow<Offset, Parents, Rows, Seen> with Offset = int | long long;
//   Parents = LevelsOnly | WithParents; Rows = Four | Eight; Seen = SeenCopied | SeenInPlace; hot
#pragma once

#include "_common.cuh"
#include "_device.py"  // RESIDENT_THREADS
#include "_narrow_rows.cuh"
#include "fused.py"  // ROOM
#include "headers/primitives.cuh"

constexpr int CROWD = 32768;               // vertices of a frontier beyond which atomics are the bottleneck
constexpr int DEPTH = 3, START = 4;        // words of `state`, after the three sizes
constexpr unsigned WRITTEN = 0x80000000u;  // bit of starts[d]: the grid has already written the answer of level d

template <class Index, class Parents>
struct Narrow : PaddedRows<Index> {
  Tree<Parents> tree;
  int* order;        // the vertices by level
  int* finders;      // their parents, if those are kept
  unsigned* starts;  // where each level begins in them
};

struct Frontier {  // a range of `order`
  int depth, start, size;
};

struct Workspace {
  int found;
  int base;
  int sizes[3];
  Frontier left;  // what warp 0 did not expand
};

// ------------------------------------------------------------------------------- levels of block 0 alone
template <class Parents, class Seen>
struct Alone {
  unsigned* seen;
  int* near;  // the next frontier in shared memory, up to ROOM vertices
  int* order;
  int* finders;
  int* size;
  __device__ __forceinline__ unsigned put_bit(int v, bool wanted) const { return Seen::put_bit(seen, v, wanted); }
  __device__ __forceinline__ int reserve(int count) const { return atomicAdd(size, count); }
  __device__ __forceinline__ void keep(int at, int v, int u) const {
    if (at < ROOM) near[at] = v;
    order[at] = v;
    if constexpr (Parents::kept) finders[at] = u;
  }
};

// Thread `me` of `threads` pushes its part of a level; the two halves of `shared` hold this frontier and the next.
template <class Rows, class Seen, class Offset, class Parents>
__device__ __forceinline__ void push_alone(const Narrow<Offset, Parents>& g, unsigned* seen, const Frontier& f,
                                           int* shared, int step, int me, int threads, Workspace& work) {
  const int* const near = shared + (step & 1) * ROOM;
  const int next = f.start + f.size;
  const Alone<Parents, Seen> finder{
      seen, shared + (1 - (step & 1)) * ROOM, g.order + next, g.finders + next, &work.sizes[step % 3]};
  const auto vertex = [&](int i) { return i >= f.size ? -1 : i < ROOM ? near[i] : g.order[f.start + i]; };
  int u = vertex(me);
  Half left = first_half<Rows>(g, u);
  for (int i = me; i - lane_index() < f.size; i += threads) {
    const int next_u = vertex(i + threads);
    const Half next_left = first_half<Rows>(g, next_u);
    expand<Rows>(g, finder, u, left);
    u = next_u;
    left = next_left;
  }
  if (me == 0) {
    work.sizes[(step + 1) % 3] = 0;
    g.starts[f.depth + 1] = next;
  }
}

__device__ __forceinline__ Frontier next_frontier(const Frontier& f, int step, const Workspace& work) {
  return {f.depth + 1, f.start + f.size, work.sizes[step % 3]};
}

// Block 0 pushes until the frontier is empty or larger than `large`; warp 0 takes up to 32 vertices, without barriers.
template <class Rows, class Seen, class Offset, class Parents>
__device__ Frontier run_alone(
    const Narrow<Offset, Parents>& g, unsigned* seen, Frontier f, int large, int* shared, Workspace& work) {
  for (int i = threadIdx.x; i < min(f.size, ROOM); i += blockDim.x) shared[i] = g.order[f.start + i];
  if (threadIdx.x < 3) work.sizes[threadIdx.x] = 0;
  __syncthreads();
  for (int step = 0; f.size && f.size <= large; ++step) {
    if (f.size > 32) {
      push_alone<Rows, Seen>(g, seen, f, shared, step, threadIdx.x, blockDim.x, work);
      __syncthreads();
      f = next_frontier(f, step, work);
      continue;
    }
    __syncthreads();  // warp 0 writes sizes that others may still read
    if (warp_index() == 0) {
      for (; f.size && f.size <= 32; ++step) {
        push_alone<Rows, Seen>(g, seen, f, shared, step, lane_index(), 32, work);
        __syncwarp();
        f = next_frontier(f, step, work);
        __syncwarp();
      }
      if (lane_index() == 0) {
        work.left = f;
        work.base = step;
      }
    }
    __syncthreads();
    f = work.left;
    step = work.base - 1;
  }
  return f;
}

// The same with a copy of the bitmap in shared memory, written back at the end.
template <class Rows, class Offset, class Parents>
__device__ Frontier run_alone_copied(
    const Narrow<Offset, Parents>& g, unsigned* seen, const Frontier& f, int large, int* shared, Workspace& work) {
  unsigned* const mine = reinterpret_cast<unsigned*>(shared + 2 * ROOM);
  for (int w = threadIdx.x; w < (g.n + 31) / 32; w += blockDim.x) mine[w] = seen[w];
  const Frontier left = run_alone<Rows, SeenCopied>(g, mine, f, large, shared, work);
  for (int w = threadIdx.x; w < (g.n + 31) / 32; w += blockDim.x) seen[w] = mine[w];
  return left;
}

// ---------------------------------------------------------------------------------- levels of the grid

template <class Rows, class Parents>
struct Together {
  const Half* rows;
  unsigned* seen;
  int* finds;  // in shared memory, to be moved in one piece
  int* next;
  int* next_size;
  Tree<Parents> tree;
  int level;
  bool looks;  // test the bit before the atomic: worth a load where atomics are the bottleneck
  Workspace& work;
  __device__ __forceinline__ unsigned put_bit(int v, bool wanted) const {
    return SeenInPlace::put_bit(seen, v, wanted && !(looks && bit_test(seen, v)));
  }
  __device__ __forceinline__ int reserve(int count) const { return atomicAdd(&work.found, count); }
  __device__ __forceinline__ void keep(int at, int v, int u) const {
    tree.put(v, level, u);
    prefetch(&rows[Rows::first(v)]);
    if (at < 2 * ROOM) finds[at] = v;
    else next[atomicAdd(next_size, 1)] = v;
  }
};

// All blocks push a level; a block reserves room for all vertices that its warps found with one atomic.
template <class Rows, class Offset, class Parents>
__device__ void push_together(const Narrow<Offset, Parents>& g, const Together<Rows, Parents>& finder,
                              const int* frontier, int size, Workspace& work) {
  const int warps = blockDim.x / 32, warp = threadIdx.x / 32, rounds = (size + 31) / 32;
  for (int first = blockIdx.x; first < rounds; first += gridDim.x * warps) {
    if (threadIdx.x == 0) work.found = 0;
    __syncthreads();
    const int i = (first + warp * gridDim.x) * 32 + lane_index();
    const int u = i < size ? frontier[i] : -1;
    expand<Rows>(g, finder, u, first_half<Rows>(g, u));
    __syncthreads();
    const int kept = min(work.found, 2 * ROOM);
    if (threadIdx.x == 0 && kept) work.base = atomicAdd(finder.next_size, kept);
    __syncthreads();
    for (int k = threadIdx.x; k < kept; k += blockDim.x) finder.next[work.base + k] = finder.finds[k];
  }
}

// Writes the answer of the vertices that block 0 found alone: a warp owns a level.
template <class Offset, class Parents>
__device__ void write_levels(const Narrow<Offset, Parents>& g, int depth) {
  for (int d = 1 + threadIdx.x / 32 * gridDim.x + blockIdx.x; d < depth; d += gridDim.x * (blockDim.x / 32)) {
    if (g.starts[d] & WRITTEN) continue;
    const int end = static_cast<int>(g.starts[d + 1] & ~WRITTEN);
    for (int i = static_cast<int>(g.starts[d]) + lane_index(); i < end; i += 32)
      g.tree.put(g.order[i], d, Parents::kept ? g.finders[i] : 0);
  }
}

template <class Offset>
struct NarrowParameters {
  int n;
  const Half* rows;  // padded: fused_prepare.cuh
  const Offset* indptr;
  const int* indices;
  int* levels;
  int* parents;
  unsigned* seen;
  int* order;
  int* finders;
  unsigned* starts;
  int* state;
  unsigned* barrier;
  int source;
  int small;  // vertices of a frontier up to which block 0 takes over
  int large;  // and beyond which it hands over to the grid
};

template <class Offset, class Parents, class Rows, class Seen>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1)
    fused_narrow(const __grid_constant__ NarrowParameters<Offset> given) {
  extern __shared__ int shared[];
  __shared__ Workspace work;
  const Tree<Parents> tree{given.levels, given.parents};
  const Narrow<Offset, Parents> g{
      {given.n, given.rows, given.indptr, given.indices}, tree, given.order, given.finders, given.starts};
  const int n = given.n, source = given.source, small = given.small;
  unsigned *const seen = given.seen, *const starts = given.starts, *const barrier = given.barrier;
  int *const order = given.order, *const state = given.state;
  tree.clear(n, source);
  for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < (n + 31) / 32; w += gridDim.x * blockDim.x)
    seen[w] = w == source >> 5 ? bit_of(source) : 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    order[0] = source;
    starts[0] = 0;
    state[0] = 1;
    state[1] = state[2] = 0;
  }
  grid_sync(barrier);
  int depth = 0, start = 0;
  for (int phase = 0;; ++phase) {
    const int size = read_for_block(&state[phase % 3]);
    if (!size) break;
    int* const next_size = &state[(phase + 1) % 3];
    if (blockIdx.x == 0 && threadIdx.x == 0) state[(phase + 2) % 3] = 0;
    if (size > small) {
      const int next = start + size;
      const Together<Rows, Parents> finder{
          given.rows, seen, shared, order + next, next_size, g.tree, depth + 1, size > CROWD, work};
      push_together<Rows>(g, finder, order + start, size, work);
      if (blockIdx.x == 0 && threadIdx.x == 0) starts[depth + 1] = next | WRITTEN;
      start = next;
      ++depth;
    } else if (blockIdx.x == 0) {
      const Frontier f{depth, start, size};
      const Frontier left = Seen::copied ? run_alone_copied<Rows>(g, seen, f, given.large, shared, work)
                                         : run_alone<Rows, Seen>(g, seen, f, given.large, shared, work);
      if (threadIdx.x == 0) {
        *next_size = left.size;
        state[DEPTH] = left.depth;
        state[START] = left.start;
      }
    }
    grid_sync(barrier);
    if (size <= small) {
      depth = read_for_block(&state[DEPTH]);
      start = read_for_block(&state[START]);
    }
  }
  write_levels(g, depth);
}
