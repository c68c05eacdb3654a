// x = A⁻¹ b from the pivots' inverses and W of all fronts, by positions: one depth of the tree after another in one
// cooperative launch.
//   up, from the deepest:  f = b + what the children leave,    u[B] = f[B] − Wᵀ f[S]
//   down, from the roots:  x[S] = F[S, S]⁻¹ f[S] − W x[B]
// What children leave in a row is number parts[begin[r]] to parts[begin[r + 1] − 1] of u, in a fixed order; the rows
// are the positions, and then all rows of the boundaries. A panel has strips of SWEEP_COLUMNS pivots, row after row.
// For one right-hand side a warp takes some rows of a boundary on the way up, whose lanes share out the pivots, and a
// strip on the way down, whose lanes share out the rows; where a depth has few strips, a block takes one. For many, a
// lane owns a column, and a warp takes SWEEP_COLUMNS rows or a strip for 32 of them.
//
// compiled: solve_one<V> with V = float | double; hot on sm_90
// compiled: solve_many<V> with V = float | double; hot on sm_90
#pragma once

#include "headers/primitives.cuh"
#include "solves_cuda.py"  // SOLVE_THREADS
#include "tables.py"       // SWEEP_COLUMNS

// b and x are by vertices, in rows of `columns`; f, u and y hold `width` of them, from `column` on. A task is a
// supernode and the first of its rows or of its pivots; the tasks of depth d are number depths[d] to depths[d + 1] − 1.
// With `onto` the solution is added to what x holds.
template <class V>
struct SolveParameters {
  const double* b;
  double* x;
  int onto;
  double scale;
  int columns;
  int column;
  int width;
  const int* order;
  const V* panels;
  const long long* offset;
  const int* first;
  const long long* indptr;
  const int* indices;
  const int* begin;
  const int* parts;
  const int* positions;
  const int* position_depths;
  const int* up;
  const int* up_depths;
  const int* down;
  const int* down_depths;
  int deepest;
  V* f;
  V* u;
  V* y;
  unsigned* barrier;
};

constexpr int WARPS = SOLVE_THREADS / 32;

// One row of a strip.
template <class V>
struct StripRow {
  static constexpr int packed = 16 / sizeof(V);
  Pack<V, packed> at[SWEEP_COLUMNS / packed];
  __device__ __forceinline__ explicit StripRow(const V* row) {
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS / packed; ++k) at[k] = load_pack<packed>(row + k * packed);
  }
  __device__ __forceinline__ V operator[](int k) const { return at[k / packed][k % packed]; }
};

// A supernode with its panel.
template <class V>
struct Node {
  const int first, w, b;
  const long long start;
  const V* panel;
  template <class Parameters>
  __device__ __forceinline__ Node(const Parameters& p, int s)
      : first(p.first[s]),
        w(p.first[s + 1] - first),
        b(static_cast<int>(p.indptr[s + 1] - p.indptr[s])),
        start(p.indptr[s]),
        panel(p.panels + p.offset[s]) {}
  __device__ __forceinline__ int strips() const { return (w + SWEEP_COLUMNS - 1) / SWEEP_COLUMNS; }
  // Row `row` of the front in the strip that begins with pivot `left`.
  __device__ __forceinline__ StripRow<V> row(int left, int row) const {
    return StripRow<V>(panel + (static_cast<long long>(left) * (w + b) + static_cast<long long>(row) * SWEEP_COLUMNS));
  }
};

// What the children leave in row r.
template <class V>
__device__ __forceinline__ V gather(const SolveParameters<V>& p, long long r, int column) {
  V total = 0;
  for (int e = p.begin[r]; e < p.begin[r + 1]; ++e)
    total += load_fresh(p.u + static_cast<long long>(p.parts[e]) * p.width + column);
  return total;
}

template <class V>
__device__ __forceinline__ void begin_depth(const SolveParameters<V>& p, int depth) {
  const long long low = p.position_depths[depth], count = p.position_depths[depth + 1] - low;
  for (const long long e : grid_range(count * p.width)) {
    const int i = p.positions[low + e / p.width], column = static_cast<int>(e % p.width);
    const bool there = p.column + column < p.columns;
    const double b = there ? p.b[static_cast<long long>(p.order[i]) * p.columns + p.column + column] : 0;
    p.f[static_cast<long long>(i) * p.width + column] = static_cast<V>(b * p.scale) + gather(p, i, column);
  }
}

