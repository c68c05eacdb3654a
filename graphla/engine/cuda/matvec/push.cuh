// w = ⊕_k M[k, :] ⊗ v[k]: the rows of the entries of v are scattered into w, where the mask allows.
//
// `push`: one lane, a warp or a block owns an entry of v and its row. `push_edges`: the arcs that leave v are shared
// out evenly; a thread finds the entry of its arc by a search in `ends`, the running count of arcs, between the two
// `firsts` of its share, which stand in shared memory if they are not too many; `shifts` leads from there to the arc.
// The loads of a thread's arcs, and then its atomics, are under way together.
// w is `out` (the identity at first), flagged on the board and listed in `touched` as entries come.
//
// compiled: push<S, MatrixFirst, Mask, Offset, Team> with S = plus_times FP32 | min_plus FP32 | any_pair BOOL |
//   any_secondi BOOL INT32 | max_min INT16 | plus_times FP64 | lor_land BOOL | min_plus INT64;
//   Mask = NoMask | Outside; Offset = int | long long; Team = ByThread | ByWarp | ByBlock; hot
// compiled: push<S, MatrixFirst, NoMask, int, ByWarp> with S = plus_times FC64 | any_second FC32 | times_plus FC32
// compiled: push_edges<S, MatrixFirst, Mask> with S = plus_times FP32 | min_plus FP32 | any_pair BOOL |
//   any_secondi BOOL INT32 | max_min INT16 | plus_times FP64 | lor_land BOOL | min_plus INT64;
//   Mask = NoMask | Outside; hot
#pragma once

#include "board.cuh"
#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "headers/views.cuh"
#include "push.py"  // PUSH_THREADS

// Raise the flag of a place; true for the one caller that did. Flags are bytes, taken four at a time.
__device__ __forceinline__ bool first_at(bool* flags, int place) {
  const unsigned bit = 1u << bit_in_word(flags + place);
  return !(atomicOr(word_around(flags + place), bit) & bit);
}

// ARCS arcs of a thread: arc `at` of entry `from` goes to `to`; -1 in `from` is no arc.
template <class S, class Side, class Mask, int ARCS>
struct Push {
  using C = typename S::C;
  using M = typename Side::template Matrix<S>;
  using V = typename Side::template Vector<S>;
  const int* __restrict__ indices;
  const M* __restrict__ values;
  const int* __restrict__ places;
  const V* __restrict__ vector;
  const bool* __restrict__ flags;
  bool* present;
  C* out;

  // `first` tells which places had no entry before.
  __device__ __forceinline__ void scatter(
      const int (&from)[ARCS], const long long (&at)[ARCS], int (&to)[ARCS], bool (&first)[ARCS]) const {
    bool there[ARCS];
    M a[ARCS];
    V x[ARCS];
#pragma unroll
    for (int arc = 0; arc < ARCS; ++arc) {
      there[arc] = from[arc] >= 0;
      to[arc] = there[arc] ? indices[at[arc]] : 0;
      a[arc] = there[arc] ? value_at<Side::template reads_matrix<S>>(values, at[arc]) : M();
      x[arc] = there[arc] ? value_at<Side::template reads_vector<S>>(vector, from[arc]) : V();
    }
#pragma unroll
    for (int arc = 0; arc < ARCS; ++arc) {
      there[arc] = there[arc] && Mask::allows(flags, to[arc]);
      first[arc] = there[arc] && !load_fresh(present + to[arc]);
    }
#pragma unroll
    for (int arc = 0; arc < ARCS; ++arc)
      if (first[arc]) first[arc] = first_at(present, to[arc]);
#pragma unroll
    for (int arc = 0; arc < ARCS; ++arc) {
      if (S::is_any ? !first[arc] : !there[arc]) continue;
      const C term = Side::template product<S>(a[arc], x[arc], to[arc], places[from[arc]]);
      if constexpr (S::is_any) out[to[arc]] = term;
      else join<S>(out + to[arc], term);
    }
  }
};

struct ByThread { static constexpr int lanes = 1; };
struct ByWarp { static constexpr int lanes = 32; };
struct ByBlock { static constexpr int lanes = PUSH_THREADS; };

