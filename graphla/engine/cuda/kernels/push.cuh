// w = ⊕_k M[k, :] ⊗ v[k]: the rows of the entries of v are scattered into w, where the mask allows.
//
// `push`: one lane, a warp or a block owns an entry of v and its row. `push_edges`: the arcs that leave v are shared
// out evenly; a thread finds the entry of its arc by a search in `ends`, the running count of arcs.
// w is `out` (the identity at first), flagged in `present` and listed in `touched` as entries come.
// compiled: push<S, MatrixFirst, Mask, Offset, Team> with S = plus_times FP32 | min_plus FP32 | any_pair BOOL | any_secondi BOOL INT32 | max_min INT16 | plus_times FP64 | lor_land BOOL | min_plus INT64; Mask = NoMask | Outside; Offset = int | long long; Team = ByThread | ByWarp | ByBlock; hot
// compiled: push_edges<S, MatrixFirst, Mask, Offset> with S = plus_times FP32 | min_plus FP32 | any_pair BOOL | any_secondi BOOL INT32 | max_min INT16 | plus_times FP64 | lor_land BOOL | min_plus INT64; Mask = NoMask | Outside; Offset = int | long long; hot
#pragma once
#include "join.cuh"
#include "sum.cuh"
#include "views.cuh"

constexpr int PUSH_THREADS = 256;

// Raise the flag of a place; true for the one caller that did. Flags are bytes, taken four at a time.
__device__ __forceinline__ bool first_at(bool* flags, int place) {
  if (load_fresh(flags + place)) return false;
  const unsigned bit = 1u << bit_in_word(flags + place);
  return !(atomicOr(word_around(flags + place), bit) & bit);
}

template <class S, class Side, class Mask>
struct Push {
  using C = typename S::C;
  const typename Side::template Matrix<S>* value;
  const int* places;
  const typename Side::template Vector<S>* given;
  const bool* flags;
  bool* present;
  C* out;

  // The arc at q of entry p into place i; true if i had no entry before.
  __device__ __forceinline__ bool scatter(int i, long long p, long long q) const {
    if (!Mask::allows(flags, i)) return false;
    const bool first = first_at(present, i);
    const C term = Side::template product<S>(value_at<Side::template reads_matrix<S>>(value, q),
                                             value_at<Side::template reads_vector<S>>(given, p), i, places[p]);
    if constexpr (!S::is_any) join<S>(out + i, term);
    else if (first) out[i] = term;
    return first;
  }
};

struct ByThread { static constexpr int lanes = 1; };
struct ByWarp { static constexpr int lanes = 32; };
struct ByBlock { static constexpr int lanes = PUSH_THREADS; };

template <class S, class Side, class Mask, class Offset, class Team>
__global__ __launch_bounds__(PUSH_THREADS) void push(
    const Offset* start, const int* column, const typename Side::template Matrix<S>* value, const int* places,
    const typename Side::template Vector<S>* given, int entries, const bool* flags, bool* present,
    typename S::C* out, int* touched, unsigned long long* counter) {
  const Push<S, Side, Mask> work{value, places, given, flags, present, out};
  const long long p = (blockIdx.x * static_cast<long long>(PUSH_THREADS) + threadIdx.x) / Team::lanes;
  const bool there = p < entries;
  const Offset last = there ? start[places[p] + 1] : 0;
  Offset q = there ? start[places[p]] + threadIdx.x % Team::lanes : 0;
  for (; __any_sync(WHOLE_WARP, q < last); q += Team::lanes) {
    const int i = q < last ? column[q] : 0;
    warp_append(q < last && work.scatter(i, p, q), i, touched, counter);
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

constexpr int ARCS_A_THREAD = 4, ARCS_A_BLOCK = ARCS_A_THREAD * PUSH_THREADS;

// Put the flagged places of all threads at the end of the list, with one addition for the block.
__device__ __forceinline__ void list(const bool* first, const int* place, int* touched, unsigned long long* counter) {
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

template <class S, class Side, class Mask, class Offset>
__global__ __launch_bounds__(PUSH_THREADS, 4) void push_edges(
    const Offset* start, const int* column, const typename Side::template Matrix<S>* value, const int* places,
    const typename Side::template Vector<S>* given, const long long* ends, int entries, const bool* flags,
    bool* present, typename S::C* out, int* touched, unsigned long long* counter) {
  const Push<S, Side, Mask> work{value, places, given, flags, present, out};
  __shared__ int range[2];
  const long long arcs = ends[entries - 1];
  for (long long base = blockIdx.x * static_cast<long long>(ARCS_A_BLOCK); base < arcs;
       base += gridDim.x * static_cast<long long>(ARCS_A_BLOCK)) {
    const long long limit = base + ARCS_A_BLOCK < arcs ? base + ARCS_A_BLOCK : arcs;
    __syncthreads();
    if (threadIdx.x < 2) range[threadIdx.x] = owner(ends, 0, entries - 1, threadIdx.x ? limit - 1 : base);
    __syncthreads();
    bool first[ARCS_A_THREAD];
    int p[ARCS_A_THREAD], i[ARCS_A_THREAD];
    long long q[ARCS_A_THREAD];
#pragma unroll
    for (int step = 0; step < ARCS_A_THREAD; ++step) {
      const long long e = base + step * PUSH_THREADS + threadIdx.x;
      p[step] = e < limit ? owner(ends, range[0], range[1], e) : -1;
      q[step] = e < limit ? start[places[p[step]]] + (e - (p[step] ? ends[p[step] - 1] : 0)) : 0;
      i[step] = e < limit ? column[q[step]] : 0;
    }
#pragma unroll
    for (int step = 0; step < ARCS_A_THREAD; ++step)
      first[step] = p[step] >= 0 && work.scatter(i[step], p[step], q[step]);
    list(first, i, touched, counter);
  }
}
