// A loop of expressions in one cooperative launch:
//
//   while slot `live` has entries (and at most `limit` rounds): before; t<mask> = M ⊕.⊗ v; after
//
// The statements are those of `Body`, rendered from what the user wrote. Barriers of the grid part the product from
// what looks at one place at a time. Each round pushes or pulls, as the plan would decide.
//
// compiled: loop<S, MatrixFirst, Offset, Body> with Body = loop.levels | loop.parents | loop.distances | loop.ranks; Offset = int | long long; hot on sm_90
#pragma once
#include "loop_local.cuh"
#include "loop_pull.cuh"
#include "loop_push.cuh"

constexpr int FROM_BYTES = 1, FULL = 2;  // two bits a slot of `kinds`: where its bits come from; 0: they are there

// The bits of the slots that come as bytes or full.
template <class Body>
__device__ void enter(const Slots& s, int kinds) {
  for (int slot = 0; slot < Body::slots; ++slot) {
    const int kind = kinds >> 2 * slot & 3;
    if (!kind) continue;
    for (int word = warp_of_grid(); word < s.words; word += warps_of_grid()) {
      const int i = word * 32 + lane_index();
      const bool there = i < s.n && (kind == FULL || s.present[slot][i]);
      const unsigned bits = __ballot_sync(WHOLE_WARP, there);
      if (lane_index() == 0) s.words_of(slot)[word] = bits;
    }
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
      unsigned char* const bytes = s.present[slot] + word * 32ll;
      for (int i = 0; i < 32 && word * 32ll + i < s.n; i += 4) {
        const unsigned four = (bits >> i & 15u) * 0x00204081u & 0x01010101u;
        if (word * 32ll + i + 4 <= s.n) *reinterpret_cast<unsigned*>(bytes + i) = four;
        else for (int k = 0; word * 32ll + i + k < s.n; ++k) bytes[i + k] = four >> 8 * k & 1u;
      }
    }
    count = warp_reduce(count);
    if (lane_index() == 0 && count) atomicAdd(&block[slot], count);
  }
  __syncthreads();
  if (threadIdx.x < Body::slots && block[threadIdx.x]) atomicAdd(&counted[1 + threadIdx.x], Wide(block[threadIdx.x]));
}

// The product, from the side that is cheaper: by the mean degree of the operand's entries, and if that speaks for a push
// by their arcs, which are counted as they are queued.
template <class S, class Side, class Offset, class Body>
__device__ void multiply(const Choice& how, const Tally& seen, unsigned* barrier) {
  auto& loop = loop_of_block<S, Side, Offset>();
  bool pulls = how.told == 2 || (!how.told && how.pull_pays<Body>(seen, seen.entries * (how.arcs / how.filled)));
  if (!pulls) {
    fill_queue<S, Side, Offset, Body>();
    grid_sync(barrier);
    const Wide packed = read_for_block(loop.packed);
    pulls = !how.told && how.pull_pays<Body>(seen, packed & ARC_MASK);
    if (!pulls && packed) push<S, Side, Offset, Body>(packed);
  }
  if (pulls) pull<S, Side, Offset, Body>();
  grid_sync(barrier);
}

// A phase of statements: it counts into the next tally, and clears the one after that and the queue.
template <class S, class Side, class Offset, class Body>
__device__ Tally run_statements(bool after, bool before, bool decides, int round, int& turn, unsigned* barrier) {
  auto& loop = loop_of_block<S, Side, Offset>();
  Tally* const total = &loop.tallies[(turn + 1) % 3];
  if (leads()) loop.tallies[(turn + 2) % 3] = Tally{0, 0, 0}, *loop.packed = 0;
  statements<S, Side, Offset, Body>(after, before, decides, round, total);
  grid_sync(barrier);
  ++turn;
  return read_for_block(total);
}

template <class S, class Side, class Offset, class Body>
__device__ int rounds_of(const Choice& how, int limit, unsigned* barrier) {
  constexpr bool apart = Body::starts && !Body::rotates;  // what stands before the product has a phase of its own
  int turn = 0, round = 0;
  Tally seen = run_statements<S, Side, Offset, Body>(false, Body::starts && !apart && limit > 0, !apart, 0, turn, barrier);
  while ((Body::live < 0 || seen.live) && round < limit) {
    if constexpr (apart) seen = run_statements<S, Side, Offset, Body>(false, true, true, round, turn, barrier);
    multiply<S, Side, Offset, Body>(how, seen, barrier);
    const bool goes_on = Body::starts && !apart && round + 1 < limit;
    seen = run_statements<S, Side, Offset, Body>(true, goes_on, !apart, round, turn, barrier);
    ++round;
  }
  return round;
}

template <class S, class Side, class Offset, class Body>
__global__ void __launch_bounds__(LOOP_THREADS, 1)
    loop(const Offset* out_start, const int* out_column, const typename Side::template Matrix<S>* out_value,
         const Offset* in_start, const int* in_column, const typename Side::template Matrix<S>* in_value,
         const int* strongest, const unsigned* filled, typename S::C* product, unsigned* bits, unsigned char* values0,
         unsigned char* values1, unsigned char* values2, unsigned char* values3, unsigned char* values4,
         unsigned char* values5, unsigned char* present0, unsigned char* present1, unsigned char* present2,
         unsigned char* present3, unsigned char* present4, unsigned char* present5, Wide number0, Wide number1,
         Wide number2, Wide number3, int* vertex, Offset* before, Offset* shift, Wide* state, unsigned* barrier,
         Wide* counted, int n, int words, int kinds, int told, float arcs, float filled_rows, float row_flag,
         float push_cost, int limit) {
  auto& work = loop_of_block<S, Side, Offset>();
  if (threadIdx.x == 0) {
    work.slots = Slots{bits, n, words, {values0, values1, values2, values3, values4, values5},
                       {present0, present1, present2, present3, present4, present5},
                       {number0, number1, number2, number3}};
    work.out = {out_start, out_column, out_value};
    work.in = {in_start, in_column, in_value};
    work.strongest = strongest, work.filled = filled, work.product = product;
    work.found = work.slots.words_of(Body::slots);
    work.queue = {vertex, before, shift};
    work.packed = state, work.tallies = reinterpret_cast<Tally*>(state + 1);
  }
  if (leads())
    for (int k = 0; k < 10; ++k) state[k] = 0;
  __syncthreads();
  enter<Body>(work.slots, kinds);
  grid_sync(barrier);
  const Choice how{told, static_cast<float>(n), arcs, filled_rows, row_flag, push_cost};
  const int rounds = rounds_of<S, Side, Offset, Body>(how, limit, barrier);
  leave<Body>(work.slots, counted);
  if (leads()) counted[0] = rounds;
}