template <class S, class Side, class Mask, class Offset, class Team>
__global__ __launch_bounds__(PUSH_THREADS) void push(
    const Offset* indptr, const int* indices, const typename Side::template Matrix<S>* values, const int* places,
    const typename Side::template Vector<S>* vector, int entries, const bool* flags, Board* board, typename S::C* out,
    int* touched) {
  const Push<S, Side, Mask, 1> work{indices, values, places, vector, flags, board->present(), out};
  const int p = static_cast<int>((blockIdx.x * static_cast<long long>(PUSH_THREADS) + threadIdx.x) / Team::lanes);
  const bool there = p < entries;
  const Offset last = there ? indptr[places[p] + 1] : 0;
  Offset q = there ? indptr[places[p]] + threadIdx.x % Team::lanes : 0;
  for (; __any_sync(WHOLE_WARP, q < last); q += Team::lanes) {
    const int from[1] = {q < last ? p : -1};
    const long long at[1] = {q};
    int to[1];
    bool first[1];
    work.scatter(from, at, to, first);
    warp_append(first[0], to[0], touched, &board->count);
  }
}

// The first place whose end lies behind arc e.
__device__ __forceinline__ int owner(const long long* ends, int low, int high, long long e) {
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (ends[middle] <= e) low = middle + 1;
    else high = middle;
  }
  return low;
}

constexpr int ARCS_A_THREAD = PUSH_ARCS / PUSH_THREADS, HELD_ENDS = PUSH_ARCS;

// Put the flagged places of all threads at the end of the list, with one addition for the block.
__device__ __forceinline__ void list(
    const bool (&first)[ARCS_A_THREAD], const int (&place)[ARCS_A_THREAD], int* touched, unsigned long long* counter) {
  __shared__ unsigned long long begin;
  int count = 0;
#pragma unroll
  for (int step = 0; step < ARCS_A_THREAD; ++step) count += first[step];
  const Prefix<int> mine = block_exclusive_sum(count);
  if (threadIdx.x == 0 && mine.total) begin = atomicAdd(counter, static_cast<unsigned long long>(mine.total));
  __syncthreads();
  unsigned long long next = begin + mine.before;
#pragma unroll
  for (int step = 0; step < ARCS_A_THREAD; ++step)
    if (first[step]) touched[next++] = place[step];
}

template <class S, class Side>
struct EdgesParameters {
  const int* indices;
  const typename Side::template Matrix<S>* values;
  const int* places;  // indices of the entries
  const typename Side::template Vector<S>* vector;
  const long long* ends;
  const long long* shifts;
  const int* firsts;
  int entries;
  const bool* flags;
  Board* board;
  typename S::C* out;
  int* touched;
};

template <class S, class Side, class Mask>
__global__ __launch_bounds__(PUSH_THREADS, 4) void push_edges(const EdgesParameters<S, Side> given) {
  __shared__ long long held[HELD_ENDS];
  const Push<S, Side, Mask, ARCS_A_THREAD> work{
      given.indices, given.values, given.places, given.vector, given.flags, given.board->present(), given.out};
  const long long arcs = given.ends[given.entries - 1];
  for (long long share = blockIdx.x; share * PUSH_ARCS < arcs; share += gridDim.x) {
    const long long base = share * PUSH_ARCS, limit = base + PUSH_ARCS < arcs ? base + PUSH_ARCS : arcs;
    const int low = given.firsts[share],
              owners = (limit < arcs ? given.firsts[share + 1] : given.entries - 1) - low + 1;
    const bool hold = owners <= HELD_ENDS;
    __syncthreads();  // the last share is done with the shared memory
    for (const int p : block_range(0, hold ? owners : 0)) held[p] = given.ends[low + p];
    __syncthreads();
    int from[ARCS_A_THREAD], to[ARCS_A_THREAD];
    long long at[ARCS_A_THREAD];
    bool first[ARCS_A_THREAD];
#pragma unroll
    for (int step = 0; step < ARCS_A_THREAD; ++step) {
      const long long e = base + step * PUSH_THREADS + threadIdx.x;
      from[step] = e < limit ? low + owner(hold ? held : given.ends + low, 0, owners - 1, e) : -1;
      at[step] = e < limit ? e + given.shifts[from[step]] : 0;
    }
    work.scatter(from, at, to, first);
    list(first, to, given.touched, &given.board->count);
  }
}