template <class V>
__device__ __forceinline__ void finish(const SolveParameters<V>& p, int i, int column, V value) {
  p.y[static_cast<long long>(i) * p.width + column] = value;
  if (p.column + column >= p.columns) return;
  double* x = p.x + (static_cast<long long>(p.order[i]) * p.columns + p.column + column);
  *x = p.onto ? *x + static_cast<double>(value) : static_cast<double>(value);
}

// Rows of a boundary from `task[1]` on, as many as leave the lanes all strips to share out, but 32 at most.
template <class V>
__device__ __forceinline__ void climb_rows(const SolveParameters<V>& p, int n, const int* task) {
  const Node<V> s(p, task[0]);
  int rows = 32;
  while (rows > 1 && 32 / rows < s.strips()) rows /= 2;
  const int j = task[1] + lane_index() % rows, part = lane_index() / rows;
  V total = 0;
  if (j < s.b)
    for (int left = part * SWEEP_COLUMNS; left < s.w; left += 32 / rows * SWEEP_COLUMNS) {
      const auto row = s.row(left, s.w + j);
#pragma unroll
      for (int k = 0; k < SWEEP_COLUMNS; ++k)
        if (left + k < s.w) total += row[k] * load_fresh(p.f + s.first + left + k);
    }
  for (int lanes = rows; lanes < 32; lanes *= 2) total += shuffle_xor(total, lanes);
  if (part == 0 && j < s.b) p.u[s.start + j] = gather(p, n + s.start + j, 0) - total;
}

// The numbers of a strip, from rows `row`, `row` + step, … of the front.
template <class V>
struct Pivots {
  V at[SWEEP_COLUMNS] = {};
  __device__ __forceinline__ void descend(
      const SolveParameters<V>& p, const Node<V>& s, int left, int row, int step, int column) {
#pragma unroll 2
    for (; row < s.w + s.b; row += step) {
      const int i = row < s.w ? s.first + row : p.indices[s.start + row - s.w];
      const V value = load_fresh((row < s.w ? p.f : p.y) + static_cast<long long>(i) * p.width + column);
      const V right = row < s.w ? value : -value;
      const auto own = s.row(left, row);
#pragma unroll
      for (int k = 0; k < SWEEP_COLUMNS; ++k) at[k] += own[k] * right;
    }
  }
  __device__ __forceinline__ void sum_over_warp() {
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k) at[k] = warp_reduce(at[k]);
  }
};

// A warp takes a strip; with `many`, a lane is a column.
template <class V, bool many>
__device__ __forceinline__ void descend_alone(const SolveParameters<V>& p, const int* task, int column) {
  const Node<V> s(p, task[0]);
  Pivots<V> own;
  own.descend(p, s, task[1], many ? 0 : lane_index(), many ? 1 : 32, column);
  if constexpr (!many) own.sum_over_warp();
#pragma unroll
  for (int k = 0; k < SWEEP_COLUMNS; ++k)
    if ((many || lane_index() == k) && task[1] + k < s.w) finish(p, s.first + task[1] + k, column, own.at[k]);
}

// The same by a block; with `many` its warps share out the rows.
template <class V, bool many>
__device__ __forceinline__ void descend_together(const SolveParameters<V>& p, const int* task, int column) {
  static_assert(WARPS == SWEEP_COLUMNS, "a warp for each pivot");
  constexpr int lanes = many ? 32 : 1;
  __shared__ V found[WARPS][SWEEP_COLUMNS][lanes];
  const Node<V> s(p, task[0]);
  const int warp = warp_index(), lane = lane_index(), k = warp;
  Pivots<V> own;
  own.descend(p, s, task[1], many ? warp : static_cast<int>(threadIdx.x), many ? WARPS : SOLVE_THREADS, column);
  if constexpr (!many) own.sum_over_warp();
  __syncthreads();
  if (lane < lanes)
#pragma unroll
    for (int e = 0; e < SWEEP_COLUMNS; ++e) found[warp][e][lane] = own.at[e];
  __syncthreads();
  if (lane >= lanes || task[1] + k >= s.w) return;
  V total = 0;
#pragma unroll
  for (int e = 0; e < WARPS; ++e) total += found[e][k][lane];
  finish(p, s.first + task[1] + k, column, total);
}

