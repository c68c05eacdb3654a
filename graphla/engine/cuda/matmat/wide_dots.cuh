// C[i, j] = ⊕_k A[i, k] ⊗ Bᵀ[j, k] for the entries (i, j) of a mask in long rows of A, up to the terminal value of ⊕.
//
// A block owns a task: some neighbouring entries of the mask in one row i. It holds the columns of A[i, :] as bits in
// shared memory, those of one window of columns at a launch; where ⊗ reads A, each word of bits has the number of
// entries before it. A team of eight lanes owns an entry: they walk Bᵀ[j, :] in the window and look each column up;
// where that part is much the longer one they walk A[i, :] and search it. Entries whose walk is long are left to all
// threads of the block. What further windows find is added to what is there.
//
// compiled: wide_dots<S> with S = plus_times FP32 | any_pair BOOL | min_plus INT64 | plus_pair FP32 INT64; hot on sm_90
// compiled: wide_dots<S> with S = plus_times FP64 | times_plus FC64 | any_second FC64
// compiled: find_windows
#pragma once

#include "headers/primitives.cuh"
#include "headers/row_range.cuh"
#include "headers/sum.cuh"
#include "wide_dots.py"  // SEARCH_COST, WIDE_AHEAD, WIDE_CHUNK, WIDE_LONG, WIDE_TEAM, WIDE_THREADS

template <class S>
struct WideDotsParameters {
  const int* task_row;
  const int* task_chunk;
  const long long* mask_indptr;
  const int* mask_indices;
  const long long* a_begin;  // of each row in the window
  const long long* a_end;
  const int* a_indices;
  const typename S::A* a_values;
  const long long* b_begin;
  const long long* b_end;
  const int* b_indices;
  const typename S::B* b_values;
  bool* present;
  typename S::C* out;
  int first_column;  // of the window
  int words;
};

// The columns of a row in a window as bits; with RANKS also how many stand before each word that has a bit.
template <bool RANKS>
struct ColumnBits {
  unsigned* words;
  int* ranks;
  int first_column, low, high;  // words of columns below `low` and above `high` are not set

  __device__ __forceinline__ int word_of(int k) const { return (k - first_column) >> 5; }
  __device__ __forceinline__ unsigned bit_of(int k) const { return 1u << ((k - first_column) & 31); }
  __device__ __forceinline__ void fill(const RowRange& a) const {
    const int from = word_of(low), upto = word_of(high);
    for (const int word : block_range(from, upto + 1)) words[word] = 0;
    __syncthreads();
    for (long long p = a.first + threadIdx.x; p < a.last; p += blockDim.x) {
      const int k = a.indices[p];
      atomicOr(words + word_of(k), bit_of(k));
      if constexpr (RANKS)
        if (p == a.first || word_of(a.indices[p - 1]) != word_of(k)) ranks[word_of(k)] = static_cast<int>(p - a.first);
    }
    __syncthreads();
  }
  // How many columns of the row in the window are less than k (0 without RANKS), or -1 if k is none of them.
  __device__ __forceinline__ int find(int k) const {
    if (k < low || k > high) return -1;
    const unsigned word = words[word_of(k)], bit = bit_of(k);
    if (!(word & bit)) return -1;
    return RANKS ? ranks[word_of(k)] + __popc(word & (bit - 1)) : 0;
  }
};

// The dot products of row i of A with what stands in the window.
template <class S>
struct WideWork {
  const WideDotsParameters<S>& given;
  const ColumnBits<S::reads_a>& bits;
  const RowRange& a;
  int i;

