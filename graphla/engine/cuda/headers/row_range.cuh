// Part of a sorted list of columns.
#pragma once

#include "primitives.cuh"

struct RowRange {
  const int* indices;
  long long first, last;

  __device__ __forceinline__ long long size() const { return last - first; }
  // The place of the first column that is not less than k.
  __device__ __forceinline__ long long lower_bound(int k) const {
    long long low = first, high = last;
    while (low < high) {
      const long long middle = low + (high - low) / 2;
      if (indices[middle] < k) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  // The place of column k, or -1.
  __device__ __forceinline__ long long find(int k) const {
    const long long at = lower_bound(k);
    return at < last && indices[at] == k ? at : -1;
  }
};
