// color[v] = the least color that no neighbour of higher priority has.
//
// states[v] is the priority of v with the top bit set, and then its color. Vertices of long rows have the highest
// priorities. Warps first list, for each of them, the neighbours that go before it; then each warp takes the next
// vertex by falling priority, and waits for those on its list that could still take its color: its state is the least
// color that it can take itself. All that it waits for are taken already, by warps that run. Then a thread owns each
// vertex of a short row, and looks at it again and again until its neighbours of higher priority have colors, which fit
// into the bits of a word. Loads and stores of states race on purpose: an old state only makes another look necessary.
//
// compiled: asynchronous<Offset, LONG> with Offset = int | long long; LONG = true | false; hot
// compiled: list_long<Offset> with Offset = int | long long; hot
#pragma once

#include "../shared/_hash.cuh"
#include "headers/primitives.cuh"

#include "_order.py"        // FRACTION_BITS, HASH_BITS
#include "asynchronous.py"  // LONG_ROW, SPLIT_ROW, THREADS, WORDS

constexpr unsigned OPEN = 0x80000000u;
constexpr int AHEAD = 4;     // loads of a lane at once
constexpr int WATCHED = 32;  // vertices that a lane waits for at once
constexpr int WARPS = THREADS / 32;

// Vertices of many neighbours have high priorities; among about as many a hash decides.
__device__ __forceinline__ unsigned find_priority(int v, unsigned degree, unsigned seed) {
  const int extra = 31 - __clz(static_cast<int>(degree | 1)) - FRACTION_BITS, shift = extra > 0 ? extra : 0;
  const unsigned rank = (static_cast<unsigned>(shift) << FRACTION_BITS) + (degree >> shift);
  return rank << HASH_BITS | mix(static_cast<unsigned>(v) ^ seed) >> (32 - HASH_BITS);
}

// The priorities of the vertices of long rows, above their numbers, in any order.
template <class Offset>
__global__ void list_long(const Offset* indptr, int n, unsigned seed, long long* order, unsigned long long* count) {
  const long long padded = (n + 31LL) & ~31LL;
  for (const long long i : grid_range(padded)) {
    const int v = static_cast<int>(i);
    const unsigned degree = i < n ? static_cast<unsigned>(indptr[v + 1] - indptr[v]) : 0;
    const long long priority = degree < LONG_ROW ? 0 : find_priority(v, degree, seed);
    warp_append(degree >= LONG_ROW, priority << 31 | v, order, count);
  }
}

template <class Offset>
struct ColoringParameters {
  int n;
  int long_rows;
  unsigned seed;
  const Offset* indptr;
  const int* indices;
  const long long* order;
  int* lists;
  int* lengths;
  int* taken;
  unsigned* states;
  unsigned* barrier;
};

template <class Offset>
struct Coloring {
  ColoringParameters<Offset> given;

  __device__ __forceinline__ unsigned make_priority(int v) const {
    return OPEN | find_priority(v, static_cast<unsigned>(given.indptr[v + 1] - given.indptr[v]), given.seed);
  }
  // Whether u, in its state, has yet to get a color before v.
  __device__ __forceinline__ bool goes_before(int u, unsigned other, int v, unsigned mine) const {
    return (other & OPEN) && (other > mine || (other == mine && u > v));
  }
  // The i-th vertex of a long row by falling priority.
  __device__ __forceinline__ int find_long(int i) const {
    return static_cast<int>(load_constant(given.order + (given.long_rows - 1 - i)) & 0x7fffffff);
  }
  __device__ __forceinline__ long long find_degree(int v) const { return given.indptr[v + 1] - given.indptr[v]; }

