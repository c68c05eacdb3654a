// A loop of expressions in one cooperative launch:
//
//   while slot `live` has entries (and at most `limit` rounds): before; t<mask> = M ⊕.⊗ v; after
//
// The statements are those of `Body`, rendered from what the user wrote. Grid barriers separate the product from the
// statements, which work on one index at a time. Each round pushes or pulls, by the same rule as a plan.
//
// compiled: loop<S, MatrixFirst, Offset, Body> with Body = loop.levels | loop.parents | loop.distances | loop.ranks;
//   Offset = int; hot on sm_90
// compiled: loop<S, MatrixFirst, Offset, Body> with Body = loop.parents | loop.distances; Offset = long long
#pragma once

#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"
#include "kernel.py"  // FROM_BYTES, FULL, MOST_NUMBERS, MOST_VECTORS, ONE, PULL_ALWAYS, STATE_WORDS
#include "loop_local.cuh"
#include "loop_pull.cuh"
#include "loop_push.cuh"
#include "loop_state.cuh"

struct One {  // an entry that is passed with the launch
  int place;
  Wide value;
};

// Writes the bits of the slots that come as presence bytes, full, or with one entry: two bits of `kinds` per slot. The
// bits of other slots are there already.
template <class Body>
__device__ void enter(const Slots& s, int kinds, const One& first, const One& second) {
  int ones = 0;
  for (int slot = 0; slot < Body::slots; ++slot) {
    const int kind = kinds >> 2 * slot & 3;
    if (kind == ONE) {
      const One one = ones++ ? second : first;
      if (leads()) {
        s.words_of(slot)[one.place >> 5] = 1u << (one.place & 31);
        Body::put(s, slot, one.place, one.value);
      }
    }
    if (kind != FROM_BYTES && kind != FULL) continue;
    for (int word = warp_of_grid(); word < s.words; word += warps_of_grid()) {
      const int i = word * 32 + lane_index();
      const bool there = i < s.n && (kind == FULL || s.present[slot][i]);
      const unsigned bits = __ballot_sync(WHOLE_WARP, there);
      if (lane_index() == 0) s.words_of(slot)[word] = bits;
    }
  }
}

// A word of bits as bytes, sixteen at once where their place allows.
__device__ __forceinline__ void write_bytes(unsigned char* bytes, unsigned bits, int count) {
  if (count == 32 && reinterpret_cast<unsigned long long>(bytes) % 16 == 0) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      Pack<unsigned, 4> pack;
#pragma unroll
      for (int k = 0; k < 4; ++k) pack[k] = (bits >> (16 * half + 4 * k) & 15u) * 0x00204081u & 0x01010101u;
      store_pack(reinterpret_cast<unsigned*>(bytes) + 4 * half, pack);
    }
  } else {
    for (int i = 0; i < count; ++i) bytes[i] = bits >> i & 1u;
  }
}

