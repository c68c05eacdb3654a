// w[i] = ⊕_k M[i, k] ⊗ v[k] for the rows that the mask allows, up to the terminal value of ⊕.
//
// Rows come in `order`, the longest first: a block owns a long row, a warp, eight lanes or one lane the others. A warp
// looks at several rows at once, and its teams share those that the mask allows. No flag of `present` is up at first.
// compiled: pull<S, MatrixFirst, Entries, Mask, Offset> with S = plus_times FP32 | min_plus FP32 | any_pair BOOL | any_secondi BOOL INT32 | max_min INT16 | plus_times FP64 | lor_land BOOL | min_plus INT64; Entries = Full | Bitmap; Mask = NoMask | Outside; Offset = int | long long; hot
// compiled: pull<S, VectorFirst, Bitmap, Inside, int> with S = plus_times FP32; hot
#pragma once
#include "sum.cuh"
#include "views.cuh"

constexpr int PULL_THREADS = 256;

// The bits of `bits` from the n-th set one upwards.
__device__ __forceinline__ unsigned nth_and_higher(unsigned bits, int n) {
  if (n >= 32) return 0;
  for (int skip = 0; skip < n; ++skip) bits &= bits - 1;
  return bits;
}

template <class S, class Side, class Entries, class Mask, class Offset>
struct Pull {
  using C = typename S::C;
  const Offset* __restrict__ start;
  const int* __restrict__ column;
  const typename Side::template Matrix<S>* __restrict__ value;
  const bool* __restrict__ has;
  const typename Side::template Vector<S>* __restrict__ given;
  const bool* __restrict__ flags;
  bool* present;
  C* out;

  // Up to ROUND entries of a lane, TEAM apart: their loads are under way together.
  template <int TEAM, int ROUND>
  __device__ __forceinline__ void take(Sum<S>& sum, int i, Offset q, Offset last) const {
    using M = typename Side::template Matrix<S>;
    using V = typename Side::template Vector<S>;
    int k[ROUND];
    M a[ROUND];
    V x[ROUND];
    bool there[ROUND];
#pragma unroll
    for (int step = 0; step < ROUND; ++step) {
      there[step] = q + step * TEAM < last;
      k[step] = there[step] ? load_once(column + q + step * TEAM) : 0;
      a[step] = M();
      if constexpr (Side::template reads_matrix<S>)
        if (there[step]) a[step] = load_once(value + q + step * TEAM);
    }
#pragma unroll
    for (int step = 0; step < ROUND; ++step) {
      there[step] = there[step] && Entries::has(has, k[step]);
      x[step] = V();
      if constexpr (Side::template reads_vector<S>)
        if (there[step]) x[step] = load_constant(given + k[step]);
    }
#pragma unroll
    for (int step = 0; step < ROUND; ++step)
      if (there[step]) sum.take(Side::template product<S>(a[step], x[step], i, k[step]));
  }
  // A round after the other, and after each the team asks whether it is done.
  template <int TEAM, int ROUND = S::is_any ? 1 : 4>
  __device__ __forceinline__ void over_row(Sum<S>& sum, int i, Offset first, Offset last, int lane) const {
    for (Offset base = first; base < last; base += ROUND * TEAM) {
      take<TEAM, ROUND>(sum, i, base + lane, last);
      if constexpr (S::has_terminal && TEAM > 1 && TEAM <= 32)
        if (__any_sync(team_lanes<TEAM>(), sum.done())) break;
      if constexpr (S::has_terminal && (TEAM == 1 || TEAM > 32))
        if (sum.done()) break;
    }
  }
  __device__ __forceinline__ void write(const Sum<S>& sum, int i) const {
    if (!sum.found) return;
    present[i] = true;
    out[i] = sum.total;
  }

  // A warp takes its stretch of order[first … last); returns how many entries it wrote, the same in each lane.
  template <int TEAM>
  __device__ __forceinline__ int rows(const int* order, long long warp, int first, int last) const {
    constexpr int TEAMS = 32 / TEAM, AT_ONCE = Mask::any ? 32 : TEAMS;
    const int lane = lane_index();
    const long long place = first + warp * AT_ONCE + lane;
    const bool there = lane < AT_ONCE && place < last;
    const int row = there ? order[place] : 0;
    const bool mine = there && Mask::allows(flags, row);
    unsigned left = __ballot_sync(WHOLE_WARP, mine);
    int count = 0;
    while (left) {
      const unsigned taken = nth_and_higher(left, lane / TEAM);
      const int i = __shfl_sync(WHOLE_WARP, row, taken ? __ffs(taken) - 1 : 0);
      Sum<S> sum;
      if (taken) over_row<TEAM>(sum, i, start[i], start[i + 1], lane % TEAM);
      sum.template over_team<TEAM>();
      const bool writes = taken && lane % TEAM == 0;
      if (writes) write(sum, i);
      count += __popc(__ballot_sync(WHOLE_WARP, writes && sum.found));
      left = nth_and_higher(left, TEAMS);
    }
    return count;
  }
  // The whole block at one row; the first thread returns 1 if it wrote.
  __device__ __forceinline__ int long_row(int i) const {
    Sum<S> sum;
    const bool allowed = Mask::allows(flags, i);
    if (allowed) over_row<PULL_THREADS>(sum, i, start[i], start[i + 1], threadIdx.x);
    sum.over_block();
    if (threadIdx.x == 0) write(sum, i);
    return threadIdx.x == 0 && sum.found;
  }
};

// Add up what the warps of a block wrote; where every row is known beforehand nobody asks.
template <class Entries, class Mask>
__device__ __forceinline__ void add_to(unsigned long long* counter, int written_by_warp) {
  if constexpr (Mask::any || !Entries::all) {
    __shared__ int written;
    if (threadIdx.x == 0) written = 0;
    __syncthreads();
    if (lane_index() == 0 && written_by_warp) atomicAdd(&written, written_by_warp);
    __syncthreads();
    if (threadIdx.x == 0 && written) atomicAdd(counter, static_cast<unsigned long long>(written));
  }
}

// Blocks 0 … long_rows own a row each; then `warp_blocks` blocks take rows to `warp_end`, `eight_blocks` to `eight_end`.
template <class S, class Side, class Entries, class Mask, class Offset>
__global__ __launch_bounds__(PULL_THREADS, 6) void pull(
    const int* order, int long_rows, int warp_blocks, int warp_end, int eight_blocks, int eight_end, int rows,
    const Offset* start, const int* column, const typename Side::template Matrix<S>* value, const bool* has,
    const typename Side::template Vector<S>* given, const bool* flags, bool* present, typename S::C* out,
    unsigned long long* counter) {
  const Pull<S, Side, Entries, Mask, Offset> work{start, column, value, has, given, flags, present, out};
  const int warp = threadIdx.x / 32, warps = PULL_THREADS / 32, block = blockIdx.x;
  const int after_long = block - long_rows, after_warps = after_long - warp_blocks, last = after_warps - eight_blocks;
  int written;
  if (after_long < 0) written = work.long_row(order[block]);
  else if (after_warps < 0)
    written = work.template rows<32>(order, static_cast<long long>(after_long) * warps + warp, long_rows, warp_end);
  else if (last < 0)
    written = work.template rows<8>(order, static_cast<long long>(after_warps) * warps + warp, warp_end, eight_end);
  else
    written = work.template rows<1>(order, static_cast<long long>(last) * warps + warp, eight_end, rows);
  add_to<Entries, Mask>(counter, written);
}
