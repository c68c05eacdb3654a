// C[i, j] = ⊕_k A[i, k] ⊗ Bᵀ[j, k] for the entries (i, j) of a mask alone, up to the terminal value of ⊕.
//
// A group of LANES threads owns a task: some neighbouring entries of the mask in one row i. It holds the columns of
// A[i, :] in a hash table of SLOTS slots in shared memory. A team of eight lanes owns an entry: they walk Bᵀ[j, :] and
// look each column up; where that row is much the longer one they walk A[i, :] and search Bᵀ[j, :]. Without slots, for
// rows that fit no table, they walk the shorter row and search the longer one. Entries whose walk is long are left to
// all threads of a block.
//
// compiled: dots<S, 32, 512> with S = plus_times FP32 | any_pair BOOL | min_plus INT64 | plus_pair FP32 INT64;
//   hot on sm_90
// compiled: dots<S, 256, SLOTS> with S = plus_times FP32 | any_pair BOOL | min_plus INT64 | plus_pair FP32 INT64;
//   SLOTS = 4096 | 0; hot on sm_90
// compiled: dots<S, 256, 4096> with S = plus_times FP64 | times_plus FC64 | any_second FC64
#pragma once

#include "dots.py"  // LONG_WALK, LONGS, SEARCH_COST, TEAM, THREADS
#include "headers/primitives.cuh"
#include "headers/row_range.cuh"
#include "headers/sum.cuh"

constexpr int NO_COLUMN = -1;

template <class S>
struct DotsParameters {
  const int* task_row;
  const int* task_chunk;
  const long long* mask_indptr;
  const int* mask_indices;
  const long long* a_indptr;
  const int* a_indices;
  const typename S::A* a_values;
  const long long* b_indptr;
  const int* b_indices;
  const typename S::B* b_values;
  bool* present;
  typename S::C* out;
  int tasks;
  int chunk;
};

// The columns of a row, at most a quarter as many as there are slots, with their places in the row if PLACES is set.
template <bool PLACES>
struct RowTable {
  int* keys;
  int* places;
  unsigned size;  // a power of two

  __device__ __forceinline__ unsigned slot_of(int k) const {
    return static_cast<unsigned>(k) * 2654435761u >> 7 & (size - 1);
  }
  __device__ __forceinline__ void insert(int k, int place) const {
    unsigned slot = slot_of(k);
    while (atomicCAS(keys + slot, NO_COLUMN, k) != NO_COLUMN) slot = slot + 1 & (size - 1);
    if constexpr (PLACES) places[slot] = place;
  }
  // The place of column k in the row (0 without PLACES), or -1.
  __device__ __forceinline__ long long find(int k) const {
    for (unsigned slot = slot_of(k);; slot = slot + 1 & (size - 1)) {
      const int key = keys[slot];
      if (key == NO_COLUMN) return -1;
      if (key == k) return PLACES ? places[slot] : 0;
    }
  }
};

template <int LANES>
__device__ __forceinline__ void group_sync() {
  if constexpr (LANES == 32) __syncwarp();
  else __syncthreads();
}

// The dot products of row i of A.
template <class S, int LANES, int SLOTS, bool PLACES>
struct DotWork {
  const DotsParameters<S>& given;
  const RowTable<PLACES>& table;
  const RowRange& a;
  int i;

