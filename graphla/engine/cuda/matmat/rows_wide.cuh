// C[i, :] = ⊕_k A[i, k] ⊗ B[k, :] where a row has many products: a block owns a row, and looks at a window of columns
// at a time.
//
// The first walk marks the columns in a bitmap in shared memory. Its running count of bits is the place of each column
// in the row of C, already sorted, and the second walk adds every product up right there.
//
// compiled: rows_wide<S, Columns, Pass> with S = plus_times FP32 | min_plus FP32 | any_secondi BOOL INT32 |
//   plus_times INT8 | plus_times FP64; Columns = EveryColumn | MaskedColumns<true>; Pass = Counting | Filling; hot
// compiled: rows_wide<S, EveryColumn, Filling> with S = plus_times FC32 | plus_times FC64
#pragma once

#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "row_products.cuh"
#include "rows.py"  // WIDE_THREADS

constexpr int WINDOW = 1 << 17, WINDOW_WORDS = WINDOW / 32;

// The first place of [low, high) whose column is not below j.
__device__ __forceinline__ long long lower_bound(const int* indices, long long low, long long high, int j) {
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (indices[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low;
}

// visit(p, q, k, j) for each product of row i in the columns [begin, end): a warp takes a row of B.
template <class S, class Columns, class Visit>
__device__ __forceinline__ void walk(const Product<S, Columns>& of, int i, int begin, int end, Visit visit) {
  for (long long p = of.left_indptr[i] + warp_index(); p < of.left_indptr[i + 1]; p += WIDE_THREADS / 32) {
    const int k = of.left_indices[p];
    const long long last = of.right_indptr[k + 1];
    const long long first =
        begin == 0 ? of.right_indptr[k] : lower_bound(of.right_indices, of.right_indptr[k], last, begin);
    for (const long long q : lane_range(first, last)) {
      const int j = of.right_indices[q];
      if (j >= end) break;
      if (of.allows(i, j)) visit(p, q, k, j);
    }
  }
}

// A window's columns as bits, and how many stand before each word.
struct ColumnSet {
  unsigned bits[WINDOW_WORDS];
  int before[WINDOW_WORDS];

  __device__ __forceinline__ void clear(int words) {
    for (const int w : block_range(0, words)) bits[w] = 0;
    __syncthreads();
  }
  __device__ __forceinline__ void mark(int at) {
    if (!(load_fresh(bits + at / 32) >> (at & 31) & 1u)) atomicOr(bits + at / 32, 1u << (at & 31));
  }
  // Fill in `before`; returns how many columns there are.
  __device__ __forceinline__ int count(int words) {
    int seen = 0;
    __syncthreads();
    for (int base = 0; base < words; base += WIDE_THREADS) {
      const int w = base + threadIdx.x;
      const Prefix<int> place = block_exclusive_sum(w < words ? __popc(bits[w]) : 0);
      if (w < words) before[w] = seen + place.before;
      seen += place.total;
    }
    __syncthreads();
    return seen;
  }
  __device__ __forceinline__ int place(int at) const {
    return before[at / 32] + __popc(bits[at / 32] & ((1u << (at & 31)) - 1));
  }
  template <class Visit>
  __device__ __forceinline__ void each(int words, Visit visit) const {
    for (const int w : block_range(0, words))
      for (unsigned left = bits[w]; left; left &= left - 1) {
        const int at = 32 * w + __ffs(static_cast<int>(left)) - 1;
        visit(place(at), at);
      }
  }
};

// An entry begins as the identity. Narrow entries share words, which other blocks update at this time.
template <class C>
__device__ __forceinline__ void begin_entry(C* place, C identity) {
  if constexpr (sizeof(C) < 4) atomic_update(place, [identity](C) { return identity; });
  else *place = identity;
}

template <class S, class Columns, class Pass>
__global__ __launch_bounds__(WIDE_THREADS) void rows_wide(const __grid_constant__ RowsParameters<S> given) {
  __shared__ ColumnSet set;
  const Product<S, Columns> of = product_of<S, Columns>(given);
  const int i = given.rows[blockIdx.x];
  long long done = 0;
  for (long long begin = 0; begin < given.width; begin += WINDOW) {
    const int from = static_cast<int>(begin), end = given.width - begin < WINDOW ? given.width : from + WINDOW;
    const int words = (end - from + 31) / 32;
    set.clear(words);
    walk(of, i, from, end, [&](long long, long long, int, int j) { set.mark(j - from); });
    const int entries = set.count(words);
    if constexpr (Pass::fills) {
      int* row_indices = given.out_indices + given.out_indptr[i] + done;
      typename S::C* values = given.out_values + given.out_indptr[i] + done;
      set.each(words, [&](int place, int at) {
        row_indices[place] = from + at;
        begin_entry(values + place, S::identity());
      });
      __syncthreads();
      walk(of, i, from, end, [&](long long p, long long q, int k, int j) {
        join<S>(values + set.place(j - from), of.term(p, q, i, k, j));
      });
    }
    done += entries;
    __syncthreads();
  }
  if (!Pass::fills && threadIdx.x == 0) given.counts[i] = static_cast<int>(done);
}
