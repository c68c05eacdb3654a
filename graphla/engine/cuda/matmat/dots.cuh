// C[i, j] = ⊕_k A[i, k] ⊗ Bᵀ[j, k] for the entries (i, j) of a mask alone, up to the terminal value of ⊕.
//
// Eight lanes own an entry: they stride over the shorter of the two rows and search each column in the longer.
//
// compiled: dots<S> with S = plus_times FP32 | any_pair BOOL | min_plus INT64; hot
// compiled: dots<S> with S = plus_times FC64
#pragma once

#include "headers/sum.cuh"

constexpr int DOT_TEAM = 8;

struct RowRange {
  const int* column;
  long long first, last;

  // The place of column k, or -1.
  __device__ __forceinline__ long long find(int k) const {
    long long low = first, high = last;
    while (low < high) {
      const long long middle = low + (high - low) / 2;
      if (column[middle] < k) low = middle + 1;
      else high = middle;
    }
    return low < last && column[low] == k ? low : -1;
  }
};

template <class S>
__global__ void dots(const long long* entry_row, const int* entry_column, long long entries, const long long* ap,
                     const int* aj, const typename S::A* ax, const long long* bp, const int* bj,
                     const typename S::B* bx, bool* present, typename S::C* out) {
  const long long e = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / DOT_TEAM;
  Sum<S> sum;
  if (e < entries) {
    const int i = static_cast<int>(entry_row[e]), j = entry_column[e];
    const RowRange a{aj, ap[i], ap[i + 1]}, b{bj, bp[j], bp[j + 1]};
    const bool walk_a = a.last - a.first <= b.last - b.first;
    const RowRange walked = walk_a ? a : b, searched = walk_a ? b : a;
    for (long long p = walked.first + threadIdx.x % DOT_TEAM; p < walked.last && !sum.done(); p += DOT_TEAM) {
      const int k = walked.column[p];
      const long long q = searched.find(k);
      if (q >= 0) sum.take(S::mul(ax[walk_a ? p : q], bx[walk_a ? q : p], i, k, j));
    }
  }
  sum.template over_team<DOT_TEAM>();
  if (e < entries && threadIdx.x % DOT_TEAM == 0) {
    present[e] = sum.found;
    out[e] = sum.total;
  }
}
