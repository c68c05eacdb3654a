// What the whole grid shares while it solves, in global memory, and what a block keeps for itself.
#pragma once

#include "_common.cuh"
#include "_rows.cuh"
#include "headers/primitives.cuh"

enum class Start { sweep, finished, pull, sparse };

// How far the dense start has come. Each block keeps its own, by its thread 0, and all are the same.
template <typename W>
struct Buckets {
  typename Path<W>::Key low, high;
  Start then;
  int idle;                                             // sweeps since one that settled much
  bool advanced;                                        // the bucket is new
  unsigned long long settled, gained, relaxed, beyond;  // before this bucket, and in it
};

// Where near-far stands. The frontier is near(turn), what was put off is far(side).
template <typename W>
struct Standing {
  typename Path<W>::Key high;  // the frontier holds the vertices nearer than this
  W step;
  int turn, side, near, far, lost;
  int popped, rounds, first;  // since the step was last looked at: taken, rounds, taken for the first time
  unsigned long long beyond;  // ~(nearest distance in the pile), 0 if none
};

template <typename W>
struct Counts {
  unsigned long long relaxed, rounds, turns;
  int near[3], far[3];
  Standing<W> standing;
};

template <typename W>
__device__ Standing<W> standing_of(const Counts<W>* counts) {
  const auto& there = counts->standing;
  return Standing<W>{
      load_fresh(&there.high),   load_fresh(&there.step),  load_fresh(&there.turn),  load_fresh(&there.side),
      load_fresh(&there.near),   load_fresh(&there.far),   load_fresh(&there.lost),  load_fresh(&there.popped),
      load_fresh(&there.rounds), load_fresh(&there.first), load_fresh(&there.beyond)};
}

template <typename W, typename Offset, typename Sizes>
struct Solver {
  using Key = typename Path<W>::Key;
  int n, one;  // vertices of all copies of the graph, and of one
  unsigned long long m;
  Arcs<W, Offset> out, in;
  Key* distance;
  Key* relaxed_at;  // the distance that a vertex had when it relaxed its arcs; it waits if it has less
  int* queues;
  int capacity;
  const int* sources;  // one a copy; null for `source` alone
  int source;
  Tally* turns;
  Counts<W>* counts;
  unsigned* barrier;
  // The first vertex of the copy that v is in: a batch of sources is a graph of as many copies.
  __device__ __forceinline__ int base(int v) const { return n == one ? 0 : v - v % one; }
  __device__ __forceinline__ bool is_source(int v) const {
    return n == one ? v == source : v % one == sources[v / one];
  }
  __device__ __forceinline__ int* near(int turn) const { return queues + (turn & 1 ? capacity : 0ll); }
  __device__ __forceinline__ int* far(int side) const { return queues + (side & 1 ? 3ll : 2ll) * capacity; }
};

template <typename W, typename Offset, typename Sizes>
struct Room {
  Stash<W, Offset, Sizes> stash;
  Tally tally, sum;
  int near[2][Sizes::NEAR], near_count[3];
  int far[Sizes::FAR], far_count[2];
  int base[2], stop;
  Buckets<W> buckets;
  Standing<W> standing;
  Solver<W, Offset, Sizes> solver;
};

// The block's own: by a name, so that the compiler sees that it is shared memory in every function.
template <typename W, typename Offset, typename Sizes>
__device__ __forceinline__ Room<W, Offset, Sizes>& room_of_block() {
  __shared__ Room<W, Offset, Sizes> room;
  return room;
}

__device__ __forceinline__ bool leads() { return blockIdx.x == 0 && threadIdx.x == 0; }

// The tally of this turn of the grid; that of the next is cleared.
__device__ __forceinline__ Tally* next_tally(Tally* turns, int* turn) {
  if (leads()) turns[(*turn + 1) % 3] = Tally{0, 0, 0, 0};
  return turns + (*turn)++ % 3;
}

__device__ __forceinline__ Tally read(const Tally* t) {
  return Tally{load_fresh(&t->relaxed), load_fresh(&t->settled), load_fresh(&t->beyond), load_fresh(&t->changed)};
}

// The bucket after [., high): it reaches beyond the nearest distance that waits.
template <typename W>
__device__ typename Path<W>::Key next_bound(typename Path<W>::Key high, W step, typename Path<W>::Key nearest) {
  const auto wide = Path<W>::plus(high > nearest ? high : nearest, step);
  return wide > nearest ? wide : nearest + 1;
}
