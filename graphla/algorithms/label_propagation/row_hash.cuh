// next[v] = the label that most neighbours of v have, the smallest of those that are equally frequent.
//
// A label and its count so far are one number that is larger the better: the count above, the complement of the label
// below. Rows are listed by their lengths: a thread owns one of at most THREAD_ROW neighbours, which it compares in
// registers; a warp one of at most 32, which it matches, or of at most WARP_ROW, which it counts in shared memory; a
// block one of at most Slots / 2. `_hubs.cuh` has the longer ones.
//
// compiled: count_by_thread<Offset> with Offset = int | long long; hot
// compiled: count_by_match<Offset> with Offset = int | long long; hot
// compiled: count_by_warp<Offset> with Offset = int | long long; hot
// compiled: count_by_block<Offset, Slots> with Offset = int | long long; Slots = 1024 | 4096; hot
#pragma once

#include "_round.cuh"
#include "_row_hash_cuda.py"  // THREAD_ROW, WARP_ROW, THREADS
#include "headers/primitives.cuh"

__device__ __forceinline__ int most_frequent(const int (&x)[THREAD_ROW], int count) {
  unsigned long long best = 0;
#pragma unroll
  for (int k = 0; k < THREAD_ROW; ++k) {
    int same = 0;
#pragma unroll
    for (int j = 0; j < THREAD_ROW; ++j) same += x[j] == x[k];
    const unsigned long long mine = k < count ? rate(same, x[k]) : 0;
    best = mine > best ? mine : best;
  }
  return label_in(best);
}

template <class Offset>
__global__ void count_by_thread(const __grid_constant__ RoundParameters<Offset> given) {
  const Round<Offset> round(given);
  unsigned long long arcs = 0;
  for (const int i : grid_range(given.count)) {
    const int v = given.rows[i];
    const Offset begin = given.indptr[v];
    const int count = static_cast<int>(given.indptr[v + 1] - begin), before = given.label[v];
    int best = before;
    if (round.is_awake(v)) {
      int x[THREAD_ROW];
#pragma unroll
      for (int k = 0; k < THREAD_ROW; ++k) x[k] = k < count ? round.label_at(begin + k) : -1;
      best = most_frequent(x, count);
    }
    given.next[v] = best;
    if (best == before) continue;
    arcs += static_cast<unsigned long long>(count);
    round.wake(begin, begin + count, 1);
  }
  arcs = block_reduce(arcs);
  if (threadIdx.x == 0 && arcs) atomicAdd(given.changed, arcs);
}

// The row of a warp; of a warp without one it is empty and no vertex.
template <class Offset>
struct WarpRow {
  int v = -1, count = 0;
  Offset begin = 0;

  __device__ __forceinline__ explicit WarpRow(const RoundParameters<Offset>& given) {
    const long long i = static_cast<long long>(blockIdx.x) * (THREADS / 32) + warp_index();
    if (i >= given.count) return;
    v = given.rows[i];
    begin = given.indptr[v];
    count = static_cast<int>(given.indptr[v + 1] - begin);
  }
};

// What a warp has found, for its vertex; all threads of the block come here.
template <class Offset>
__device__ __forceinline__ void settle_warp(
    const Round<Offset>& round, const WarpRow<Offset>& row, bool counted, unsigned long long best) {
  const RoundParameters<Offset>& given = round.given;
  const int before = row.v >= 0 ? given.label[row.v] : 0, after = counted ? label_in(best) : before;
  if (row.v >= 0 && lane_index() == 0) given.next[row.v] = after;
  if (after != before) round.wake(row.begin + lane_index(), row.begin + row.count, 32);
  const unsigned long long mine = after != before && lane_index() == 0 ? static_cast<unsigned long long>(row.count) : 0;
  const unsigned long long arcs = block_reduce(mine);
  if (threadIdx.x == 0 && arcs) atomicAdd(given.changed, arcs);
}

template <class Offset>
__global__ __launch_bounds__(THREADS) void count_by_match(const __grid_constant__ RoundParameters<Offset> given) {
  const Round<Offset> round(given);
  const WarpRow<Offset> row(given);
  const bool awake = row.v >= 0 && round.is_awake(row.v);
  unsigned long long best = 0;
  if (awake) {
    const bool mine = lane_index() < row.count;
    const int x = mine ? round.label_at(row.begin + lane_index()) : -1;
    const int same = __popc(__match_any_sync(WHOLE_WARP, x));
    best = warp_reduce(mine ? rate(same, x) : 0, Most());
  }
  settle_warp(round, row, awake, best);
}

template <class Offset>
__global__ __launch_bounds__(THREADS) void count_by_warp(const __grid_constant__ RoundParameters<Offset> given) {
  __shared__ Counts<2 * WARP_ROW> tables[THREADS / 32];
  const Round<Offset> round(given);
  const WarpRow<Offset> row(given);
  const bool awake = row.v >= 0 && round.is_awake(row.v);
  unsigned long long best = 0;
  if (awake) {
    Counts<2 * WARP_ROW>& table = tables[warp_index()];
    const int shift = shift_for(row.count);
    table.clear(lane_index(), 32, shift);
    __syncwarp();
    for (int k = 0; k < row.count; k += 32) {
      const bool mine = k + lane_index() < row.count;
      const int x = mine ? round.label_at(row.begin + k + lane_index()) : -1;
      best = table.add_together(mine, x, shift, best);
    }
    best = warp_reduce(best, Most());
  }
  settle_warp(round, row, awake, best);
}

template <class Offset, int Slots>
__global__ __launch_bounds__(Slots / 8) void count_by_block(const __grid_constant__ RoundParameters<Offset> given) {
  __shared__ Counts<Slots> table;
  const Round<Offset> round(given);
  const int v = given.rows[blockIdx.x], before = given.label[v];
  const Offset begin = given.indptr[v], end = given.indptr[v + 1];
  int after = before;
  if (round.is_awake(v)) {
    const int shift = shift_for(static_cast<int>(end - begin));
    after = label_in(round.count_piece(table, begin, end, shift));
  }
  if (after != before) round.wake(begin + threadIdx.x, end, static_cast<int>(blockDim.x));
  if (threadIdx.x != 0) return;
  given.next[v] = after;
  if (after != before) atomicAdd(given.changed, static_cast<unsigned long long>(end - begin));
}