  __device__ __forceinline__ RowRange row_of_b(int j) const {
    return {given.b_indices, given.b_indptr[j], given.b_indptr[j + 1]};
  }
  // Whether to walk A[i, :] and search Bᵀ[j, :].
  __device__ __forceinline__ bool walks_a(const RowRange& b) const {
    return a.size() * (SLOTS ? SEARCH_COST : 1) <= b.size();
  }
  __device__ __forceinline__ long long walk_length(int j) const {
    const RowRange b = row_of_b(j);
    return walks_a(b) ? a.size() : b.size();
  }
  __device__ __forceinline__ void walk(int j, int lane, int lanes, Sum<S>& sum) const {
    const RowRange b = row_of_b(j);
    const bool walk_a = walks_a(b);
    const RowRange walked = walk_a ? a : b, searched = walk_a ? b : a;
    for (long long p = walked.first + lane; p < walked.last && !sum.done(); p += lanes) {
      const int k = walked.indices[p];
      long long q;
      if (SLOTS && !walk_a) {
        q = table.find(k);
        if (q >= 0) q += a.first;
      } else {
        q = searched.find(k);
      }
      if (q < 0) continue;
      typename S::A x{};
      typename S::B y{};
      if constexpr (S::reads_a) x = given.a_values[walk_a ? p : q];
      if constexpr (S::reads_b) y = given.b_values[walk_a ? q : p];
      sum.take(S::mul(x, y, i, k, j));
    }
  }
  __device__ __forceinline__ void put(long long e, const Sum<S>& sum) const {
    given.present[e] = sum.found;
    given.out[e] = sum.total;
  }
};

template <class S, int LANES, int SLOTS>
__global__ __launch_bounds__(THREADS) void dots(DotsParameters<S> given) {
  constexpr int GROUPS = THREADS / LANES, ROOM = SLOTS ? GROUPS * SLOTS : 1;
  constexpr bool PLACES = S::reads_a;
  __shared__ int keys[ROOM];
  __shared__ int places[PLACES ? ROOM : 1];
  const int group = static_cast<int>(threadIdx.x) / LANES, lane = static_cast<int>(threadIdx.x) % LANES;
  const int task = static_cast<int>(blockIdx.x) * GROUPS + group;
  if (task >= given.tasks) return;  // all lanes of a group
  const int i = given.task_row[task];
  const RowRange a{given.a_indices, given.a_indptr[i], given.a_indptr[i + 1]};
  RowTable<PLACES> table{keys + (SLOTS ? group * SLOTS : 0), places + (SLOTS && PLACES ? group * SLOTS : 0), 32};
  if constexpr (SLOTS > 0) {
    while (table.size < 4 * a.size()) table.size *= 2;
    for (unsigned slot = lane; slot < table.size; slot += LANES) table.keys[slot] = NO_COLUMN;
    group_sync<LANES>();
    for (long long p = a.first + lane; p < a.last; p += LANES)
      table.insert(a.indices[p], static_cast<int>(p - a.first));
    group_sync<LANES>();
  }
  const long long begin = given.mask_indptr[i] + static_cast<long long>(given.task_chunk[task]) * given.chunk;
  const long long row_end = given.mask_indptr[i + 1];
  const long long end = begin + given.chunk < row_end ? begin + given.chunk : row_end;
  const DotWork<S, LANES, SLOTS, PLACES> work{given, table, a, i};
  __shared__ int longs[LANES == 32 ? 1 : LONGS];
  __shared__ int long_count;
  if constexpr (LANES != 32) {
    if (threadIdx.x == 0) long_count = 0;
    __syncthreads();
  }
  for (long long e = begin + lane / TEAM; e < end; e += LANES / TEAM) {
    const int j = given.mask_indices[e];
    if (LANES != 32 && work.walk_length(j) > LONG_WALK) {  // left to all threads of the block
      if (lane % TEAM == 0) longs[atomicAdd(&long_count, 1)] = static_cast<int>(e - begin);
      continue;
    }
    Sum<S> sum;
    work.walk(j, lane % TEAM, TEAM, sum);
    sum.template over_team<TEAM>();
    if (lane % TEAM == 0) work.put(e, sum);
  }
  if constexpr (LANES != 32) {
    __syncthreads();
    for (int one = 0; one < long_count; ++one) {
      const long long e = begin + longs[one];
      Sum<S> sum;
      work.walk(given.mask_indices[e], lane, LANES, sum);
      sum.over_block();
      if (lane == 0) work.put(e, sum);
    }
  }
}
