// What the whole grid shares while it solves, in global memory, and what a block keeps in shared memory.
#pragma once

#include "_common.cuh"
#include "_rows.cuh"
#include "_sizes.py"  // COUNTS, TALLIES, WORDS
#include "headers/primitives.cuh"

enum class Start { sweep, finished, pull, sparse };

// The progress of the dense start. Thread 0 of each block keeps a copy; all copies are equal.
template <class W>
struct Buckets {
  typename Path<W>::Key low, high;
  Start then;
  int idle;                                             // sweeps since one that settled many vertices
  bool advanced;                                        // the bucket is new
  unsigned long long settled, gained, relaxed, beyond;  // before this bucket, and in it
};

// The progress of near-far. The frontier is near(turn), the deferred vertices are far(side).
template <class W>
struct Progress {
  typename Path<W>::Key high;  // the frontier holds the vertices nearer than this
  W step;
  int turn, side, near, far, lost;
  int popped, rounds,
      first;                  // since the step changed: vertices taken, rounds, first-time vertices
  unsigned long long beyond;  // ~(nearest distance in the far pile), 0 if none
};

template <class W>
struct Counts {
  unsigned long long relaxed, rounds, turns;
  int near[3], far[3];
  Progress<W> progress;
};

static_assert(3 * sizeof(Tally) <= (COUNTS - TALLIES) * 8, "three tallies stand before the counts");
static_assert(sizeof(Counts<double>) <= (WORDS - COUNTS) * 8, "the host allocates WORDS");

template <class W>
__device__ Progress<W> load_progress(const Counts<W>* counts) {
  const auto& there = counts->progress;
  return Progress<W>{
      load_fresh(&there.high),   load_fresh(&there.step),  load_fresh(&there.turn),  load_fresh(&there.side),
      load_fresh(&there.near),   load_fresh(&there.far),   load_fresh(&there.lost),  load_fresh(&there.popped),
      load_fresh(&there.rounds), load_fresh(&there.first), load_fresh(&there.beyond)};
}

template <class W, class Offset, class Sizes>
struct Solver {
  using Key = typename Path<W>::Key;
  int n, one;  // vertices of all copies of the graph, and of one
  unsigned long long m;
  Arcs<W, Offset> out, in;
  Key* distance;
  Key* relaxed_at;  // the distance of a vertex when it last relaxed its arcs; it waits if its distance is less now
  int* queues;
  int capacity;
  const int* sources;  // one per copy; not read where there is one copy
  int source;
  Tally* turns;
  Counts<W>* counts;
  unsigned* barrier;
  // The first vertex of the copy of the graph that v is in: a batch of sources is solved on as many copies.
  __device__ __forceinline__ int base(int v) const { return n == one ? 0 : v - v % one; }
  __device__ __forceinline__ bool is_source(int v) const {
    return n == one ? v == source : v % one == sources[v / one];
  }
  __device__ __forceinline__ int* near(int turn) const { return queues + (turn & 1 ? capacity : 0ll); }
  __device__ __forceinline__ int* far(int side) const { return queues + (side & 1 ? 3ll : 2ll) * capacity; }
};

template <class W, class Offset, class Sizes>
struct Shared {
  Stash<W, Offset, Sizes> stash;
  Tally tally, sum;
  int near[2][Sizes::NEAR], near_count[3];
  int far[Sizes::FAR], far_count[2];
  int base[2], stop;
  Buckets<W> buckets;
  Progress<W> progress;
  Solver<W, Offset, Sizes> solver;
};

// The block's shared memory: named here, so that the compiler knows in every function that it is shared.
template <class W, class Offset, class Sizes>
__device__ __forceinline__ Shared<W, Offset, Sizes>& shared_of_block() {
  __shared__ Shared<W, Offset, Sizes> shared;
  return shared;
}

__device__ __forceinline__ bool leads() { return blockIdx.x == 0 && threadIdx.x == 0; }

// The tally of this turn of the grid; clears that of the next.
__device__ __forceinline__ Tally* next_tally(Tally* turns, int* turn) {
  if (leads()) turns[(*turn + 1) % 3] = Tally{0, 0, 0, 0};
  return turns + (*turn)++ % 3;
}

__device__ __forceinline__ Tally read(const Tally* t) {
  return Tally{load_fresh(&t->relaxed), load_fresh(&t->settled), load_fresh(&t->beyond), load_fresh(&t->changed)};
}

// The end of the bucket after [., high): beyond the nearest distance that waits.
template <class W>
__device__ typename Path<W>::Key next_bound(typename Path<W>::Key high, W step, typename Path<W>::Key nearest) {
  const auto wide = Path<W>::plus(high > nearest ? high : nearest, step);
  return wide > nearest ? wide : nearest + 1;
}
