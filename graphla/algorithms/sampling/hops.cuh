// A hop: the arcs that the vertices of a frontier draw from their rows, the new vertices, and numbers for them.
//
// A cooperative grid takes five steps, with a barrier after each: blocks add up how many arcs the vertices of their
// share draw; teams of lanes draw them; threads look up the heads in a table; blocks count in their share of the draws
// the arcs that are there and the vertices that come first; and write both. How many there are of all stays on the
// device, in `counts`: the next hop reads it there.
//
// compiled: hop<Offset, Time> with Offset = int | long long; Time = long long | double; hot on sm_80 sm_90 sm_100
#pragma once

#include "_hops_cuda.py"  // HOP_THREADS
#include "draws.cuh"
#include "numbers.cuh"

// What a hop draws before it is put together; a place for each draw.
struct DrawsParameters {
  long long* offsets;  // where the draws of each vertex of the frontier begin, in the share of its block
  long long* totals;   // the draws of each block's vertices; then, for each block's draws, arcs and new vertices
  int* drawers;        // the number of the vertex that draws
  long long* drawn;    // a place in the rows; -1: none
  int* slots;          // of the head in the table; its complement where the head first comes
};

// Where in `counts` the numbers stand that a hop reads, and the first of the three that it writes: vertices of the far
// kind and arcs of the relation so far, and draws of this hop.
struct CountsParameters {
  long long* counts;
  int begin;  // the number of the frontier's first vertex
  int end;
  int known;  // vertices of the far kind
  int arcs;   // of the relation
  int written;
};

template <class Offset, class Time>
struct HopParameters {
  RowsParameters<Offset, Time> rows;
  HowParameters how;
  NumbersParameters far;
  DrawsParameters draws;
  CountsParameters at;
  const long long* vertices;  // of the kind that draws
  const long long* trees;
  const Time* limits;      // of each tree
  const long long* seeds;  // of the far kind, which are not in the table yet
  const long long* seed_trees;
  int planted;  // how many these are
  long long room;
  long long* tails;
  long long* heads;
  long long* arcs;
  unsigned* barrier;
};

// A block's share of a list.
struct Range { long long begin, end; };
__device__ __forceinline__ Range share_of_block(long long count) {
  const long long each = (count + gridDim.x - 1) / gridDim.x, begin = each * blockIdx.x;
  return {begin < count ? begin : count, begin + each < count ? begin + each : count};
}

// The sum of what the blocks before this one have, and of what all have.
__device__ __forceinline__ Prefix<long long> add_blocks(const long long* totals) {
  long long before = 0, total = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) {
    const long long each = load_fresh(totals + b);
    total += each;
    if (b < blockIdx.x) before += each;
  }
  before = block_reduce(before);
  return {before, block_reduce(total)};
}

template <class Offset, class Time>
struct Hop {
  const HopParameters<Offset, Time>& given;
  long long first;  // the number of the frontier's first vertex
  Range mine;       // the block's share of the frontier

  __device__ __forceinline__ long long tree_of(long long number) const {
    return given.far.disjoint ? given.trees[number] : 0;
  }
  __device__ __forceinline__ Part part_of(long long i) const {
    const Time* limit = given.rows.timed ? given.limits + tree_of(first + i) : nullptr;
    return find_part(given.rows, given.how, given.vertices[first + i], limit);
  }

  __device__ __forceinline__ void plant() const {
    for (const int i : grid_range(given.planted)) {
      const long long tree = given.far.disjoint ? given.seed_trees[i] : 0;
      settle(given.far, find_slot(given.far, key_of(given.seeds[i], tree)), i);
    }
  }

  __device__ __forceinline__ void count_draws() const {
    long long before = 0;
    for (long long base = mine.begin; base < mine.end; base += HOP_THREADS) {
      const long long i = base + threadIdx.x;
      const Prefix<long long> sum = block_exclusive_sum(i < mine.end ? part_of(i).size : 0ll);
      if (i < mine.end) given.draws.offsets[i] = before + sum.before;
      before += sum.total;
    }
    if (threadIdx.x == 0) given.draws.totals[blockIdx.x] = before;
  }