// SWEEP_COLUMNS rows of a boundary, for the column of each lane.
template <class V>
__device__ __forceinline__ void climb_columns(const SolveParameters<V>& p, int n, const int* task, int column) {
  const Node<V> s(p, task[0]);
  V total[SWEEP_COLUMNS] = {};
  for (int left = 0; left < s.w; left += SWEEP_COLUMNS) {
    V from[SWEEP_COLUMNS];
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k)
      from[k] = left + k < s.w ? load_fresh(p.f + static_cast<long long>(s.first + left + k) * p.width + column) : 0;
#pragma unroll
    for (int y = 0; y < SWEEP_COLUMNS; ++y) {
      const auto row = s.row(left, s.w + min(task[1] + y, s.b - 1));
#pragma unroll
      for (int k = 0; k < SWEEP_COLUMNS; ++k) total[y] += row[k] * from[k];
    }
  }
#pragma unroll
  for (int y = 0; y < SWEEP_COLUMNS; ++y)
    if (task[1] + y < s.b) {
      const long long j = s.start + task[1] + y;
      p.u[j * p.width + column] = gather(p, n + j, column) - total[y];
    }
}

// One depth on the way up: tasks `unit` of `units`, a warp each.
template <class V, bool many>
__device__ __forceinline__ void climb(const SolveParameters<V>& p, int n, int d, int groups) {
  const int* tasks = p.up + 2ll * p.up_depths[d];
  const int units = (p.up_depths[d + 1] - p.up_depths[d]) * groups, warps = static_cast<int>(gridDim.x) * WARPS;
  for (int unit = static_cast<int>(blockIdx.x) * WARPS + warp_index(); unit < units; unit += warps) {
    if constexpr (many) climb_columns(p, n, tasks + unit / groups * 2, unit % groups * 32 + lane_index());
    else climb_rows(p, n, tasks + unit * 2);
  }
}

// One depth on the way down: a block takes a task where there are few, else a warp.
template <class V, bool many>
__device__ __forceinline__ void descend(const SolveParameters<V>& p, int d, int groups) {
  const int* tasks = p.down + 2ll * p.down_depths[d];
  const int units = (p.down_depths[d + 1] - p.down_depths[d]) * groups, blocks = static_cast<int>(gridDim.x);
  const auto task = [&](int unit) { return tasks + unit / groups * 2; };
  const auto column = [&](int unit) { return many ? unit % groups * 32 + lane_index() : 0; };
  if (units <= blocks) {
    const int unit = static_cast<int>(blockIdx.x);
    if (unit < units) descend_together<V, many>(p, task(unit), column(unit));
  } else {
    for (int unit = static_cast<int>(blockIdx.x) * WARPS + warp_index(); unit < units; unit += blocks * WARPS)
      descend_alone<V, many>(p, task(unit), column(unit));
  }
}

template <class V, bool many>
__device__ __forceinline__ void solve(const SolveParameters<V>& p) {
  const int n = p.position_depths[p.deepest], groups = many ? p.width / 32 : 1;
  for (int d = p.deepest - 1; d >= 0; --d) {
    begin_depth(p, d);
    grid_sync(p.barrier);
    climb<V, many>(p, n, d, groups);
    grid_sync(p.barrier);
  }
  for (int d = 0; d < p.deepest; ++d) {
    descend<V, many>(p, d, groups);
    grid_sync(p.barrier);
  }
}

template <class V>
__global__ __launch_bounds__(SOLVE_THREADS) void solve_one(SolveParameters<V> p) {
  solve<V, false>(p);
}

template <class V>
__global__ __launch_bounds__(SOLVE_THREADS, 2) void solve_many(SolveParameters<V> p) {
  solve<V, true>(p);
}