// The bits of the written slots as bytes and counted; all bits are clear again.
template <class Body>
__device__ void leave(const Slots& s, Wide* counted) {
  __shared__ int block[Body::slots];
  if (threadIdx.x < Body::slots) block[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (int slot = 0; slot < Body::slots; ++slot) {
    int count = 0;
    for (int word : grid_range(s.words)) {
      const unsigned bits = s.words_of(slot)[word];
      s.words_of(slot)[word] = 0;
      if (!(Body::written >> slot & 1u)) continue;
      count += __popc(bits);
      write_bytes(s.present[slot] + word * 32ll, bits, min(s.n - word * 32, 32));
    }
    count = warp_reduce(count);
    if (lane_index() == 0 && count) atomicAdd(&block[slot], count);
  }
  __syncthreads();
  if (threadIdx.x < Body::slots && block[threadIdx.x])
    atomicAdd(&counted[1 + threadIdx.x], static_cast<Wide>(block[threadIdx.x]));
}

// The product, from the side that is cheaper: by the mean degree of the operand's entries, and if that speaks for a
// push by their arcs, which are counted as they are queued. True if the places that it met are listed.
template <class S, class Side, class Offset, class Body>
__device__ bool multiply(const Choice& how, Progress& at, unsigned* barrier) {
  auto& loop = loop_of_block<S, Side, Offset>();
  Turn* const now = &loop.turns[at.turn % 3];
  const bool few = at.seen.entries <= how.listed;
  bool lists = false;
  bool pulls =
      how.direction == PULL_ALWAYS ||
      (!how.direction && !at.queued && how.pull_is_cheaper<Body>(at.seen, at.seen.entries * (how.arcs / how.filled)));
  if (!pulls) {
    if (!at.queued) {
      fill_queue<S, Side, Offset, Body>(at.turn, few);
      grid_sync(barrier);
      at.packed = read_for_block(&now->packed);
    }
    const Wide arcs = at.packed & ARC_MASK;
    pulls = !how.direction && how.pull_is_cheaper<Body>(at.seen, arcs);
    lists = Body::sparse && !pulls && few && arcs <= how.listed;
    if (!pulls && arcs) push<S, Side, Offset, Body>(team_of_grid(), at.packed, lists, now);
  }
  if (pulls) pull<S, Side, Offset, Body>(), ++at.pulled;
  grid_sync(barrier);
  return lists;
}

// A phase of statements: it counts into the next turn, and clears the one after that.
template <class S, class Side, class Offset, class Body>
__device__ void run_statements(bool after, bool before, bool decides, Progress& at, unsigned* barrier) {
  auto& loop = loop_of_block<S, Side, Offset>();
  Turn* const next = &loop.turns[(at.turn + 1) % 3];
  if (leads()) loop.turns[(at.turn + 2) % 3] = Turn{};
  statements<S, Side, Offset, Body>(after, before, decides, at.round, &next->tally);
  grid_sync(barrier);
  ++at.turn;
  at.queued = false;
  at.seen = read_for_block(&next->tally);
}

// The same over lists. The queue of the next round is filled as well.
template <class S, class Side, class Offset, class Body>
__device__ void run_listed(bool before, Progress& at, unsigned* barrier) {
  auto& loop = loop_of_block<S, Side, Offset>();
  Turn* const next = &loop.turns[(at.turn + 1) % 3];
  const Turn now = read_for_block(&loop.turns[at.turn % 3]);
  if (leads()) loop.turns[(at.turn + 2) % 3] = Turn{};
  listed_statements<S, Side, Offset, Body>(
      team_of_grid(), before, at.round, at.turn, at.seen.closed, now.members, now.found);
  grid_sync(barrier);
  ++at.turn;
  at.queued = true;
  const Turn published = read_for_block(next);
  at.seen = published.tally;
  at.packed = published.packed;
}

// Block 0 runs rounds while the operand has few arcs, with barriers of its own only; the others wait.
template <class S, class Side, class Offset, class Body>
__device__ void run_alone(const Choice& how, Progress& at, int limit, unsigned* barrier, int* left) {
  auto& loop = loop_of_block<S, Side, Offset>();
  const Team team{warp_index(), LOOP_WARPS};
  grid_sync(barrier);  // all have read the turns that block 0 is going to write
  while (blockIdx.x == 0 && at.seen.live && at.round < limit && how.small(at.packed & ARC_MASK)) {
    Turn *const now = &loop.turns[at.turn % 3], *const next = &loop.turns[(at.turn + 1) % 3];
    if (at.packed) push<S, Side, Offset, Body>(team, at.packed, true, now);
    __syncthreads();
    const Turn met = read_for_block(now);
    if (threadIdx.x == 0) loop.turns[(at.turn + 2) % 3] = Turn{};
    listed_statements<S, Side, Offset, Body>(
        team, Body::starts && at.round + 1 < limit, at.round, at.turn, at.seen.closed, met.members, met.found);
    __syncthreads();
    const Turn published = read_for_block(next);
    ++at.turn;
    ++at.round;
    at.seen = published.tally;
    at.packed = published.packed;
  }
  if (leads()) {
    left[0] = at.round;
    left[1] = at.turn;
  }
  grid_sync(barrier);
  const Wide both = read_for_block(reinterpret_cast<const Wide*>(left));
  at.round = static_cast<int>(both);
  at.turn = static_cast<int>(both >> 32);
  const Turn published = read_for_block(&loop.turns[at.turn % 3]);
  at.seen = published.tally;
  at.packed = published.packed;
}

template <class S, class Side, class Offset, class Body>
__device__ Progress rounds_of(const Choice& how, int limit, unsigned* barrier, int* left) {
  constexpr bool apart = Body::starts && !Body::rotates;  // what stands before the product has a phase of its own
  Progress at{0, 0, 0, false, {0, 0, 0}, 0};
  run_statements<S, Side, Offset, Body>(false, Body::starts && !apart && limit > 0, !apart, at, barrier);
  while ((Body::live < 0 || at.seen.live) && at.round < limit) {
    if constexpr (Body::sparse)
      if (at.queued && how.small(at.packed & ARC_MASK)) {
        run_alone<S, Side, Offset, Body>(how, at, limit, barrier, left);
        continue;
      }
    if constexpr (apart) run_statements<S, Side, Offset, Body>(false, true, true, at, barrier);
    const bool listed = multiply<S, Side, Offset, Body>(how, at, barrier);
    const bool goes_on = Body::starts && !apart && at.round + 1 < limit;
    if (Body::sparse && listed) run_listed<S, Side, Offset, Body>(goes_on, at, barrier);
    else run_statements<S, Side, Offset, Body>(true, goes_on, !apart, at, barrier);
    ++at.round;
  }
  return at;
}

template <class S, class Side, class Offset>
struct LoopParameters {
  const Offset* out_indptr;
  const int* out_indices;
  const typename Side::template Matrix<S>* out_values;
  const Offset* in_indptr;
  const int* in_indices;
  const typename Side::template Matrix<S>* in_values;
  const int* strongest;    // the column of each row of `in` with the most arcs
  const unsigned* filled;  // bits of the rows of `in` that have arcs
  typename S::C* product;
  unsigned* bits;
  unsigned char* values[MOST_VECTORS];
  unsigned char* present[MOST_VECTORS];
  Wide numbers[MOST_NUMBERS];
  int one_index[2];  // entries that are passed with the launch
  Wide one_value[2];
  int* vertex;
  Offset* before;
  Offset* shift;
  int* lists;
  Wide* state;  // STATE_WORDS: the progress that block 0 made alone, and three turns
  unsigned* barrier;
  Wide* counted;
  int n;
  int words;
  int kinds;
  int direction;
  float arcs;
  float filled_rows;
  float row_flag;
  float push_cost;
  int alone;
  int listed;
  int limit;
};

template <class S, class Side, class Offset, class Body>
__global__ void __launch_bounds__(LOOP_THREADS, 1) loop(const __grid_constant__ LoopParameters<S, Side, Offset> given) {
  auto& work = loop_of_block<S, Side, Offset>();
  Wide *const state = given.state, *const counted = given.counted;
  if (threadIdx.x == 0) {
    Slots& slots = work.slots;
    slots.bits = given.bits;
    slots.n = given.n;
    slots.words = given.words;
    for (int k = 0; k < MOST_VECTORS; ++k) {
      slots.values[k] = given.values[k];
      slots.present[k] = given.present[k];
    }
    for (int k = 0; k < MOST_NUMBERS; ++k) slots.numbers[k] = given.numbers[k];
    work.out = {given.out_indptr, given.out_indices, given.out_values};
    work.in = {given.in_indptr, given.in_indices, given.in_values};
    work.strongest = given.strongest;
    work.filled = given.filled;
    work.product = given.product;
    work.found = slots.words_of(Body::slots);
    work.queue = {given.vertex, given.before, given.shift};
    work.members[0] = given.lists;
    work.members[1] = given.lists + given.n;
    work.met = given.lists + 2ll * given.n;
    work.turns = reinterpret_cast<Turn*>(state + 1);
  }
  if (leads()) {
    for (int k = 0; k < STATE_WORDS; ++k) state[k] = 0;
    for (int k = 0; k <= Body::slots; ++k) counted[k] = 0;
  }
  __syncthreads();
  const One first{given.one_index[0], given.one_value[0]}, second{given.one_index[1], given.one_value[1]};
  enter<Body>(work.slots, given.kinds, first, second);
  grid_sync(given.barrier);
  const Choice how{
      given.direction,
      static_cast<float>(given.n),
      given.arcs,
      given.filled_rows,
      given.row_flag,
      given.push_cost,
      static_cast<Wide>(given.alone),
      static_cast<Wide>(given.listed)};
  const Progress at = rounds_of<S, Side, Offset, Body>(how, given.limit, given.barrier, reinterpret_cast<int*>(state));
  leave<Body>(work.slots, counted);
  if (leads()) {
    counted[0] = at.round;
    counted[1 + MOST_VECTORS] = at.pulled;
  }
}
