// C with some cells of few rows replaced: a cell that has a new value becomes an entry, each other cell becomes none.
//
// mark_cells: a block owns a changed row; it searches each cell in C, and adds up by how many entries the row has grown
// before the cell. replace_cells: a block moves MOVE_TILE entries of C; all of them lie behind the same changed rows
// unless one of these begins or ends among them. Then threads write row pointers and new entries.
//
// compiled: mark_cells<P> with P = int | long long; hot
// compiled: look_up_cells<P, V> with P = int | long long; V = unsigned char | int | long long | Wide; hot
// compiled: replace_cells<P, Q, V> with P = int | long long; Q = int | long long;
//   V = unsigned char | int | long long | Wide; hot
#pragma once

#include "cells.py"  // MOVE_THREADS, MOVE_EACH, MOVE_TILE
#include "headers/row_range.cuh"
#include "headers/wide.cuh"

// The changed rows, their cells in the order of the columns, and where each cell stands among the new values. `layout`
// has the changed rows, the first cell of each, and the columns; those of a block (width > 0) are of all its rows, and
// then follow the order of its rows and that of its columns.
struct Cells {
  const long long* layout;
  int rows, width;

  __device__ __forceinline__ long long place(int k) const { return layout[k]; }
  __device__ __forceinline__ long long first(int k) const { return layout[rows + k]; }
  __device__ __forceinline__ int size(int k) const { return static_cast<int>(first(k + 1) - first(k)); }
  __device__ __forceinline__ const long long* columns(int k) const {
    return layout + 2 * rows + 1 + (width ? 0 : first(k));
  }
  __device__ __forceinline__ long long source(int k, int l) const {
    const long long* orders = layout + 2 * rows + 1 + width;
    return width ? orders[k] * width + orders[rows + l] : first(k) + l;
  }
  // How many cells of a row have a smaller column.
  __device__ __forceinline__ int before(int k, int column) const {
    const long long* mine = columns(k);
    int low = 0, high = size(k);
    while (low < high) {
      const int middle = (low + high) / 2;
      if (mine[middle] < column) low = middle + 1;
      else high = middle;
    }
    return low;
  }
};

