// t[i] = ⊕_k M[i, k] ⊗ v[k] for the rows that the mask allows, up to the terminal value of ⊕.
//
// A warp owns 128 rows at a time, a lane four of them. Where a row often ends at its first term, each tries the entry
// of its strongest k first (kept with the matrix). The rows that go on are collected and taken 32 at a time: a few arcs
// by the lane, the rest by the warp; or by eight lanes each where every arc counts. The block takes very long rows.
#pragma once

#include "headers/primitives.cuh"
#include "headers/sum.cuh"
#include "headers/views.cuh"
#include "loop_state.cuh"

constexpr int ALONE_STEPS = 4;           // times four arcs a lane looks at before the warp helps
constexpr int TEAM = 8, WIDE_ROW = 256;  // lanes to a row of which every arc counts, up to so many arcs

// Up to ROUND arcs, `stride` apart: their loads are under way together.
template <int ROUND, class S, class Side, class Offset, class Body>
__device__ __forceinline__ void take(
    const Loop<S, Side, Offset>& loop, Sum<S>& sum, int i, Offset q, int stride, Offset last) {
  using Operand = typename Side::template Vector<S>;
  const unsigned* const entries = loop.slots.words_of(Body::operand);
  const Operand* const given = loop.slots.template at<Operand>(Body::operand);
  int k[ROUND];
  bool there[ROUND];
#pragma unroll
  for (int step = 0; step < ROUND; ++step) {
    there[step] = q + step * stride < last;
    k[step] = there[step] ? load_constant(loop.in.indices + q + step * stride) : 0;
  }
#pragma unroll
  for (int step = 0; step < ROUND; ++step) there[step] = there[step] && bit_test(entries, k[step]);
#pragma unroll
  for (int step = 0; step < ROUND; ++step) {
    if (!there[step]) continue;
    const auto a = value_at<Side::template reads_matrix<S>>(loop.in.values, q + step * stride);
    const auto x = value_at<Side::template reads_vector<S>>(given, k[step]);
    sum.take(Side::template product<S>(a, x, i, k[step]));
  }
}

template <class Body, class S, class Side, class Offset>
__device__ __forceinline__ void keep(const Loop<S, Side, Offset>& loop, const Sum<S>& sum, int i) {
  if (!sum.found) return;
  if (!Body::constant) loop.product[i] = sum.total;
  atomicOr(&loop.found[i >> 5], 1u << (i & 31));
}

// A row for the whole block, later, if it is so long and there is room.
template <class S, class Side, class Offset>
__device__ __forceinline__ bool held_back(Loop<S, Side, Offset>& loop, int i, Offset arcs) {
  if (arcs <= LONG_ROW) return false;
  const int slot = atomicAdd(&loop.rows, 1);
  if (slot < LONG_ROWS) loop.row[slot] = i;
  return slot < LONG_ROWS;
}

// The warp takes rows of its lanes one after the other, from `q` on.
template <class S, class Side, class Offset, class Body>
__device__ __forceinline__ void take_together(
    const Loop<S, Side, Offset>& loop, Sum<S>& sum, bool mine, int i, Offset q, Offset end) {
  constexpr int ROUND = Body::early ? 1 : 4;
  for (unsigned rest = __ballot_sync(WHOLE_WARP, mine); rest; rest &= rest - 1) {
    const int lane = __ffs(rest) - 1, row = __shfl_sync(WHOLE_WARP, i, lane);
    const Offset to = __shfl_sync(WHOLE_WARP, end, lane);
    Sum<S> part;
    for (Offset from = __shfl_sync(WHOLE_WARP, q, lane); from < to; from += 32 * ROUND) {
      take<ROUND, S, Side, Offset, Body>(loop, part, row, from + lane_index(), 32, to);
      if constexpr (S::has_terminal)
        if (__any_sync(WHOLE_WARP, part.done())) break;
    }
    part.template over_team<32>();
    if (lane == lane_index()) sum.merge(part.total, part.found);
  }
}

// Each lane brings a row (or -1) that may end early: it looks at a few arcs alone, four at once.
template <class S, class Side, class Offset, class Body>
__device__ __forceinline__ void search_rows(Loop<S, Side, Offset>& loop, int i) {
  Offset q = i >= 0 ? loop.in.indptr[i] : 0;
  const Offset end = i >= 0 ? loop.in.indptr[i + 1] : 0;
  Sum<S> sum;
  for (int step = 0; step < ALONE_STEPS && q < end && !sum.done(); ++step, q += 4)
    take<4, S, Side, Offset, Body>(loop, sum, i, q, 1, end);
  bool goes_on = q < end && !sum.done();
  if (goes_on && held_back(loop, i, end - q)) {
    goes_on = false;
    sum = Sum<S>();
  }  // the block takes it from the start
  take_together<S, Side, Offset, Body>(loop, sum, goes_on, i, q, end);
  if (i >= 0) keep<Body>(loop, sum, i);
}

