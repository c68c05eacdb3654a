// Of each tree the first edge that leaves it joins two trees, until none leaves any: best[root] = min (weight, edge).
//
// A thread owns an arc u -> v with u < v: an edge. In each round an edge whose ends have different roots offers itself
// to both, by an atomic minimum, and stays on the list; others leave it. Then a thread that owns a root joins its tree
// with the one at the other end. Edges have an order without ties, so these joins close no cycle, in any order.
//
// Where there are many edges per vertex, the lightest go first: those up to the key that `light` of SAMPLES are below.
// Most others are then within one tree, and are never on a list.
//
// compiled: boruvka<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"

#include "../shared/_trees.cuh"

#include "boruvka.py"  // SAMPLES

constexpr unsigned long long NO_EDGE = ~0ull;

template <class Offset>
struct ForestParameters {
  int n;
  Offset arcs;
  const Offset* indptr;
  const int* tails;
  const int* heads;
  const unsigned* order;
  unsigned flip;
  int light;
  int* parent;
  unsigned long long* best;
  unsigned* list;
  unsigned* other;
  unsigned* counts;
  unsigned* taken;
  Offset* found;
  unsigned* found_of_block;
  unsigned* barrier;
};

template <class Offset>
struct Forest {
  ForestParameters<Offset> given;

