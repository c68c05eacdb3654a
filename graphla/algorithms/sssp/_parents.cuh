// The parents for given distances, for the methods that compute distances alone.
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

template <class W, class Offset, class Sizes>
__global__ void __launch_bounds__(Sizes::BLOCK, resident<W, Offset, Sizes>)
    parents(const Offset* indptr, const int* indices, const W* values, W* distance, int* parent,
            unsigned long long* counts, int n, int source) {
  auto& shared = shared_of_block<W, Offset, Sizes>();
  if (threadIdx.x == 0) {
    shared.stash.count = 0;
    shared.solver.n = shared.solver.one = n;
    shared.solver.source = source;
    shared.solver.in = {indptr, indices, values};
    shared.solver.distance = reinterpret_cast<typename Path<W>::Key*>(distance);
    shared.solver.turns = reinterpret_cast<Tally*>(counts + TALLIES);
    shared.solver.barrier = reinterpret_cast<unsigned*>(counts);
  }
  __syncthreads();
  int turn = 0;
  grow_tree(shared.solver, parent, &turn);
}
