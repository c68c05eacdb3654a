// chosen[v] = no neighbour of higher priority is chosen.
//
// A thread owns a vertex, and looks at it again and again until it is decided. A vertex is chosen once none of its
// neighbours that are undecided has a higher priority; then its neighbours are not. The answer is that of a loop over
// the vertices by falling priority, whatever the order of threads. states[v] is the priority until v is decided, and
// then one of two numbers. Loads and stores race on purpose: an old state only makes another look necessary.
//
// compiled: asynchronous<Offset> with Offset = int | long long; hot
#pragma once

#include "_hash.cuh"
#include "headers/primitives.cuh"

#include "_order.py"  // CLASSES, HASH_BITS

constexpr unsigned LEFT_OUT = 0, CHOSEN = 0xffffffffu;

template <class Offset>
struct ChoiceParameters {
  int n;
  int average;
  unsigned seed;
  const Offset* indptr;
  const int* indices;
  unsigned* states;
  bool* chosen;
  unsigned* barrier;
};

template <class Offset>
struct Choice {
  ChoiceParameters<Offset> given;

  // From 1 on: the class, one more, above the hash.
  __device__ __forceinline__ unsigned make_priority(int v) const {
    const long long degree = static_cast<long long>(given.indptr[v + 1] - given.indptr[v]);
    const long long rank = static_cast<long long>(CLASSES) * given.average / (given.average + degree);
    return (static_cast<unsigned>(rank) << HASH_BITS | mix(static_cast<unsigned>(v) ^ given.seed) >> (32 - HASH_BITS)) +
           1;
  }
  // Whether no neighbour that may still be chosen goes first. Neighbours of one priority go by their numbers.
  __device__ __forceinline__ bool goes_first(int v, unsigned mine) const {
    for (Offset k = given.indptr[v], end = given.indptr[v + 1]; k < end; ++k) {
      const int u = load_constant(given.indices + k);
      const unsigned other = load_fresh(given.states + u);
      if (u != v && (other > mine || (other == mine && u > v))) return false;
    }
    return true;
  }
  __device__ __forceinline__ void choose(int v) const {
    store_racing(given.states + v, CHOSEN);
    for (Offset k = given.indptr[v], end = given.indptr[v + 1]; k < end; ++k) {
      const int u = load_constant(given.indices + k);
      if (u != v) store_racing(given.states + u, LEFT_OUT);
    }
  }
};

template <class Offset>
__global__ void asynchronous(ChoiceParameters<Offset> given) {
  const Choice<Offset> choice{given};
  for (const int v : grid_range(given.n)) given.states[v] = choice.make_priority(v);
  grid_sync(given.barrier);
  for (bool again = true; again;) {
    again = false;
    for (const int v : grid_range(given.n)) {
      const unsigned mine = load_fresh(given.states + v);
      if (mine == LEFT_OUT || mine == CHOSEN) continue;
      if (choice.goes_first(v, mine)) choice.choose(v);
      else again = true;
    }
    if (again) emulator_yield();
  }
  for (const int v : grid_range(given.n)) given.chosen[v] = load_fresh(given.states + v) == CHOSEN;
}