  __device__ __forceinline__ unsigned long long make_key(unsigned e) const {
    return static_cast<unsigned long long>(load_constant(given.order + e) ^ given.flip) << 32 | e;
  }
  // The key of the sample that `light` of SAMPLES are below; every block finds the same.
  __device__ __forceinline__ unsigned long long choose_threshold() const {
    __shared__ unsigned long long sample[SAMPLES];
    __shared__ unsigned long long threshold;
    for (const int i : block_range(0, SAMPLES))
      sample[i] = make_key(static_cast<unsigned>(static_cast<unsigned long long>(i) * given.arcs / SAMPLES));
    __syncthreads();
    for (const int i : block_range(0, SAMPLES)) {
      int below = 0;
      for (int k = 0; k < SAMPLES; ++k) below += sample[k] < sample[i];
      if (below == given.light) threshold = sample[i];
    }
    __syncthreads();
    return threshold;
  }
  __device__ __forceinline__ void offer(int root, unsigned long long key) const {
    if (key < load_racing(given.best + root)) atomicMin(given.best + root, key);
  }
  // Whether an edge joins two trees; it offers itself to both.
  __device__ __forceinline__ bool offer_to_ends(int u, int v, unsigned long long key) const {
    const int a = find_root(given.parent, u), b = find_root(given.parent, v);
    if (a == b) return false;
    offer(a, key);
    offer(b, key);
    return true;
  }
  // The edges with keys in (low, high], read from the rows.
  __device__ __forceinline__ void begin_list(
      unsigned long long low, unsigned long long high, bool below, unsigned* count) const {
    const long long padded = (static_cast<long long>(given.arcs) + 31) & ~31LL;
    for (const long long i : grid_range(padded)) {
      const unsigned e = static_cast<unsigned>(i);
      bool wanted = i < static_cast<long long>(given.arcs);
      if (wanted) {
        const unsigned long long key = make_key(e);
        wanted = below ? key <= high : key > low;
        if (wanted) {
          const int u = load_constant(given.tails + e), v = load_constant(given.heads + e);
          wanted = u < v && offer_to_ends(u, v, key);
        }
      }
      warp_append(wanted, e, given.list, count);
    }
  }
  __device__ __forceinline__ void shorten_list(
      const unsigned* list, unsigned size, unsigned* other, unsigned* count) const {
    const long long padded = (static_cast<long long>(size) + 31) & ~31LL;
    for (const long long i : grid_range(padded)) {
      const unsigned e = i < size ? list[i] : 0;
      const bool wanted =
          i < size && offer_to_ends(load_constant(given.tails + e), load_constant(given.heads + e), make_key(e));
      warp_append(wanted, e, other, count);
    }
  }
  // The arc v -> u, in a row that has it.
  __device__ __forceinline__ Offset find_reverse(int u, int v) const {
    Offset begin = given.indptr[v], end = given.indptr[v + 1];
    while (end - begin > 1) {
      const Offset middle = begin + (end - begin) / 2;
      if (load_constant(given.heads + middle) <= u) begin = middle;
      else end = middle;
    }
    return begin;
  }
  __device__ __forceinline__ void join_all() const {
    for (const int v : grid_range(given.n)) {
      const unsigned long long key = given.best[v];
      if (key == NO_EDGE) continue;
      given.best[v] = NO_EDGE;
      const unsigned e = static_cast<unsigned>(key);
      const int tail = load_constant(given.tails + e), head = load_constant(given.heads + e);
      join_trees(given.parent, find_root(given.parent, tail), head);
      if (bit_set(given.taken, e)) bit_set(given.taken, find_reverse(tail, head));
    }
  }
  // Rounds until no edge of the list joins two trees. counts[k % 3] is the length of the list of round k.
  __device__ __forceinline__ void run_rounds(int& round) const {
    unsigned *list = given.list, *other = given.other;
    for (unsigned size; (size = read_for_block(given.counts + round % 3)) != 0; ++round) {
      join_all();
      if (blockIdx.x == 0 && threadIdx.x == 0) given.counts[(round + 1) % 3] = 0;
      grid_sync(given.barrier);
      shorten_list(list, size, other, given.counts + (round + 1) % 3);
      grid_sync(given.barrier);
      unsigned* const before = list;
      list = other;
      other = before;
    }
  }
  // The positions of the arcs that are taken, in order. Each block has a range of the words.
  __device__ __forceinline__ void list_taken() const {
    const long long words = (static_cast<long long>(given.arcs) + 31) / 32;
    const long long share = (words + gridDim.x - 1) / gridDim.x;
    const long long first = min(words, share * blockIdx.x), last = min(words, first + share);
    unsigned mine = 0;
    for (const long long w : block_range(first, last)) mine += __popc(given.taken[w]);
    mine = block_reduce(mine);
    if (threadIdx.x == 0) given.found_of_block[blockIdx.x] = mine;
    grid_sync(given.barrier);
    unsigned before = 0;
    for (const int b : block_range(0, static_cast<int>(blockIdx.x))) before += load_fresh(given.found_of_block + b);
    unsigned place = block_reduce(before);
    for (long long w = first; w < last; w += blockDim.x) {
      unsigned bits = w + threadIdx.x < last ? given.taken[w + threadIdx.x] : 0;
      const Prefix<unsigned> prefix = block_exclusive_sum(static_cast<unsigned>(__popc(bits)));
      for (unsigned at = place + prefix.before; bits; bits &= bits - 1, ++at)
        given.found[at] = static_cast<Offset>((w + threadIdx.x) * 32 + __ffs(static_cast<int>(bits)) - 1);
      place += prefix.total;
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) given.counts[3] = place;
  }
};

template <class Offset>
__global__ void boruvka(ForestParameters<Offset> given) {
  const Forest<Offset> forest{given};
  for (const int v : grid_range(given.n)) {
    given.parent[v] = v;
    given.best[v] = NO_EDGE;
  }
  const bool filtered = given.light > 0;
  const unsigned long long threshold = filtered ? forest.choose_threshold() : NO_EDGE;
  grid_sync(given.barrier);
  int round = 0;
  forest.begin_list(0, threshold, true, given.counts);
  grid_sync(given.barrier);
  forest.run_rounds(round);
  if (filtered) {
    compress_trees(given.parent, given.n);
    grid_sync(given.barrier);
    forest.begin_list(threshold, NO_EDGE, false, given.counts + round % 3);
    grid_sync(given.barrier);
    forest.run_rounds(round);
  }
  forest.list_taken();
}
