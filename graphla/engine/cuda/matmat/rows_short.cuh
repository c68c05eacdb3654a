// C[i, :] = ⊕_k A[i, k] ⊗ B[k, :] where a row has at most TEAM products: eight, 16 or 32 lanes own a row, each a
// product.
//
// The lanes sort their columns by a bitonic network, and equal columns, now neighbours, are added up by a scan.
//
// compiled: rows_short<S, Columns, Pass, TEAM> with S = plus_times FP32 | min_plus FP32 | any_secondi BOOL INT32 |
//   plus_times INT8 | plus_times FP64; Columns = EveryColumn | MaskedColumns<true>; Pass = Counting | Filling;
//   TEAM = 8 | 32; hot
// compiled: rows_short<S, EveryColumn, Filling, 8> with S = plus_times FC32 | plus_times FC64
#pragma once

#include "headers/primitives.cuh"
#include "headers/sum.cuh"
#include "row_products.cuh"

template <class S, class Columns, class Pass, int TEAM>
struct ShortRow {
  using C = typename S::C;
  static constexpr int NONE = 0x7fffffff;
  int column = NONE;
  C total = S::identity();

  // The lane takes its product of row i.
  __device__ __forceinline__ void take(const Product<S, Columns>& of, int i) {
    const int lane = lane_index() % TEAM, team = lane_index() - lane;
    const long long first = i < 0 ? 0 : of.left_indptr[i], entries = i < 0 ? 0 : of.left_indptr[i + 1] - first;
    const int k = lane < entries ? of.left_indices[first + lane] : 0;
    const int length = lane < entries ? static_cast<int>(of.right_indptr[k + 1] - of.right_indptr[k]) : 0;
    int end = length;
    for (int delta = 1; delta < TEAM; delta *= 2) {
      const int before = shuffle_up(end, delta);
      if (lane >= delta) end += before;
    }
    int owner = 0;
    for (int step = TEAM / 2; step; step /= 2)
      if (shuffle_from(end, team + owner + step - 1) <= lane) owner += step;
    const int begin = shuffle_from(end - length, team + owner), mine = shuffle_from(k, team + owner);
    if (lane >= shuffle_from(end, team + TEAM - 1)) return;
    const long long q = of.right_indptr[mine] + (lane - begin);
    const int j = of.right_indices[q];
    if (!of.allows(i, j)) return;
    column = j;
    if constexpr (Pass::fills) total = of.term(first + owner, q, i, mine, j);
  }
  __device__ __forceinline__ void sort() {
    const int lane = lane_index() % TEAM;
    for (int run = 2; run <= TEAM; run *= 2)
      for (int distance = run / 2; distance; distance /= 2) {
        const int other = shuffle_xor(column, distance);
        const bool lower = !(lane & distance), upwards = !(lane & run);
        const bool swap = lower == upwards ? other < column : other > column;
        if constexpr (Pass::fills) {
          const C theirs = shuffle_xor(total, distance);
          if (swap) total = theirs;
        }
        if (swap) column = other;
      }
  }
  // The last lane of each run of equal columns holds their sum.
  __device__ __forceinline__ void add_equals() {
    for (int delta = 1; delta < TEAM; delta *= 2) {
      const int theirs = shuffle_up(column, delta);
      const C before = shuffle_up(total, delta);
      if (lane_index() % TEAM >= delta && theirs == column) total = S::is_any ? before : S::add(before, total);
    }
  }
};

template <class S, class Columns, class Pass, int TEAM>
__global__ void rows_short(const __grid_constant__ RowsParameters<S> given) {
  const long long place = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / TEAM;
  const int i = place < given.count ? given.rows[place] : -1, lane = lane_index() % TEAM;
  ShortRow<S, Columns, Pass, TEAM> row;
  row.take(product_of<S, Columns>(given), i);
  row.sort();
  const int next = __shfl_down_sync(WHOLE_WARP, row.column, 1);
  const bool last = row.column != row.NONE && (lane == TEAM - 1 || next != row.column);
  const unsigned ends = __ballot_sync(WHOLE_WARP, last) & team_lanes<TEAM>();
  if constexpr (Pass::fills) {
    row.add_equals();
    if (!last) return;
    const long long q = given.out_indptr[i] + __popc(ends & lower_lanes());
    given.out_indices[q] = row.column;
    given.out_values[q] = row.total;
  } else if (i >= 0 && lane == 0) {
    given.counts[i] = __popc(ends);
  }
}