  __device__ __forceinline__ RowRange row_of_b(int j) const {
    return {given.b_indices, given.b_begin[j], given.b_end[j]};
  }
  __device__ __forceinline__ bool walks_a(const RowRange& b) const { return a.size() * SEARCH_COST <= b.size(); }
  __device__ __forceinline__ void take(int k, int j, long long p, long long q, Sum<S>& sum) const {
    typename S::A x{};
    typename S::B y{};
    if constexpr (S::reads_a) x = given.a_values[p];
    if constexpr (S::reads_b) y = given.b_values[q];
    sum.take(S::mul(x, y, i, k, j));
  }
  // The loads of a lane are under way together.
  __device__ __forceinline__ void walk_b(int j, const RowRange& b, int lane, int lanes, Sum<S>& sum) const {
    for (long long q = b.first + lane; q < b.last && !sum.done(); q += WIDE_AHEAD * lanes) {
      int k[WIDE_AHEAD];
#pragma unroll
      for (int step = 0; step < WIDE_AHEAD; ++step)
        k[step] = q + step * lanes < b.last ? b.indices[q + step * lanes] : -1;
#pragma unroll
      for (int step = 0; step < WIDE_AHEAD; ++step) {
        const int rank = k[step] < 0 ? -1 : bits.find(k[step]);
        if (rank >= 0) take(k[step], j, a.first + rank, q + step * lanes, sum);
      }
    }
  }
  __device__ __forceinline__ void walk_a(int j, const RowRange& b, int lane, int lanes, Sum<S>& sum) const {
    for (long long p = a.first + lane; p < a.last && !sum.done(); p += lanes) {
      const long long q = b.find(a.indices[p]);
      if (q >= 0) take(a.indices[p], j, p, q, sum);
    }
  }
  __device__ __forceinline__ void walk(int j, int lane, int lanes, Sum<S>& sum) const {
    const RowRange b = row_of_b(j);
    if (walks_a(b)) walk_a(j, b, lane, lanes, sum);
    else walk_b(j, b, lane, lanes, sum);
  }
  __device__ __forceinline__ bool is_long(int j) const {
    const RowRange b = row_of_b(j);
    return (walks_a(b) ? a.size() : b.size()) > WIDE_LONG;
  }
  // Whether the windows before this one have found all that can be found.
  __device__ __forceinline__ bool is_done(long long e) const {
    return S::has_terminal && given.present[e] && S::is_terminal(given.out[e]);
  }
  __device__ __forceinline__ void put(long long e, Sum<S>& sum) const {
    if (!sum.found) return;
    if (given.present[e]) sum.take(given.out[e]);
    given.present[e] = true;
    given.out[e] = sum.total;
  }
};

template <class S>
__global__ __launch_bounds__(WIDE_THREADS) void wide_dots(WideDotsParameters<S> given) {
  extern __shared__ unsigned held[];
  __shared__ int longs[WIDE_CHUNK];
  __shared__ int long_count;
  const int i = given.task_row[blockIdx.x];
  const RowRange a{given.a_indices, given.a_begin[i], given.a_end[i]};
  if (a.size() == 0) return;  // the whole block
  const ColumnBits<S::reads_a> bits{
      held, reinterpret_cast<int*>(held + given.words), given.first_column, a.indices[a.first], a.indices[a.last - 1]};
  if (threadIdx.x == 0) long_count = 0;
  bits.fill(a);
  const WideWork<S> work{given, bits, a, i};
  const long long begin = given.mask_indptr[i] + static_cast<long long>(given.task_chunk[blockIdx.x]) * WIDE_CHUNK;
  const long long row_end = given.mask_indptr[i + 1];
  const long long end = begin + WIDE_CHUNK < row_end ? begin + WIDE_CHUNK : row_end;
  const int team = static_cast<int>(threadIdx.x) / WIDE_TEAM, lane = static_cast<int>(threadIdx.x) % WIDE_TEAM;
  for (long long e = begin + team; e < end; e += WIDE_THREADS / WIDE_TEAM) {
    const int j = given.mask_indices[e];
    if (work.is_done(e)) continue;
    if (work.is_long(j)) {
      if (lane == 0) longs[atomicAdd(&long_count, 1)] = static_cast<int>(e - begin);
      continue;
    }
    Sum<S> sum;
    work.walk(j, lane, WIDE_TEAM, sum);
    sum.template over_team<WIDE_TEAM>();
    if (lane == 0) work.put(e, sum);
  }
  __syncthreads();
  for (int one = 0; one < long_count; ++one) {
    const long long e = begin + longs[one];
    Sum<S> sum;
    work.walk(given.mask_indices[e], static_cast<int>(threadIdx.x), WIDE_THREADS, sum);
    sum.over_block();
    if (threadIdx.x == 0) work.put(e, sum);
  }
}

struct FindWindowsParameters {
  const long long* indptr;
  const int* indices;
  int rows;
  int windows;
  int width;
  long long* bounds;
};

// Where the entries of each window begin in each row, and where those of the last one end; a thread owns a row.
__global__ void find_windows(FindWindowsParameters given) {
  for (const int r : grid_range(given.rows)) {
    long long at = given.indptr[r];
    for (int window = 0; window <= given.windows; ++window) {
      const RowRange rest{given.indices, at, given.indptr[r + 1]};
      if (window == given.windows) at = rest.last;
      else if (window > 0) at = rest.lower_bound(window * given.width);
      given.bounds[static_cast<long long>(window) * given.rows + r] = at;
    }
  }
}