// How many of the sorted numbers are at most x.
__device__ __forceinline__ int count_up_to(const long long* sorted, int many, long long x) {
  int low = 0, high = many;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

template <class P>
struct MarkParameters {
  const P* indptr;
  const int* indices;
  const long long* layout;
  int rows;
  int width;
  const bool* present;
  bool all_present;
  long long* begins;
  long long* ends;
  int* smaller;
  int* grown_before;
  int* grown;
};

template <class P>
__global__ void mark_cells(const __grid_constant__ MarkParameters<P> given) {
  const Cells cells{given.layout, given.rows, given.width};
  const int k = static_cast<int>(blockIdx.x), size = cells.size(k), threads = static_cast<int>(blockDim.x);
  const RowRange row{given.indices, given.indptr[cells.place(k)], given.indptr[cells.place(k) + 1]};
  int before = 0;
  for (int begin = 0; begin < size; begin += threads) {
    const int l = begin + static_cast<int>(threadIdx.x);
    int change = 0;
    if (l < size) {
      const int column = static_cast<int>(cells.columns(k)[l]);
      const long long at = row.lower_bound(column);
      const bool held = at < row.last && row.indices[at] == column;
      const bool wanted = given.all_present || given.present[cells.source(k, l)];
      given.smaller[cells.first(k) + l] = static_cast<int>(at - row.first);
      change = static_cast<int>(wanted) - static_cast<int>(held);
    }
    const Prefix<int> changes = block_exclusive_sum(change);
    if (l < size) given.grown_before[cells.first(k) + l] = before + changes.before;
    before += changes.total;
  }
  if (threadIdx.x > 0) return;
  given.begins[k] = row.first;
  given.ends[k] = row.last;
  given.grown[k] = before;
}

template <class P, class V>
struct LookUpParameters {
  const P* indptr;
  const int* indices;
  const V* values;
  const long long* layout;
  int rows;
  bool* present;
  V* out;
};

// Each cell of rows with cells of their own, in another matrix.
template <class P, class V>
__global__ void look_up_cells(const __grid_constant__ LookUpParameters<P, V> given) {
  const Cells cells{given.layout, given.rows, 0};
  for (const long long c : grid_range(cells.first(given.rows))) {
    const int k = count_up_to(given.layout + given.rows, given.rows, c) - 1;
    const long long place = cells.place(k);
    const RowRange row{given.indices, given.indptr[place], given.indptr[place + 1]};
    const long long at = row.find(static_cast<int>(cells.columns(k)[c - cells.first(k)]));
    given.present[c] = at >= 0;
    if (at >= 0) given.out[c] = given.values[at];
  }
}

template <class P, class Q, class V>
struct ReplaceParameters {
  const P* indptr;
  const int* indices;
  const V* values;
  int height;
  long long entries;
  const long long* layout;
  int rows;
  int width;
  const bool* present;
  bool all_present;
  const V* fresh;
  bool one_value;
  const long long* begins;
  const long long* ends;
  const int* smaller;
  const int* grown_before;
  const long long* grown_above;
  Q* out_indptr;
  int* out_indices;
  V* out_values;
};

// Entry p of C, near or in a changed row.
template <class P, class Q, class V>
__device__ __forceinline__ void move_entry(const ReplaceParameters<P, Q, V>& given, const Cells& cells, long long p) {
  const int k = count_up_to(given.ends, given.rows, p), column = given.indices[p];
  long long to = p + given.grown_above[k];
  if (k < given.rows && given.begins[k] <= p) {
    const int l = cells.before(k, column), size = cells.size(k);
    if (l < size && cells.columns(k)[l] == column) return;
    to = l < size ? to + given.grown_before[cells.first(k) + l] : p + given.grown_above[k + 1];
  }
  given.out_indices[to] = column;
  given.out_values[to] = given.values[p];
}

// Entries of C from `begin` on that all move by as much.
template <class P, class Q, class V>
__device__ __forceinline__ void move_tile(
    const ReplaceParameters<P, Q, V>& given, long long begin, long long end, long long by) {
  int columns[MOVE_EACH];
  V values[MOVE_EACH];
#pragma unroll
  for (int i = 0; i < MOVE_EACH; ++i) {
    const long long p = begin + i * MOVE_THREADS + threadIdx.x;
    if (p >= end) continue;
    columns[i] = given.indices[p];
    values[i] = given.values[p];
  }
#pragma unroll
  for (int i = 0; i < MOVE_EACH; ++i) {
    const long long p = begin + i * MOVE_THREADS + threadIdx.x;
    if (p >= end) continue;
    given.out_indices[p + by] = columns[i];
    given.out_values[p + by] = values[i];
  }
}

// The entry that cell c becomes, if it has a new value.
template <class P, class Q, class V>
__device__ __forceinline__ void write_cell(const ReplaceParameters<P, Q, V>& given, const Cells& cells, long long c) {
  const int k = count_up_to(given.layout + given.rows, given.rows, c) - 1;
  const int l = static_cast<int>(c - cells.first(k));
  const long long source = cells.source(k, l);
  if (!given.all_present && !given.present[source]) return;
  const long long to = given.begins[k] + given.grown_above[k] + given.smaller[c] + given.grown_before[c];
  given.out_indices[to] = static_cast<int>(cells.columns(k)[l]);
  given.out_values[to] = given.fresh[given.one_value ? 0 : source];
}

template <class P, class Q, class V>
__global__ __launch_bounds__(MOVE_THREADS, 4) void replace_cells(
    const __grid_constant__ ReplaceParameters<P, Q, V> given) {
  const Cells cells{given.layout, given.rows, given.width};
  const long long begin = static_cast<long long>(blockIdx.x) * MOVE_TILE;
  const long long end = given.entries - begin < MOVE_TILE ? given.entries : begin + MOVE_TILE;
  const int above = count_up_to(given.ends, given.rows, begin);
  if (above == given.rows || given.begins[above] >= end) move_tile(given, begin, end, given.grown_above[above]);
  else
    for (const long long p : block_range(begin, end)) move_entry(given, cells, p);
  for (const long long r : grid_range(static_cast<long long>(given.height) + 1))
    given.out_indptr[r] =
        static_cast<Q>(given.indptr[r] + given.grown_above[count_up_to(given.layout, given.rows, r - 1)]);
  for (const long long c : grid_range(cells.first(given.rows))) write_cell(given, cells, c);
}
