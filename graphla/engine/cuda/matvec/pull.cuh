// w[i] = ⊕_k M[i, k] ⊗ v[k] for the rows that the mask allows, up to the terminal value of ⊕.
//
// Rows come in `order`, the longest first, with `begins` and `ends` of each beside it: a block owns a long row, a warp,
// eight lanes or one lane the others. Unless ⊕ stops early, a block owns a task of a long row, which is CHUNK of its
// entries; `pull_join` adds up those of one row. Under a mask a warp looks at 2^share rows for each of its teams, lists
// those that the mask allows, and its teams take them from the list. No flag of the board is up at first; where every
// row is known to have a result, its flags are those of the rows that have entries, which are copied.
//
// compiled: pull<S, MatrixFirst, Entries, Mask, Offset> with S = plus_times FP32 | min_plus FP32 | any_pair BOOL |
//   any_secondi BOOL INT32 | max_min INT16 | plus_times FP64 | lor_land BOOL | min_plus INT64;
//   Entries = Full | Bitmap; Mask = NoMask | Outside; Offset = int; hot
// compiled: pull<S, MatrixFirst, Entries, Mask, Offset> with S = plus_times FP32 | min_plus FP32 | any_pair BOOL |
//   any_secondi BOOL INT32 | max_min INT16 | plus_times FP64 | lor_land BOOL | min_plus INT64;
//   Entries = Full | Bitmap; Mask = NoMask | Outside; Offset = long long; hot on sm_80 sm_90 sm_100
// compiled: pull<S, VectorFirst, Bitmap, Inside, int> with S = plus_times FP32; hot
// compiled: pull<S, MatrixFirst, Bitmap, NoMask, int> with S = plus_times FC32 | times_plus FC64 | any_second FC64
// compiled: pull_join<S, MatrixFirst, Entries, Mask, int> with S = plus_times FP32 | min_plus FP32 | max_min INT16;
//   Entries = Full | Bitmap; Mask = NoMask | Outside; hot
// compiled: pull_join<S, MatrixFirst, Bitmap, NoMask, long long> with S = plus_times FC32 | times_plus FC64
#pragma once

#include "board.cuh"
#include "headers/primitives.cuh"
#include "headers/sum.cuh"
#include "headers/views.cuh"
#include "pull.py"  // CHUNK, LISTED, PULL_THREADS

constexpr int PULL_WARPS = PULL_THREADS / 32;

template <class S, class Side, class Entries, class Mask, class Offset>
struct Pull {
  using C = typename S::C;
  static constexpr bool counts = Mask::any || !Entries::all;  // otherwise every row is known to have a result
  const int* __restrict__ order;
  const Offset* __restrict__ begins;
  const Offset* __restrict__ ends;
  const int* __restrict__ indices;
  const typename Side::template Matrix<S>* __restrict__ values;
  const bool* __restrict__ has;
  const typename Side::template Vector<S>* __restrict__ vector;
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
      k[step] = there[step] ? load_once(indices + q + step * TEAM) : 0;
      a[step] = M();
      if constexpr (Side::template reads_matrix<S>)
        if (there[step]) a[step] = load_once(values + q + step * TEAM);
    }
#pragma unroll
    for (int step = 0; step < ROUND; ++step) {
      there[step] = there[step] && Entries::has(has, k[step]);
      x[step] = V();
      if constexpr (Side::template reads_vector<S>)
        if (there[step]) x[step] = load_constant(vector + k[step]);
    }
