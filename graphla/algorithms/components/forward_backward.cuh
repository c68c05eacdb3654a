// label[v] = the smallest vertex r with a path from r to v and one from v to r.
//
// The searches from a pivot, along the arcs and against them, separate four parts: the component of the pivot,
// what it reaches, what reaches it, and the rest. No component lies in two parts. Within a part each vertex learns the
// smallest vertex h that reaches it (`source`) and the smallest t that it reaches (`towards`); where they are the same,
// that is its label.
// Arcs between vertices that differ in h or t join no component. They are dropped, and the rest goes on.
//
// A thread owns an arc, or a vertex in the steps between. h[h[u]] reaches u, too: a pass takes steps of any length.
// Loads race on purpose: an old h only makes another pass necessary.
//
// compiled: begin_parts<Offset> with Offset = int | long long; hot
// compiled: forward_backward<Offset> with Offset = int | long long; hot
// compiled: weigh_pivots<Offset> with Offset = int | long long; hot
// compiled: find_pivot; hot
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"

constexpr int FOUND = 3;  // reached by the pivot, and reaches it

template <class Offset>
struct PartsParameters {
  int n;
  Offset arcs;
  const int* tails;
  const int* heads;
  const int* forward;
  const int* backward;
  int* state;
  int* label;
  int* smallest;
  unsigned long long* left;
  unsigned* barrier;
};

template <class Offset>
struct ColourParameters {
  int n;
  Offset arcs;
  const int* tails;
  const int* heads;
  int* state;
  int* label;
  int* source;
  int* towards;
  Offset* list;
  Offset* other;
  unsigned long long* counts;
  int* changed;
  unsigned* barrier;
};

// The part of every vertex, the label of those that are found, and how many arcs stay inside one of the other parts.
template <class Offset>
__global__ void begin_parts(PartsParameters<Offset> given) {
  int least = given.n;
  for (const int v : grid_range(given.n)) {
    const int part = (given.forward[v] >= 0 ? 1 : 0) | (given.backward[v] >= 0 ? 2 : 0);
    given.state[v] = part;
    given.label[v] = v;
    if (part == FOUND && v < least) least = v;
  }
  least = block_reduce(least, given.n, Least());
  if (threadIdx.x == 0 && least < given.n) atomicMin(given.smallest, least);
  grid_sync(given.barrier);
  const int smallest = load_fresh(given.smallest);
  for (const int v : grid_range(given.n))
    if (given.state[v] == FOUND) given.label[v] = smallest;
  Offset count = 0;
  for (const Offset e : grid_range(given.arcs)) {
    const int part = given.state[load_once(given.tails + e)];
    count += part != FOUND && part == given.state[load_once(given.heads + e)];
  }
  count = block_reduce(count);
  if (threadIdx.x == 0 && count) atomicAdd(given.left, static_cast<unsigned long long>(count));
}

// The smallest vertex that u knows of goes on to v; true if v did not know it.
__device__ __forceinline__ bool hand_on(int* x, int u, int v) {
  const int known = load_racing(x + u), least = load_racing(x + known);
  if (least < known) atomicMin(x + u, least);
  return least < load_racing(x + v) && least < atomicMin(x + v, least);
}

template <class Offset>
struct Colours {
  ColourParameters<Offset> given;
  Offset* list;
  Offset* other;

  // Puts the arcs that `keep` wants, of `count` that `arc` names, into a list.
  template <class Arc, class Keep>
  __device__ __forceinline__ void collect(
      long long count, Arc arc, Keep keep, Offset* into, unsigned long long* size) const {
    for (const long long i : grid_range((count + 31) & ~31LL)) {
      const Offset e = i < count ? arc(i) : 0;
      warp_append(i < count && keep(given.tails[e], given.heads[e]), e, into, size);
    }
  }
  // Passes over the arcs of the list until no vertex learns anything.
  __device__ __forceinline__ void spread(long long count, int& pass) const {
    for (bool again = true; again; ++pass) {
      if (blockIdx.x == 0 && threadIdx.x == 0) given.changed[(pass + 1) % 3] = 0;
      bool moved = false;
      for (const long long i : grid_range(count)) {
        const int u = given.tails[list[i]], v = given.heads[list[i]];
        moved |= hand_on(given.source, u, v);
        moved |= hand_on(given.towards, v, u);
      }
      if (moved) store_racing(given.changed + pass % 3, 1);
      grid_sync(given.barrier);
      again = read_for_block(given.changed + pass % 3) != 0;
    }
  }
  __device__ __forceinline__ void restart() const {
    for (const int v : grid_range(given.n)) given.source[v] = given.towards[v] = v;
  }
  __device__ __forceinline__ void label_found() const {
    for (const int v : grid_range(given.n)) {
      if (given.state[v] == FOUND || given.source[v] != given.towards[v]) continue;
      given.label[v] = given.source[v];
      given.state[v] = FOUND;
    }
  }
};

template <class Offset>
__global__ void forward_backward(ColourParameters<Offset> given) {
  Colours<Offset> colours{given, given.list, given.other};
  const int* const state = given.state;
  colours.collect(
      given.arcs, [](long long i) { return static_cast<Offset>(i); },
      [state](int u, int v) { return state[u] != FOUND && state[u] == state[v]; }, colours.list, given.counts);
  grid_sync(given.barrier);
  long long count = static_cast<long long>(read_for_block(given.counts));
  for (int turn = 0, pass = 0; count; turn = 1 - turn) {
    colours.restart();
    if (blockIdx.x == 0 && threadIdx.x == 0) given.counts[1 - turn] = 0;
    grid_sync(given.barrier);
    colours.spread(count, pass);
    colours.label_found();
    const Offset* const list = colours.list;
    const int *const source = given.source, *const towards = given.towards;
    colours.collect(
        count, [list](long long i) { return list[i]; },
        [source, towards](int u, int v) {
          return source[u] == source[v] && towards[u] == towards[v] && source[u] != towards[u];
        },
        colours.other, given.counts + 1 - turn);
    grid_sync(given.barrier);
    count = static_cast<long long>(read_for_block(given.counts + 1 - turn));
    Offset* const before = colours.list;
    colours.list = colours.other;
    colours.other = before;
  }
}

// products[v] = the arcs that leave v times those that enter it; and the largest of these.
template <class Offset>
__global__ void weigh_pivots(
    const Offset* leaving, const Offset* entering, int n, unsigned long long* products, unsigned long long* most) {
  unsigned long long mine = 0;
  for (const int v : grid_range(n)) {
    products[v] = static_cast<unsigned long long>(leaving[v + 1] - leaving[v]) *
                  static_cast<unsigned long long>(entering[v + 1] - entering[v]);
    if (products[v] > mine) mine = products[v];
  }
  mine = warp_reduce(mine, Most());
  if (lane_index() == 0) atomicMax(most, mine);
}

// The first vertex of the largest product.
__global__ void find_pivot(const unsigned long long* products, const unsigned long long* most, int n, int* first) {
  for (const int v : grid_range(n))
    if (products[v] == *most) atomicMin(first, v);
}
