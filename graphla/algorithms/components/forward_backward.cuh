// label[v] = the smallest vertex r with a path from r to v and one from v to r.
//
// The searches from a pivot, along the arcs and against them, separate four parts: the component of the pivot,
// what it reaches, what reaches it, and the rest. No component lies in two parts. Within a part each vertex learns the
// smallest vertex h that reaches it (`source`) and the smallest t that it reaches (`towards`); where they are the same,
// that is its label.
// Arcs between vertices that differ in h or t join no component. They are dropped, and the rest goes on.
//
// A thread owns an arc, or a vertex in the steps between. h[h[u]] reaches u, too: a pass takes steps of any length.
// Loads race on purpose: an old h only makes another pass necessary. Once few vertices learn anything in a pass they
// are listed, and only their arcs are looked at; a warp takes what it makes learn itself. If one of them has a long
// row, or they outgrow the list, all arcs are due again.
//
// compiled: begin_parts<Offset> with Offset = int | long long; hot
// compiled: forward_backward<Offset> with Offset = int | long long; hot
// compiled: weigh_pivots<Offset> with Offset = int | long long; hot
// compiled: find_pivot; hot
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"
#include "headers/trail.cuh"

#include "forward_backward.py"  // AHEAD, FEW, LONG_ROW, THREADS

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
  const Offset* out_indptr;
  const Offset* in_indptr;
  const int* in_indices;
  int* source;
  int* towards;
  int* other_source;
  int* other_towards;
  Offset* list;
  Offset* other;
  int* queue;
  int* next;
  unsigned long long* counts;
  int* learned;
  int* wide;
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

// The smallest vertex that u knows of, and that this one knows of.
__device__ __forceinline__ int look_up(int* x, int u, bool& learns) {
  const int known = load_racing(x + u), least = load_racing(x + known);
  if (least < known) learns |= least < atomicMin(x + u, least);
  return least;
}

// Whether v did not know of it.
__device__ __forceinline__ bool hand_on(int* x, int least, int v) {
  return least < load_racing(x + v) && least < atomicMin(x + v, least);
}

template <class Offset>
struct Colours {
  ColourParameters<Offset> given;
  Offset* list;
  Offset* other;
  int* source;
  int* towards;
  const int* was_source;  // of the turn before; or the part, twice
  const int* was_towards;

