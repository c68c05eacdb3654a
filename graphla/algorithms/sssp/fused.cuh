// d[source] = 0, d[v] = min over arcs (u, v) of d[u] + w(u, v), for weights that are not negative: one cooperative
// launch from the first relaxation to the last parent. A batch of sources is solved on as many copies of the graph.
//
// A dense start sweeps buckets and then pulls, or hands over to near-far queues where the graph is deep; rows are
// sorted by weight. What is the same for a whole block (addresses, progress) is read from shared memory: with two
// blocks of 512 threads per multiprocessor a thread has 64 registers. With distances or offsets of 64 bits, 100 to 120
// registers and one resident block, nothing spills either.
//
// compiled: fused<W, int, Dense, Tree> with W = float | int | unsigned; Tree = WithTree | NoTree; hot on sm_90
// compiled: fused<W, Offset, Sizes, Tree> with W = int | float | unsigned; Offset = long long | int;
//   Sizes = Dense | Sparse | Road; Tree = NoTree | WithTree; hot on sm_90
// compiled: fused<W, Offset, Sizes, Tree> with W = double | long long | unsigned long long; Offset = int | long long;
//   Sizes = Road | Dense | Sparse; Tree = WithTree | NoTree; hot on sm_90
#pragma once

#include "_common.cuh"
#include "_dense.cuh"
#include "_near_far.cuh"
#include "_rows.cuh"
#include "_sizes.cuh"
#include "_state.cuh"
#include "_tree.cuh"
#include "headers/primitives.cuh"

template <class W, class Offset>
struct FusedParameters {
  const Offset* out_indptr;
  const int* out_indices;
  const W* out_values;
  const Offset* in_indptr;
  const int* in_indices;
  const W* in_values;
  W* distance;
  W* relaxed_at;
  int* parent;
  int* queues;
  unsigned long long* counts;  // the barrier, the tallies and the counts, zero before the launch
  const int* sources;
  int n;    // vertices of all copies of the graph
  int one;  // and of one
  long long m;
  int capacity;
  int source;
  W dense_step;
  W sparse_step;
  int patience;  // sweeps that may settle few vertices
  int fixed;     // the caller chose the step: do not adapt it
  int tree;      // find parents, too: true in a kernel that can; tested there because registers spill without the test
};

// Whether a kernel can find parents, too, which is a third of the time that it takes to compile.
struct WithTree { static constexpr bool grows = true; };
struct NoTree { static constexpr bool grows = false; };

template <class W, class Offset, class Sizes>
__device__ void clear(const Solver<W, Offset, Sizes>& s, Shared<W, Offset, Sizes>& shared) {
  const int rank = blockIdx.x * blockDim.x + threadIdx.x;
  for (int v = rank; v < s.n; v += gridDim.x * blockDim.x) {
    s.distance[v] = s.is_source(v) ? 0 : Path<W>::infinity;
    s.relaxed_at[v] = Path<W>::infinity;
  }
  if (threadIdx.x == 0) {
    shared.stash.count = 0;
    for (int i = 0; i < 3; ++i) shared.near_count[i] = 0;
    shared.far_count[0] = shared.far_count[1] = 0;
  }
}

template <class W, class Offset, class Sizes>
__device__ void settle(
    const Solver<W, Offset, Sizes>& s, W dense_step, W sparse_step, int patience, bool fixed, int* turn) {
  const Start how = dense_start(s, dense_step, patience, turn);
  const auto bound = shared_of_block<W, Offset, Sizes>().buckets.high;
  if (how == Start::finished) return;
  if (how == Start::pull) {
    for (int again = 0; again < 2; ++again) {
      Tally* now = next_tally(s.turns, turn);
      pull<W, Offset, Sizes>(bound, again != 0, now);
      grid_sync(s.barrier);
      if (again && !read(now).changed) return;
    }
  } else {
    sweep<W, Offset, Sizes>(bound, bound, Path<W>::infinity, true, next_tally(s.turns, turn));
    grid_sync(s.barrier);
  }
  near_far(s, bound, sparse_step, fixed, turn);
}

template <class W, class Offset, class Sizes, class Tree>
__global__ void __launch_bounds__(Sizes::BLOCK, resident<W, Offset, Sizes>)
    fused(const __grid_constant__ FusedParameters<W, Offset> given) {
  using Key = typename Path<W>::Key;
  auto& shared = shared_of_block<W, Offset, Sizes>();
  auto& s = shared.solver;
  if (threadIdx.x == 0)
    s = Solver<W, Offset, Sizes>{
        given.n,
        given.one,
        static_cast<unsigned long long>(given.m),
        {given.out_indptr, given.out_indices, given.out_values},
        {given.in_indptr, given.in_indices, given.in_values},
        reinterpret_cast<Key*>(given.distance),
        reinterpret_cast<Key*>(given.relaxed_at),
        given.queues,
        given.capacity,
        given.sources,
        given.source,
        reinterpret_cast<Tally*>(given.counts + TALLIES),
        reinterpret_cast<Counts<W>*>(given.counts + COUNTS),
        reinterpret_cast<unsigned*>(given.counts)};
  __syncthreads();
  int turn = 0;
  clear(s, shared);
  grid_sync(s.barrier);
  settle(s, given.dense_step, given.sparse_step, given.patience, given.fixed != 0, &turn);
  if (Tree::grows && given.tree) {
    grid_sync(s.barrier);
    grow_tree(s, given.parent, &turn);
  }
  if (leads()) s.counts->turns = turn;
}
