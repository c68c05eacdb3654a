// Which row holds an entry: binary search, and the merge path that shares rows and entries out evenly.
#pragma once

// The last row r of [0, rows) with indptr[r] <= entry, where indptr[rows] > entry >= indptr[0].
template <class Offset>
__device__ __forceinline__ int row_of(const Offset* indptr, int rows, Offset entry) {
  int low = 0, high = rows;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (indptr[middle] <= entry) low = middle;
    else high = middle;
  }
  return low;
}

// Where the walk over rows (down) and entries (right) crosses a diagonal: row + entry = diagonal.
template <class Offset>
struct MergePoint {
  int row;
  Offset entry;
};
template <class Offset>
__device__ __forceinline__ MergePoint<Offset> merge_path(
    Offset diagonal, const Offset* indptr, int rows, Offset entries) {
  Offset low = diagonal > entries ? diagonal - entries : 0;
  Offset high = diagonal < rows ? diagonal : static_cast<Offset>(rows);
  while (low < high) {
    const Offset middle = low + (high - low) / 2;
    if (indptr[middle + 1] <= diagonal - middle - 1) low = middle + 1;
    else high = middle;
  }
  return {static_cast<int>(low), diagonal - low};
}
