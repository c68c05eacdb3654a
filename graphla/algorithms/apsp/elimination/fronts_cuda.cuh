// The numeric phase: fronts F of one depth of the tree, whose children are the fronts of the depth below.
//   assemble: F = arcs of S ⊕ what the children leave:  F[place[i], place[j]] ⊕= U[i, j]
//   close:    F[i, j] ⊕= F[i, k] ⊗ F[k, j] for k in S
//   store:    the panels F[S, S and B] and F[B, S] in the strips that the sweeps read
// A block owns a front of up to FRONT_SIDE rows (a small block one of up to NARROW_SIDE), which lies in memory. It
// brings FRONT_BYTES / sizeof(V) pivots at a time into shared memory, rows and columns, closes them there, and combines
// them with all cells: a warp takes FRONT_ROWS rows, a lane a column. A larger front is padded to whole tiles between
// S and B and behind B. A block owns a row of it while it is assembled and stored; the tiles of `_pivot.cuh` close it.
//
// compiled: eliminate_fronts<P, FRONT_SIDE> with P = NonNegativeFloat | NonNegativePairs | SmallInt; hot on sm_90
// compiled: eliminate_fronts<P, NARROW_SIDE> with P = NonNegativeFloat | NonNegativePairs | Double; hot on sm_90
// compiled: eliminate_fronts<Saturating<S>, FRONT_SIDE> with S = max_min FP32 | max_times FP64
// compiled: assemble_rows<P> with P = NonNegativeFloat | NonNegativePairs
// compiled: add_arcs<P> with P = NonNegativeFloat | NonNegativePairs
// compiled: store_rows<P> with P = NonNegativeFloat | NonNegativePairs
#pragma once

#include "fronts_cuda.py"  // FRONT_BYTES, FRONT_ROWS
#include "headers/primitives.cuh"
#include "matmat/tropical_numbers.cuh"
#include "tables.py"  // FRONT_SIDE, NARROW_SIDE, FRONT_THREADS, SWEEP_COLUMNS

// `here` are the fronts of this depth and `below` those of the next. Front s begins at at[s], a row of it has stride[s]
// cells, and its boundary begins at split[s]. Its children are number children_of[s] to children_of[s + 1] − 1 of
// `children`, its arcs number begin[s] to begin[s + 1] − 1 of `values`.
template <class P>
struct FrontParameters {
  const int* fronts;
  typename P::Value* here;
  const typename P::Value* below;
  const long long* at;
  const int* stride;
  const int* split;
  const int* first;
  const long long* indptr;
  const int* place;
  const long long* begin;
  const int* front_row;
  const int* front_column;
  const int* children_of;
  const int* children;
  const typename P::Value* values;
  typename P::Value* up;
  const long long* up_offset;
  typename P::Value* down;
  const long long* down_offset;
  int* cycle;
  typename P::Value one;
  typename P::Value zero;
};

// A front in memory; cell (i, j) has the indices of the front, without padding.
template <class P>
struct Front {
  using V = typename P::Value;
  const FrontParameters<P>& p;
  const int s, w, m;
  const long long stride, gap;
  V* cells;
  __device__ __forceinline__ Front(const FrontParameters<P>& p, int s)
      : p(p),
        s(s),
        w(p.first[s + 1] - p.first[s]),
        m(w + static_cast<int>(p.indptr[s + 1] - p.indptr[s])),
        stride(p.stride[s]),
        gap(p.split[s] - w),
        cells(p.here + p.at[s]) {}
  __device__ __forceinline__ long long padded(int i) const { return i < w ? i : i + gap; }
  __device__ __forceinline__ V& cell(int i, int j) const { return cells[padded(i) * stride + padded(j)]; }
};