  __device__ __forceinline__ void draw_for(long long i, long long before) const {
    const bool there = i < mine.end;
    const Part part = there ? part_of(i) : Part{0, 0, 0, 0};
    const long long from = there ? before + given.draws.offsets[i] : 0;
    const unsigned long long root =
        mix(given.how.seed ^ static_cast<unsigned long long>(there ? tree_of(first + i) : 0));
    const Drawer<Offset, Time> drawer{
        given.rows,
        given.how,
        part,
        mix(root ^ static_cast<unsigned long long>(part.vertex)),
        given.draws.drawn + from,
        given.draws.slots + from};
    drawer.draw_arcs();
#pragma unroll 1
    for (long long j = drawer.rank(); j < part.size; j += given.how.lanes)
      given.draws.drawers[from + j] = static_cast<int>(first + i);
  }

  __device__ __forceinline__ void look_up(long long draws) const {
    for (const long long j : grid_range(draws)) {
      const long long place = given.draws.drawn[j];
      if (place < 0) continue;
      const long long head = load_constant(given.rows.indices + place), tree = tree_of(given.draws.drawers[j]);
      const unsigned long long slot = find_slot(given.far, key_of(head, tree));
      given.draws.slots[j] = static_cast<int>(slot);
      atomicMax(given.far.numbers + slot, word_of_place(j));
    }
  }

  // Arcs that are there, and 2^32 times the vertices that come first.
  __device__ __forceinline__ long long count_new(Range share) const {
    long long found = 0;
    for (const long long j : block_range(share.begin, share.end)) {
      if (given.draws.drawn[j] < 0) continue;
      const int slot = given.draws.slots[j];
      const bool fresh = given.far.numbers[slot] == word_of_place(j);
      if (fresh) given.draws.slots[j] = ~slot;
      found += fresh ? (1ll << 32) + 1 : 1;
    }
    return block_reduce(found);
  }

  __device__ __forceinline__ void write(Range share, long long before, long long arcs, long long known) const {
    for (long long base = share.begin; base < share.end; base += HOP_THREADS) {
      const long long j = base + threadIdx.x, place = j < share.end ? given.draws.drawn[j] : -1;
      const int mark = place < 0 ? 0 : given.draws.slots[j], slot = mark < 0 ? ~mark : mark;
      const Prefix<long long> sum = block_exclusive_sum(place < 0 ? 0ll : mark < 0 ? (1ll << 32) + 1 : 1ll);
      const long long rank = before + sum.before, to = arcs + (rank & 0xffffffff);
      before += sum.total;
      if (place < 0) continue;
      given.tails[to] = given.draws.drawers[j];
      given.heads[to] = slot;
      given.arcs[to] = given.rows.placed ? load_constant(given.rows.places + place) : place;
      if (mark < 0) settle(given.far, static_cast<unsigned long long>(slot), known + (rank >> 32));
    }
  }
};

template <class Offset, class Time>
__global__ __launch_bounds__(HOP_THREADS) void hop(const __grid_constant__ HopParameters<Offset, Time> given) {
  long long* counts = given.at.counts;
  const long long first = counts[given.at.begin], known = counts[given.at.known], arcs = counts[given.at.arcs];
  const Hop<Offset, Time> hop{given, first, share_of_block(counts[given.at.end] - first)};
  hop.plant();
  hop.count_draws();
  grid_sync(given.barrier);
  const Prefix<long long> draws = add_blocks(given.draws.totals);
  const bool fits = draws.total <= given.room, writes = blockIdx.x == 0 && threadIdx.x == 0;
  if (writes) counts[given.at.written + 2] = draws.total;
  const long long teams = HOP_THREADS / given.how.lanes, team = threadIdx.x / given.how.lanes;
  for (long long base = hop.mine.begin; fits && base < hop.mine.end; base += teams)
    hop.draw_for(base + team, draws.before);
  grid_sync(given.barrier);
  hop.look_up(fits ? draws.total : 0);
  grid_sync(given.barrier);
  const Range share = share_of_block(fits ? draws.total : 0);
  const long long mine = hop.count_new(share);
  if (threadIdx.x == 0) given.draws.totals[gridDim.x + blockIdx.x] = mine;
  grid_sync(given.barrier);
  const Prefix<long long> found = add_blocks(given.draws.totals + gridDim.x);
  const long long fresh = found.total >> 32, there = found.total & 0xffffffff;
  hop.write(share, found.before, arcs, known);
  if (writes) {
    counts[given.at.written] = known + fresh;
    counts[given.at.written + 1] = arcs + there;
  }
  grid_sync(given.barrier);
  for (const long long to : grid_range(there))
    given.heads[arcs + to] = static_cast<long long>(~given.far.numbers[given.heads[arcs + to]]);
}
