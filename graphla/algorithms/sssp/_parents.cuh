// The tree for given distances, for the methods that find distances alone.
//
// compiled: parents<W, Offset, Sizes> with W = float | int | unsigned; Offset = int | long long;
//   Sizes = Dense | Sparse | Road; hot on sm_90
// compiled: parents<W, Offset, Sizes> with W = double | long long | unsigned long long; Offset = long long | int;
//   Sizes = Dense | Sparse | Road; hot on sm_90
#pragma once

#include "_common.cuh"
#include "_rows.cuh"
#include "_sizes.cuh"
#include "_state.cuh"
#include "_tree.cuh"

template <typename W, typename Offset, typename Sizes>
__global__ void __launch_bounds__(Sizes::BLOCK, resident<W, Offset, Sizes>)
    parents(const Offset* in_start, const int* in_target, const W* in_weight, W* distance, int* parent,
            unsigned long long* shared_counts, int n, int source) {
  auto& room = room_of_block<W, Offset, Sizes>();
  if (threadIdx.x == 0) {
    room.stash.count = 0;
    room.solver.n = room.solver.one = n;
    room.solver.source = source;
    room.solver.in = {in_start, in_target, in_weight};
    room.solver.distance = reinterpret_cast<typename Path<W>::Key*>(distance);
    room.solver.turns = reinterpret_cast<Tally*>(shared_counts + 8);
    room.solver.barrier = reinterpret_cast<unsigned*>(shared_counts);
  }
  __syncthreads();
  int turn = 0;
  grow_tree(room.solver, parent, &turn);
}
