// What ranks exchange in a round: those of their own vertices that move, each with its new group.
#pragma once

#include "rounds.cuh"

// The class of the round; moves of this rank, what is counted of them: how many they are, whether a vertex of it waits,
// and how many rows are long; their number once the host knows it; moves of all ranks.
struct ExchangeParameters {
  int number;
  long long* own;
  Number* counts;
  long long count;
  long long many;
  const long long* moves;
};

__device__ __forceinline__ int vertex_of(long long move) { return static_cast<int>(move >> 32); }
__device__ __forceinline__ int group_of(long long move) { return static_cast<int>(move & 0x7fffffff); }

// The moves of the vertices of a round, once they have proposed; its counts are zero again.
template <class Offset, class Policy>
__device__ __forceinline__ void list_moves(
    const Rounds<Offset, Policy>& rounds, const ExchangeParameters& given, bool waiting) {
  const RoundParameters& held = rounds.policy.given;
  const long long narrow = rounds.many(&rounds.now()->narrow), all = narrow + rounds.many(&rounds.now()->wide);
  const long long padded = (all + 31) & ~31LL;
  for (const long long i : grid_range(padded)) {
    const int v = i < narrow ? held.queue[i] : i < all ? held.queue[rounds.level.n + i - narrow] : 0;
    const long long move = static_cast<long long>(v) << 32 | held.wanted[v];
    warp_append(i < all && rounds.policy.moves(v), move, given.own, &rounds.now()->moved);
  }
  rounds.sync();
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  given.counts[0] = load_fresh(&rounds.now()->moved);
  given.counts[1] = waiting;
  given.counts[2] = 0;
  *rounds.now() = {};
}

// work(team, i, v) for the vertices of moves: a warp has those with rows of at most WARP_ROW entries, a block others.
template <class Offset, class Policy, class Work>
__device__ __forceinline__ void over_moves(const Rounds<Offset, Policy>& rounds, const Offset* indptr,
                                           const long long* moves, long long many, Number* wide, const Work& work) {
  int* queue = rounds.policy.given.queue;
  for (long long i = rounds.warp(); i < many; i += rounds.warps()) {
    const int v = vertex_of(moves[i]);
    if (indptr[v + 1] - indptr[v] <= WARP_ROW) work(Team<false>::here(), i, v);
    else if (lane_index() == 0) queue[atomicAdd(wide, Number{1})] = static_cast<int>(i);
  }
  rounds.sync();
  const unsigned left = rounds.many(wide);
  for (unsigned k = blockIdx.x; k < left; k += gridDim.x) {
    const long long i = queue[k];
    work(Team<true>::here(), i, vertex_of(moves[i]));
  }
}