  // The neighbours that go before v, among each `step` arcs the 32 * AHEAD of this warp.
  __device__ __forceinline__ void list_row(int v, int warp, int step) const {
    const long long first = given.indptr[v], last = given.indptr[v + 1];
    const unsigned mine = given.states[v];
    for (long long at = first + warp * 32 * AHEAD; at < last; at += step) {
      int heads[AHEAD];
      unsigned others[AHEAD];
      for (int j = 0; j < AHEAD; ++j) {
        const long long k = at + 32 * j + lane_index();
        heads[j] = k < last ? load_once(given.indices + k) : v;
      }
      for (int j = 0; j < AHEAD; ++j) others[j] = given.states[heads[j]];
      for (int j = 0; j < AHEAD; ++j) {
        const bool before = goes_before(heads[j], others[j], v, mine);
        warp_append(before, heads[j], given.lists + first, given.lengths + v);
      }
    }
  }
  // A block takes a row that many warps can share, and a warp any other.
  __device__ __forceinline__ void list_rows() const {
    for (int i = static_cast<int>(blockIdx.x); i < given.long_rows; i += static_cast<int>(gridDim.x)) {
      const int v = find_long(i);
      if (find_degree(v) < SPLIT_ROW) break;
      list_row(v, warp_index(), WARPS * 32 * AHEAD);
    }
    const int warps = static_cast<int>(gridDim.x) * WARPS;
    for (int i = static_cast<int>(blockIdx.x) * WARPS + warp_index(); i < given.long_rows; i += warps) {
      const int v = find_long(i);
      if (find_degree(v) < SPLIT_ROW) list_row(v, 0, 32 * AHEAD);
    }
  }

  // The colors on a list from `base` on, as bits, once all have one. Every lane calls this. A lane that waits watches
  // the last vertex of its part only, which comes after the others: to watch all would keep the cache busy.
  __device__ __forceinline__ void collect(const int* list, int length, unsigned base, unsigned* used) const {
    for (int at = lane_index(); at - lane_index() < length; at += 32 * WATCHED) {
      int heads[WATCHED];
      unsigned found[WATCHED];
      for (int j = 0; j < WATCHED; ++j) heads[j] = at + 32 * j < length ? list[at + 32 * j] : -1;
      for (int j = 0; j < WATCHED; ++j) found[j] = heads[j] < 0 ? 0 : load_fresh(given.states + heads[j]);
      for (int last = find_last(heads, found); __any_sync(WHOLE_WARP, last >= 0); last = find_last(heads, found)) {
        if (last < 0) continue;
        if (load_fresh(given.states + last) & OPEN) emulator_yield();
        else look_again(heads, found);
      }
      for (int j = 0; j < WATCHED; ++j) {
        const unsigned bit = found[j] - base;
        if (heads[j] >= 0 && bit < 32 * WORDS) atomicOr(used + (bit >> 5), 1u << (bit & 31));
      }
    }
    __syncwarp();
  }
  // Of the vertices without a color that of the lowest priority, or -1.
  __device__ __forceinline__ int find_last(const int (&heads)[WATCHED], const unsigned (&found)[WATCHED]) const {
    unsigned lowest = 0xffffffffu;
    int last = -1;
    for (int j = 0; j < WATCHED; ++j) {
      if (!(found[j] & OPEN) || found[j] > lowest) continue;
      lowest = found[j];
      last = heads[j];
    }
    return last;
  }
  __device__ __forceinline__ void look_again(const int (&heads)[WATCHED], unsigned (&found)[WATCHED]) const {
    for (int j = 0; j < WATCHED; ++j) {
      if (found[j] & OPEN) found[j] = load_fresh(given.states + heads[j]);
    }
  }
  // The first zero among the bits of some words, or -1.
  __device__ __forceinline__ int find_free(const unsigned* used, int words) const {
    for (int at = 0; at < words; at += 32) {
      const unsigned free = at + lane_index() < words ? ~used[at + lane_index()] : 0;
      const unsigned votes = __ballot_sync(WHOLE_WARP, free != 0);
      if (!votes) continue;
      const int leader = __ffs(static_cast<int>(votes)) - 1;
      return (at + leader) * 32 + __ffs(static_cast<int>(__shfl_sync(WHOLE_WARP, free, leader))) - 1;
    }
    return -1;
  }
  // A vertex takes a color as soon as those on its list that wait still can only take larger ones. Its state meanwhile
  // is the least color that it can take itself. Every lane calls this, with the words all zero.
  __device__ __forceinline__ void color_early(int v, int length, unsigned* used) const {
    const int* const list = given.lists + given.indptr[v];
    int heads[WATCHED];
    unsigned found[WATCHED], open = 0;
    for (int j = 0; j < WATCHED; ++j) heads[j] = lane_index() + 32 * j < length ? list[lane_index() + 32 * j] : -1;
    for (int j = 0; j < WATCHED; ++j) open |= static_cast<unsigned>(heads[j] >= 0) << j;
    for (int published = 0;;) {
      for (int j = 0; j < WATCHED; ++j) {
        if (open >> j & 1) found[j] = load_fresh(given.states + heads[j]);
      }
      for (int j = 0; j < WATCHED; ++j) {
        if (!(open >> j & 1) || (found[j] & OPEN)) continue;
        atomicOr(used + (found[j] >> 5), 1u << (found[j] & 31));
        open ^= 1u << j;
      }
      __syncwarp();
      const int free = find_free(used, length / 32 + 1);
      int blocker = -1;
      unsigned seen = 0;
      for (int j = 0; j < WATCHED; ++j) {
        if (!(open >> j & 1) || static_cast<int>(found[j] & ~OPEN) > free) continue;
        blocker = heads[j];
        seen = found[j];
      }
      const bool waits = __any_sync(WHOLE_WARP, blocker >= 0);
      const unsigned state = static_cast<unsigned>(free) | (waits ? OPEN : 0);
      if (lane_index() == 0 && (!waits || free > published)) store_racing(given.states + v, state);
      if (!waits) return;
      published = free;
      for (bool changed = false; !__any_sync(WHOLE_WARP, changed);) {
        if (blocker >= 0) changed = load_fresh(given.states + blocker) != seen;
        if (!changed) emulator_yield();
      }
    }
  }
  // A list of k colors leaves one of the first k + 1.
  __device__ __forceinline__ void color_long(int v, unsigned* used) const {
    const int length = given.lengths[v], words = min(WORDS, length / 32 + 1);
    if (length < 32 * min(WATCHED, WORDS)) {
      for (int i = lane_index(); i < words; i += 32) used[i] = 0;
      __syncwarp();
      color_early(v, length, used);
      __syncwarp();
      return;
    }
    int free = -1;
    unsigned base = 0;
    for (; free < 0; base += 32 * WORDS) {
      for (int i = lane_index(); i < words; i += 32) used[i] = 0;
      __syncwarp();
      collect(given.lists + given.indptr[v], length, base, used);
      free = find_free(used, words);
      __syncwarp();
    }
    if (lane_index() == 0) store_racing(given.states + v, base - 32 * WORDS + static_cast<unsigned>(free));
  }
  __device__ __forceinline__ void color_long_rows() const {
    __shared__ unsigned used[WARPS][WORDS];
    for (;;) {
      int i = 0;
      if (lane_index() == 0) i = atomicAdd(given.taken, 1);
      i = __shfl_sync(WHOLE_WARP, i, 0);
      if (i >= given.long_rows) return;
      color_long(find_long(i), used[warp_index()]);
    }
  }