// Each lane brings a row (or -1) of which every arc counts: eight lanes take a row, four arcs each at once.
template <class S, class Side, class Offset, class Body>
__device__ __forceinline__ void sum_rows(Loop<S, Side, Offset>& loop, int i) {
  const Offset begin = i >= 0 ? loop.in.indptr[i] : 0, end = i >= 0 ? loop.in.indptr[i + 1] : 0;
  const bool wide = end - begin > WIDE_ROW;
#pragma unroll 1
  for (int first = 0; first < 32; first += 32 / TEAM) {
    const int lane = first + lane_index() / TEAM, row = __shfl_sync(WHOLE_WARP, wide ? -1 : i, lane);
    const Offset from = __shfl_sync(WHOLE_WARP, begin, lane), to = __shfl_sync(WHOLE_WARP, end, lane);
    Sum<S> part;
    if (row >= 0)
      for (Offset q = from + lane_index() % TEAM; q - lane_index() % TEAM < to; q += 4 * TEAM)
        take<4, S, Side, Offset, Body>(loop, part, row, q, TEAM, to);
    part.template over_team<TEAM>();
    if (row >= 0 && lane_index() % TEAM == 0) keep<Body>(loop, part, row);
  }
  if (!__any_sync(WHOLE_WARP, wide)) return;
  Sum<S> sum;
  const bool mine = wide && !held_back(loop, i, end - begin);
  take_together<S, Side, Offset, Body>(loop, sum, mine, i, begin, end);
  if (mine) keep<Body>(loop, sum, i);
}

template <class S, class Side, class Offset, class Body>
__device__ __forceinline__ void take_rows(int i) {
  auto& loop = loop_of_block<S, Side, Offset>();
  if constexpr (Body::early) search_rows<S, Side, Offset, Body>(loop, i);
  else sum_rows<S, Side, Offset, Body>(loop, i);
}

// The rows held back are taken by the whole block, one after the other.
template <class S, class Side, class Offset, class Body>
__device__ __forceinline__ void search_long_rows() {
  auto& loop = loop_of_block<S, Side, Offset>();
  __shared__ int ended;
  const int rows = min(loop.rows, LONG_ROWS);
  for (int r = 0; r < rows; ++r) {
    if (threadIdx.x == 0) ended = 0;
    __syncthreads();
    const int i = loop.row[r];
    const Offset end = loop.in.indptr[i + 1];
    Sum<S> sum;
    for (Offset q = loop.in.indptr[i] + threadIdx.x; q < end && !load_fresh(&ended); q += 4 * LOOP_THREADS) {
      take<4, S, Side, Offset, Body>(loop, sum, i, q, LOOP_THREADS, end);
      if (sum.done()) *static_cast<volatile int*>(&ended) = 1;
    }
    sum.over_block();
    if (threadIdx.x == 0) keep<Body>(loop, sum, i);
  }
}

// A lane's four rows try the entry of their strongest k; returns those that go on, the bits of the others are in
// `hits`.
template <class S, class Side, class Offset, class Body>
__device__ __forceinline__ unsigned try_strongest(
    const Loop<S, Side, Offset>& loop, unsigned open, int row, unsigned& hits) {
  using Operand = typename Side::template Vector<S>;
  if (!open) return 0;
  const Pack<int, 4> strongest = load_pack<4>(loop.strongest + row);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int k = strongest.at[j];
    if (!(open >> j & 1) || !bit_test(loop.slots.words_of(Body::operand), k)) continue;
    if constexpr (Side::template reads_matrix<S>) continue;  // its weight is not at hand
    const auto x = value_at<Side::template reads_vector<S>>(loop.slots.template at<Operand>(Body::operand), k);
    Sum<S> sum;
    sum.take(Side::template product<S>(typename Side::template Matrix<S>(), x, row + j, k));
    if (!sum.done()) continue;
    if (!Body::constant) loop.product[row + j] = sum.total;
    hits |= 1u << j;
  }
  return open & ~hits;
}

template <class S, class Side, class Offset, class Body>
__device__ __noinline__ void pull() {
  auto& loop = loop_of_block<S, Side, Offset>();
  const int groups = (loop.slots.n + GROUP - 1) / GROUP, nibble = lane_index() % 8 * 4;
  int* const pending = loop.pending[warp_index()];
  int waiting = 0;
  if (threadIdx.x == 0) loop.rows = 0;
  __syncthreads();
  for (int group = warp_of_grid(); group < groups; group += warps_of_grid()) {
    const int word = group * 4 + lane_index() / 8, row = group * GROUP + lane_index() * 4;
    unsigned open = (loop.filled[word] & Body::may(loop.slots, word)) >> nibble & 15u;
    if (!__any_sync(WHOLE_WARP, open)) continue;
    if constexpr (!Body::exact)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        if ((open >> j & 1) && !Body::allows(loop.slots, row + j)) open &= ~(1u << j);
    if constexpr (Body::early) {
      unsigned hits = 0;
      open = try_strongest<S, Side, Offset, Body>(loop, open, row, hits);
      unsigned bits = hits << nibble;
      for (int reach = 1; reach < 8; reach *= 2) bits |= shuffle_xor(bits, reach);
      if (lane_index() % 8 == 0 && bits) loop.found[word] = bits;
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const bool goes_on = open >> j & 1;
      const unsigned going = __ballot_sync(WHOLE_WARP, goes_on);
      if (goes_on) pending[waiting + __popc(going & lower_lanes())] = row + j;
      waiting += __popc(going);
    }
    __syncwarp();
    while (waiting >= 32) {
      waiting -= 32;
      take_rows<S, Side, Offset, Body>(pending[waiting + lane_index()]);
    }
    __syncwarp();
  }
  if (waiting) take_rows<S, Side, Offset, Body>(lane_index() < waiting ? pending[lane_index()] : -1);
  __syncthreads();
  search_long_rows<S, Side, Offset, Body>();
}
