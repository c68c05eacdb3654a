// d[source] = 0, d[v] = min over arcs (u, v) of d[u] + w(u, v), for weights that are not negative: one
// cooperative launch from the first relaxation to the last parent; a batch of sources is as many copies
// of the graph. A dense start sweeps buckets and then pulls, or hands over to near-far queues where the graph
// is deep; rows are sorted by weight. What is the same for a whole block (where the arrays are, how far the
// solve has come) stays in shared memory and is read there: two blocks of 512 threads leave 64 registers a
// thread. Distances or offsets of 64 bits take 100 to 120, so one block is resident, and nothing spills either.
//
// compiled: fused<W, int, Dense> with W = float | int | unsigned; hot on sm_90
// compiled: fused<W, Offset, Sizes> with W = int | float | unsigned; Offset = long long | int;
//   Sizes = Dense | Sparse | Road; hot on sm_90
// compiled: fused<W, Offset, Sizes> with W = double | long long | unsigned long long; Offset = int | long long;
//   Sizes = Road | Dense | Sparse; hot on sm_90
#pragma once

#include "_common.cuh"
#include "_dense.cuh"
#include "_near_far.cuh"
#include "_rows.cuh"
#include "_sizes.cuh"
#include "_state.cuh"
#include "_tree.cuh"
#include "headers/primitives.cuh"

template <typename W, typename Offset, typename Sizes>
__device__ void clear(const Solver<W, Offset, Sizes>& s, Room<W, Offset, Sizes>& room) {
  const int rank = blockIdx.x * blockDim.x + threadIdx.x;
  for (int v = rank; v < s.n; v += gridDim.x * blockDim.x) {
    s.distance[v] = s.is_source(v) ? 0 : Path<W>::infinity;
    s.relaxed_at[v] = Path<W>::infinity;
  }
  if (threadIdx.x == 0) {
    room.stash.count = 0;
    for (int i = 0; i < 3; ++i) room.near_count[i] = 0;
    room.far_count[0] = room.far_count[1] = 0;
  }
}

template <typename W, typename Offset, typename Sizes>
__device__ void settle(
    const Solver<W, Offset, Sizes>& s, W dense_step, W sparse_step, int patience, bool fixed, int* turn) {
  const Start how = dense_start(s, dense_step, patience, turn);
  const auto bound = room_of_block<W, Offset, Sizes>().buckets.high;
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

template <typename W, typename Offset, typename Sizes>
__global__ void __launch_bounds__(Sizes::BLOCK, resident<W, Offset, Sizes>)
    fused(const Offset* out_start, const int* out_target, const W* out_weight, const Offset* in_start,
          const int* in_target, const W* in_weight, W* distance, W* relaxed_at, int* parent, int* queues,
          unsigned long long* shared_counts, const int* sources, int n, int one, long long m, int capacity, int source,
          W dense_step, W sparse_step, int patience, int fixed, int tree) {
  using Key = typename Path<W>::Key;
  auto& room = room_of_block<W, Offset, Sizes>();
  auto& s = room.solver;
  if (threadIdx.x == 0)
    s = Solver<W, Offset, Sizes>{
        n,
        one,
        static_cast<unsigned long long>(m),
        {out_start, out_target, out_weight},
        {in_start, in_target, in_weight},
        reinterpret_cast<Key*>(distance),
        reinterpret_cast<Key*>(relaxed_at),
        queues,
        capacity,
        sources,
        source,
        reinterpret_cast<Tally*>(shared_counts + 8),
        reinterpret_cast<Counts<W>*>(shared_counts + 32),
        reinterpret_cast<unsigned*>(shared_counts)};
  __syncthreads();
  int turn = 0;
  clear(s, room);
  grid_sync(s.barrier);
  settle(s, dense_step, sparse_step, patience, fixed != 0, &turn);
  if (tree) {
    grid_sync(s.barrier);
    grow_tree(s, parent, &turn);
  }
  if (leads()) s.counts->turns = turn;
}