  // The color of a vertex of a short row, or -1 if it has to wait.
  __device__ __forceinline__ int try_short(int v, unsigned mine) const {
    unsigned used = 0;
    bool waits = false;
    for (Offset k = given.indptr[v], end = given.indptr[v + 1]; k < end && !waits; k += AHEAD) {
      int heads[AHEAD];
      unsigned found[AHEAD];
      for (int j = 0; j < AHEAD; ++j) heads[j] = k + j < end ? load_constant(given.indices + k + j) : v;
      for (int j = 0; j < AHEAD; ++j) found[j] = heads[j] == v ? mine : load_fresh(given.states + heads[j]);
      for (int j = 0; j < AHEAD; ++j) {
        waits |= goes_before(heads[j], found[j], v, mine);
        if (found[j] < 32) used |= 1u << found[j];
      }
    }
    return waits ? -1 : __ffs(static_cast<int>(~used)) - 1;
  }
  __device__ __forceinline__ void color_short_rows() const {
    for (bool again = true; again;) {
      again = false;
      for (const int v : grid_range(given.n)) {
        const unsigned mine = load_fresh(given.states + v);
        if (!(mine & OPEN) || (mine & ~OPEN) >> HASH_BITS >= LONG_ROW) continue;
        const int color = try_short(v, mine);
        if (color >= 0) store_racing(given.states + v, static_cast<unsigned>(color));
        else again = true;
      }
      if (again) emulator_yield();
    }
  }
};

template <class Offset, bool LONG>
__global__ void asynchronous(ColoringParameters<Offset> given) {
  const Coloring<Offset> coloring{given};
  for (const int v : grid_range(given.n)) given.states[v] = coloring.make_priority(v);
  grid_sync(given.barrier);
  if constexpr (LONG) {
    coloring.list_rows();
    grid_sync(given.barrier);
    for (const int i : grid_range(given.long_rows)) given.states[coloring.find_long(i)] = OPEN;
    grid_sync(given.barrier);
    coloring.color_long_rows();
    grid_sync(given.barrier);
  }
  coloring.color_short_rows();
}