// The first of `count` ascending numbers that is not less than `bound`.
__device__ __forceinline__ int find_first(const int* numbers, int count, int bound) {
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (numbers[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Arcs number `first` to `last` − 1; no two of them have one cell, but for a loop on the diagonal.
template <class P>
__device__ __forceinline__ void put_arcs(const Front<P>& f, StridedRange<long long> arcs) {
  for (const long long e : arcs) {
    typename P::Value& cell = f.cell(f.p.front_row[e], f.p.front_column[e]);
    cell = P::plus(cell, f.p.values[e]);
  }
}

// Rows low … high − 1 of what the children leave. One child after another, because two may share cells.
template <class P>
__device__ __forceinline__ void add_children(const Front<P>& f, int low, int high) {
  const auto& p = f.p;
  for (int e = p.children_of[f.s]; e < p.children_of[f.s + 1]; ++e) {
    const int c = p.children[e], b = static_cast<int>(p.indptr[c + 1] - p.indptr[c]);
    const int* place = p.place + p.indptr[c];
    const long long stride = p.stride[c];
    const typename P::Value* update = p.below + p.at[c] + p.split[c] * (stride + 1);
    const int i0 = find_first(place, b, low), rows = find_first(place, b, high) - i0;
    __syncthreads();
    for (const int q : block_range(0, rows * b)) {
      const int i = i0 + q / b, j = q % b;
      typename P::Value& cell = f.cell(place[i], place[j]);
      cell = P::plus(cell, update[i * stride + j]);
    }
  }
}

// Numbers low … high − 1 of the strips of a front: the panel of the way up, then that of the way down.
template <class P>
__device__ __forceinline__ void store_strips(const Front<P>& f, StridedRange<long long> numbers) {
  const auto& p = f.p;
  const long long wide = (f.w + SWEEP_COLUMNS - 1) / SWEEP_COLUMNS * SWEEP_COLUMNS, ups = wide * f.m;
  for (const long long e : numbers) {
    const bool up = e < ups;
    const long long at = up ? e : e - ups, rows = up ? f.m : f.m - f.w;
    const int k = static_cast<int>(at / (rows * SWEEP_COLUMNS) * SWEEP_COLUMNS + at % SWEEP_COLUMNS);
    const int j = static_cast<int>(at / SWEEP_COLUMNS % rows);
    const typename P::Value value = k >= f.w ? p.zero : up ? f.cell(k, j) : f.cell(f.w + j, k);
    (up ? p.up + p.up_offset[f.s] : p.down + p.down_offset[f.s])[at] = value;
  }
}

template <class P>
__device__ __forceinline__ long long count_stored(const Front<P>& f) {
  const long long wide = (f.w + SWEEP_COLUMNS - 1) / SWEEP_COLUMNS * SWEEP_COLUMNS;
  return wide * (2 * f.m - f.w);
}

// Some pivots of a front of up to `side` rows in shared memory: their rows, and their columns transposed.
template <class P, int side>
struct Pivots {
  using V = typename P::Value;
  static constexpr int most = sizeof(V) > 4 ? FRONT_BYTES / 8 : FRONT_BYTES / 4;
  V rows[most][side], columns[most][side];

  __device__ __forceinline__ void load(const Front<P>& f, int low, int count) {
    for (const int e : block_range(0, most * f.m)) {
      const int k = e / f.m, j = e % f.m;
      rows[k][j] = k < count ? f.cells[(low + k) * f.stride + j] : f.p.zero;
    }
    for (const int e : block_range(0, most * f.m)) {
      const int k = e % most, i = e / most;
      columns[k][i] = k < count ? f.cells[i * f.stride + low + k] : f.p.zero;
    }
  }
  // Floyd–Warshall on these rows and columns; *cycle gets a pivot whose path to itself beats the empty path.
  __device__ __forceinline__ void close(const Front<P>& f, int low, int count) {
    for (int k = 0; k < count; ++k) {
      __syncthreads();
      const V own = rows[k][low + k];
      if (threadIdx.x == 0 && P::beats(own, f.p.one) && load_fresh(f.p.cycle) < 0)
        *f.p.cycle = f.p.first[f.s] + low + k;
      for (const int j : block_range(0, f.m)) {
        const V right = rows[k][j], left = columns[k][j];
        for (int other = 0; other < count; ++other) {
          if (other == k) continue;
          if (j != low + k) rows[other][j] = P::plus(rows[other][j], P::sum(rows[other][low + k], right));
          columns[other][j] = P::plus(columns[other][j], P::sum(left, rows[k][low + other]));
        }
      }
    }
    __syncthreads();
  }
  // F = F ⊕ (columns ⊗ rows), which writes the rows and columns of the pivots, too.
  __device__ __forceinline__ void combine(const Front<P>& f) const {
    for (int i = warp_index() * FRONT_ROWS; i < f.m; i += static_cast<int>(blockDim.x / 32) * FRONT_ROWS) {
      V left[most][FRONT_ROWS];
#pragma unroll
      for (int k = 0; k < most; ++k)
#pragma unroll
        for (int y = 0; y < FRONT_ROWS; ++y) left[k][y] = columns[k][min(i + y, f.m - 1)];
      for (const int j : lane_range(0, f.m)) {
        V d[FRONT_ROWS];
#pragma unroll
        for (int y = 0; y < FRONT_ROWS; ++y) d[y] = f.cells[min(i + y, f.m - 1) * f.stride + j];
#pragma unroll
        for (int k = 0; k < most; ++k) {
          const V right = rows[k][j];
#pragma unroll
          for (int y = 0; y < FRONT_ROWS; ++y) d[y] = P::plus(d[y], P::sum(left[k][y], right));
        }
#pragma unroll
        for (int y = 0; y < FRONT_ROWS; ++y)
          if (i + y < f.m) f.cells[(i + y) * f.stride + j] = d[y];
      }
    }
  }
};

// Whole fronts of up to `side` rows, a block each.
template <class P, int side>
__global__ __launch_bounds__(FRONT_THREADS) void eliminate_fronts(FrontParameters<P> p) {
  using V = typename P::Value;
  __shared__ Pivots<P, side> pivots;
  const Front<P> f(p, p.fronts[blockIdx.x]);
  const auto threads = [&](long long count) { return block_range(0ll, count); };
  for (const int e : block_range(0, f.m * f.m)) f.cells[e] = e % (f.m + 1) == 0 && e / f.m < f.w ? p.one : p.zero;
  __syncthreads();
  put_arcs(f, block_range(p.begin[f.s], p.begin[f.s + 1]));
  add_children(f, 0, f.m);
  for (int low = 0; low < f.w; low += pivots.most) {
    const int count = min(f.w - low, pivots.most);
    __syncthreads();
    pivots.load(f, low, count);
    pivots.close(f, low, count);
    pivots.combine(f);
  }
  __syncthreads();
  store_strips(f, threads(count_stored(f)));
}

// Large fronts, number blockIdx.y, without their arcs: a block takes a padded row.
template <class P>
__global__ __launch_bounds__(FRONT_THREADS) void assemble_rows(FrontParameters<P> p) {
  const Front<P> f(p, p.fronts[blockIdx.y]);
  if (blockIdx.x >= f.stride) return;
  const int i = static_cast<int>(blockIdx.x), split = static_cast<int>(f.w + f.gap);
  const int row = i < f.w ? i : i < split ? f.m : i - static_cast<int>(f.gap);
  for (const int j : block_range(0, static_cast<int>(f.stride)))
    f.cells[i * f.stride + j] = j == i && i < split ? p.one : p.zero;
  if (row < f.m) add_children(f, row, row + 1);
}

template <class P>
__global__ void add_arcs(FrontParameters<P> p) {
  const Front<P> f(p, p.fronts[blockIdx.y]);
  const long long begin = p.begin[f.s], first = begin + blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  put_arcs(f, {min(first, p.begin[f.s + 1]), p.begin[f.s + 1], static_cast<long long>(gridDim.x) * blockDim.x});
}

template <class P>
__global__ void store_rows(FrontParameters<P> p) {
  const Front<P> f(p, p.fronts[0]);
  store_strips(f, grid_range(count_stored(f)));
}