#pragma unroll
    for (int step = 0; step < ROUND; ++step)
      if (there[step]) sum.take(Side::template product<S>(a[step], x[step], i, k[step]));
  }
  // A round after the other, and after each the team asks whether it is done.
  template <int TEAM, int ROUND = !S::is_any || TEAM == 1 ? 4
                                  : TEAM == 8             ? 2
                                                          : 1>
  __device__ __forceinline__ void over_row(Sum<S>& sum, int i, Offset first, Offset last, int lane) const {
    for (Offset base = first; base < last; base += ROUND * TEAM) {
      take<TEAM, ROUND>(sum, i, base + lane, last);
      if constexpr (S::has_terminal && TEAM == 1)
        if (sum.done()) break;
      if constexpr (S::has_terminal && TEAM > 1 && TEAM <= 32)
        if (__any_sync(team_lanes<TEAM>(), sum.done())) break;
      if constexpr (S::has_terminal && TEAM > 32)
        if (__syncthreads_or(sum.done())) break;
    }
  }
  __device__ __forceinline__ bool allows(int i) const { return Mask::allows(flags, i); }
  __device__ __forceinline__ void write(const Sum<S>& sum, int i) const {
    if (!sum.found) return;
    if constexpr (counts) present[i] = true;
    out[i] = sum.total;
  }

  // Each team takes a place of the order, or none; returns how many entries the warp wrote, the same in each lane.
  template <int TEAM>
  __device__ __forceinline__ int each_team(int place, bool taken) const {
    const int i = taken ? order[place] : 0;
    Sum<S> sum;
    if (taken) over_row<TEAM>(sum, i, begins[place], ends[place], threadIdx.x % TEAM);
    sum.template over_team<TEAM>();
    const bool writes = taken && threadIdx.x % TEAM == 0;
    if (writes) write(sum, i);
    return __popc(__ballot_sync(WHOLE_WARP, writes && sum.found));
  }
  // List those of the places [first, last) that the mask allows, LISTED at most; how many, the same in each lane.
  __device__ __forceinline__ int allowed(long long first, long long last, int* list) const {
    int row[LISTED / 32];
    bool mine[LISTED / 32];
    int count = 0;
#pragma unroll
    for (int step = 0; step < LISTED / 32; ++step) {
      mine[step] = first + step * 32 + lane_index() < last;
      row[step] = mine[step] ? order[first + step * 32 + lane_index()] : 0;
    }
#pragma unroll
    for (int step = 0; step < LISTED / 32; ++step) mine[step] = mine[step] && Mask::allows(flags, row[step]);
#pragma unroll
    for (int step = 0; step < LISTED / 32; ++step) {
      const unsigned votes = __ballot_sync(WHOLE_WARP, mine[step]);
      if (mine[step]) list[count + __popc(votes & lower_lanes())] = static_cast<int>(first) + step * 32 + lane_index();
      count += __popc(votes);
    }
    __syncwarp();
    return count;
  }
  // A warp takes its stretch of the places [first, last).
  template <int TEAM>
  __device__ __forceinline__ int rows(long long warp, int first, int last, int share) const {
    constexpr int TEAMS = 32 / TEAM;
    const int team = lane_index() / TEAM;
    if constexpr (Mask::any) {
      __shared__ int lists[PULL_WARPS][LISTED];
      int* list = lists[warp_index()];
      const int at_once = (TEAMS << share) < LISTED ? TEAMS << share : LISTED;
      const long long begin = first + warp * at_once, end = begin + at_once < last ? begin + at_once : last;
      const int count = allowed(begin, end, list);
      int written = 0;
      for (int done = 0; done < count; done += TEAMS)
        written += each_team<TEAM>(done + team < count ? list[done + team] : 0, done + team < count);
      return written;
    } else {
      const long long place = first + warp * TEAMS + team;
      return each_team<TEAM>(static_cast<int>(place), place < last);
    }
  }
  // The whole block at one row after the other; the first thread returns how many it wrote.
  __device__ __forceinline__ int long_rows(int first, int last) const {
    int written = 0;
    for (int place = first; place < last; ++place) {
      const int i = order[place];
      if (!Mask::allows(flags, i)) continue;
      Sum<S> sum;
      over_row<PULL_THREADS>(sum, i, begins[place], ends[place], threadIdx.x);
      sum.over_block();
      if (threadIdx.x == 0) write(sum, i);
      written += threadIdx.x == 0 && sum.found;
    }
    return written;
  }
  // The whole block at the entries [first, last) of row i; its first thread has their sum.
  __device__ __forceinline__ Sum<S> over_part(int i, Offset first, Offset last) const {
    Sum<S> sum;
    over_row<PULL_THREADS>(sum, i, first, last, threadIdx.x);
    sum.over_block();
    return sum;
  }
};

// What the warps of a block wrote is added up by the last of them; `sum` was cleared before a barrier.
__device__ __forceinline__ void add_to(unsigned long long* counter, int* sum, int written_by_warp) {
  if (lane_index() != 0) return;
  const int before = atomicAdd(sum, written_by_warp * PULL_WARPS + 1);
  const int written = before / PULL_WARPS + written_by_warp;
  if (before % PULL_WARPS == PULL_WARPS - 1 && written) atomicAdd(counter, static_cast<unsigned long long>(written));
}

// `long_blocks` blocks share the rows up to `long_end`; then come those of the warps, of eight lanes and of one.
// Blocks of a multiprocessor, as many as leave each thread its registers.
template <class S, class Offset>
constexpr int PULL_BLOCKS =
    S::is_any && !S::reads_a && !S::reads_b ? 8
    : sizeof(Offset) == 4                   ? 6
                                            : 4;