  // Puts the arcs that `keep` wants, of `count` that `arc` names, into a list.
  template <class Arc, class Keep>
  __device__ __forceinline__ void collect(
      long long count, Arc arc, Keep keep, Offset* into, unsigned long long* size) const {
    for (const long long i : grid_range((count + 31) & ~31LL)) {
      const Offset e = i < count ? arc(i) : 0;
      warp_append(i < count && keep(given.tails[e], given.heads[e]), e, into, size);
    }
  }
  // All arcs of the list. Counts the vertices that learn something, or lists them.
  __device__ __forceinline__ void pass_all(long long count, bool lists, int* next, int* learned) const {
    int mine = 0;
    for (const long long i : grid_range((count + 31) & ~31LL)) {
      const Offset e = i < count ? list[i] : 0;
      const int u = given.tails[e], v = given.heads[e];
      bool at_u = false, at_v = false;
      if (i < count) {
        at_v |= hand_on(source, look_up(source, u, at_u), v);
        at_u |= hand_on(towards, look_up(towards, v, at_v), u);
      }
      if (lists) {
        append_within(at_u, u, next, learned, given.n);
        append_within(at_v, v, next, learned, given.n);
      }
      mine += at_u + at_v;
    }
    if (lists) return;
    mine = block_reduce(mine);
    if (threadIdx.x == 0 && mine) atomicAdd(learned, min(mine, 1 << 20));  // enough, and no sum of them overflows
  }
  // Whether the ends of an arc have been the same in every turn so far.
  __device__ __forceinline__ bool joins(int u, int v) const {
    return (was_source[u] == was_source[v]) & (was_towards[u] == was_towards[v]);  // loads that do not wait
  }
  // What each lane's vertex knows of goes on along its row; -1 is none. A lane's loads are under way together.
  __device__ __forceinline__ void hand_along(
      int v, const Offset* indptr, const int* indices, int* x, Trail& trail) const {
    const Offset begin = v < 0 ? 0 : indptr[v], end = v < 0 ? 0 : indptr[v + 1];
    bool learns = false;  // v looks at all of its arcs anyway
    const int length = static_cast<int>(end - begin), least = v < 0 ? 0 : look_up(x, v, learns);
    for (int i = 0, longest = warp_reduce(length, Most()); i < longest; i += AHEAD) {
      int u[AHEAD];
      bool lower[AHEAD];
#pragma unroll
      for (int k = 0; k < AHEAD; ++k) u[k] = i + k < length ? load_constant(indices + begin + i + k) : v;
#pragma unroll
      for (int k = 0; k < AHEAD; ++k) lower[k] = i + k < length && ((least < load_racing(x + u[k])) & joins(v, u[k]));
#pragma unroll
      for (int k = 0; k < AHEAD; ++k) lower[k] = lower[k] && least < atomicMin(x + u[k], least);
#pragma unroll
      for (int k = 0; k < AHEAD; ++k) trail.add(lower[k], u[k], true);
    }
  }
  __device__ __forceinline__ bool has_long_row(int v) const {
    return given.out_indptr[v + 1] - given.out_indptr[v] > LONG_ROW ||
           given.in_indptr[v + 1] - given.in_indptr[v] > LONG_ROW;
  }
  // The arcs of listed vertices, and of those that learn something by them.
  __device__ __forceinline__ void pass_listed(const int* now, int size, int* next, int* learned, int* wide) const {
    __shared__ int own[THREADS / 32][OWN];
    Trail trail{own[warp_index()], 0, next, learned, given.n};
    trail.take_all(now, size, [&](int v) {
      const bool is_wide = v >= 0 && has_long_row(v);
      if (is_wide) store_racing(wide, 1);
      hand_along(is_wide ? -1 : v, given.out_indptr, given.heads, source, trail);
      hand_along(is_wide ? -1 : v, given.in_indptr, given.in_indices, towards, trail);
    });
  }
  // Passes until no vertex learns anything.
  __device__ __forceinline__ void spread(long long count, int& pass) const {
    bool all = true, lists = false;
    for (int size = 0;; ++pass) {
      const int turn = pass % 3, later = (pass + 1) % 3;
      if (blockIdx.x == 0 && threadIdx.x == 0) given.learned[later] = given.wide[later] = 0;
      int *const now = pass & 1 ? given.queue : given.next, *const next = pass & 1 ? given.next : given.queue;
      if (all) pass_all(count, lists, next, given.learned + turn);
      else pass_listed(now, size, next, given.learned + turn, given.wide + turn);
      grid_sync(given.barrier);
      size = read_for_block(given.learned + turn);
      const bool is_wide = read_for_block(given.wide + turn) != 0;
      if (!size && !is_wide) break;
      const bool fits = size <= given.n && !is_wide;
      all = !(lists && fits);
      lists = !all || size < given.n / FEW;
    }
    ++pass;
  }
  __device__ __forceinline__ void restart() const {
    for (const int v : grid_range(given.n)) source[v] = towards[v] = v;
  }
  __device__ __forceinline__ void label_found() const {
    for (const int v : grid_range(given.n)) {
      if (given.state[v] == FOUND || source[v] != towards[v]) continue;
      given.label[v] = source[v];
      given.state[v] = FOUND;
    }
  }
};

template <class Offset>
__global__ void forward_backward(ColourParameters<Offset> given) {
  const int* const state = given.state;
  Colours<Offset> colours{given, given.list, given.other, given.source, given.towards, state, state};
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
    int *const source = colours.source, *const towards = colours.towards;
    colours.collect(
        count, [list](long long i) { return list[i]; },
        [source, towards](int u, int v) {
          return source[u] == source[v] && towards[u] == towards[v] && source[u] != towards[u];
        },
        colours.other, given.counts + 1 - turn);
    grid_sync(given.barrier);
    count = static_cast<long long>(read_for_block(given.counts + 1 - turn));
    colours.list = colours.other;
    colours.other = const_cast<Offset*>(list);
    colours.was_source = source;
    colours.was_towards = towards;
    colours.source = source == given.source ? given.other_source : given.source;
    colours.towards = towards == given.towards ? given.other_towards : given.towards;
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