template <class S, class Side, class Offset>
struct PullParameters {
  const int* order;      // rows by falling length
  const Offset* begins;  // of each of these rows
  const Offset* ends;
  int long_blocks;  // blocks for rows of one block, and the end of these rows in `order`
  int long_end;
  int warp_blocks;  // of one warp
  int warp_end;
  int eight_blocks;  // of eight lanes
  int eight_end;
  int rows;
  int share;       // a team looks at 2^share rows under a mask
  int warp_share;  // the same of a warp at long rows
  const int* indices;
  const typename Side::template Matrix<S>* values;
  const bool* has;
  const typename Side::template Vector<S>* vector;
  const bool* flags;
  Board* board;
  typename S::C* out;
  const bool* known;  // flags to copy where every row is known to have a result
  int known_rows;
  bool* known_present;
  int tasks;  // of long rows; 0 if a block owns a long row
  const int* task_place;
  const int* task_chunk;
  typename S::C* partial;  // the sum of each task of a row that has several
  bool* partial_found;
  const int* joined_place;  // the rows with several tasks, and the first task of each
  const int* joined_first;
};

// Task t of a long row; the first thread returns how many entries it wrote.
template <class Work, class S, class Side, class Offset>
__device__ __forceinline__ int take_task(const Work& work, const PullParameters<S, Side, Offset>& given, int t) {
  const int place = given.task_place[t], i = work.order[place];
  if (!work.allows(i)) return 0;
  const Offset row = work.begins[place], row_end = work.ends[place];
  const Offset begin = row + static_cast<Offset>(given.task_chunk[t]) * CHUNK;
  const Sum<S> sum = work.over_part(i, begin, row_end - begin < CHUNK ? row_end : begin + CHUNK);
  if (threadIdx.x > 0) return 0;
  if (row_end - row > CHUNK) {
    given.partial[t] = sum.total;
    given.partial_found[t] = sum.found;
    return 0;
  }
  work.write(sum, i);
  return sum.found;
}

// A block adds up the tasks of a row.
template <class S, class Side, class Entries, class Mask, class Offset>
__global__ __launch_bounds__(PULL_THREADS) void pull_join(
    const __grid_constant__ PullParameters<S, Side, Offset> given) {
  using Work = Pull<S, Side, Entries, Mask, Offset>;
  const Work work{given.order, given.begins, given.ends,  given.indices,          given.values,
                  given.has,   given.vector, given.flags, given.board->present(), given.out};
  const int place = given.joined_place[blockIdx.x], first = given.joined_first[blockIdx.x], i = work.order[place];
  if (!work.allows(i)) return;
  const int many = static_cast<int>((work.ends[place] - work.begins[place] + CHUNK - 1) / CHUNK);
  Sum<S> sum;
  for (const int t : block_range(first, first + many)) sum.merge(given.partial[t], given.partial_found[t]);
  sum.over_block();
  if (threadIdx.x > 0 || !sum.found) return;
  work.write(sum, i);
  if (Work::counts) atomicAdd(&given.board->count, 1ull);
}

template <class S, class Side, class Entries, class Mask, class Offset>
__global__ __launch_bounds__(PULL_THREADS, (PULL_BLOCKS<S, Offset>)) void pull(
    const __grid_constant__ PullParameters<S, Side, Offset> given) {
  // Loaded before the branches: the compiler then makes the same code as of separate parameters.
  const int long_end = given.long_end, warp_end = given.warp_end, eight_end = given.eight_end;
  const int rows = given.rows, share = given.share, known_rows = given.known_rows;
  Board* const board = given.board;
  const bool* const known = given.known;
  bool* const known_present = given.known_present;
  using Work = Pull<S, Side, Entries, Mask, Offset>;
  __shared__ int sum;
  if (Work::counts && threadIdx.x == 0) sum = 0;
  if (Work::counts) __syncthreads();
  const Work work{given.order, given.begins, given.ends,  given.indices,    given.values,
                  given.has,   given.vector, given.flags, board->present(), given.out};
  const int after_long = static_cast<int>(blockIdx.x) - given.long_blocks, after_warps = after_long - given.warp_blocks;
  const int last = after_warps - given.eight_blocks, warp = warp_index();
  int written;
  if (!S::is_any && after_long < 0 && given.tasks > 0) {
    written = take_task(work, given, blockIdx.x);
  } else if (after_long < 0) {
    const int each = Mask::any ? 1 << share : 1, first = blockIdx.x * each;
    written = work.long_rows(first, first + each < long_end ? first + each : long_end);
  } else if (after_warps < 0) {
    written = work.template rows<32>(
        static_cast<long long>(after_long) * PULL_WARPS + warp, long_end, warp_end, given.warp_share);
  } else if (last < 0) {
    written =
        work.template rows<8>(static_cast<long long>(after_warps) * PULL_WARPS + warp, warp_end, eight_end, share);
  } else {
    written = work.template rows<1>(static_cast<long long>(last) * PULL_WARPS + warp, eight_end, rows, share);
  }
  if (Work::counts) add_to(&board->count, &sum, written);
  else copy_flags(known, known_rows, known_present);
}
