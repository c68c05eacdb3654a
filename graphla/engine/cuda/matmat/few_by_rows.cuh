// Y[i, r] = ⊕_k M[i, k] ⊗ X[k, r] for up to 32 columns r of a full X, where nearly all rows of M are short.
//
// The values of a vertex k lie together in X. T lanes of V columns each own a row i, A times: each of these teams takes
// every A-th arc, and shuffles join their sums. Y is written once, without atomics. A row of more than FEW_LONG arcs
// gets the identity; then a block owns FEW_CHUNK of its arcs and joins their sums to it by atomics.
//
// compiled: few_by_rows<S, Side, Offset, 4, T, A> with S = plus_times FP32 | min_plus FP32;
//   Side = VectorFirst | MatrixFirst; Offset = int | long long; T = 8 | 1; A = 1 | 4; hot on sm_90
// compiled: few_by_rows<S, Side, Offset, 1, 1, A> with S = plus_times FP32 | min_plus FP32 | plus_times FP64;
//   Side = VectorFirst | MatrixFirst; Offset = int | long long; A = 1 | 4 | 8; hot on sm_90
// compiled: few_long_rows<S, Side, int, 1, 1> with S = plus_times FP32 | plus_times FC64;
//   Side = VectorFirst | MatrixFirst
// compiled: few_by_rows<S, VectorFirst, int, 1, 32, 1> with S = plus_times FC64 | plus_times FP64 | plus_pair INT64
// compiled: few_long_rows<S, Side, int, 4, T> with S = plus_times FP32 | min_plus FP32;
//   Side = VectorFirst | MatrixFirst; T = 8 | 1; hot on sm_90
// compiled: few_long_rows<S, VectorFirst, long long, 1, 32> with S = plus_times FC64 | plus_times FP64
#pragma once

#include "few_by_rows.py"  // FEW_CHUNK, FEW_LONG
#include "few_product.cuh"
#include "few_rows.py"  // FEW_THREADS
#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "headers/sum.cuh"
#include "headers/views.cuh"

constexpr int ROWS_EACH = 4;  // arcs of a team whose loads are under way together

template <class S, class Side, class Offset>
struct FewByRowsParameters {
  const int* filled;
  const Offset* indptr;
  const int* indices;
  const typename Side::template Matrix<S>* values;
  const typename Side::template Vector<S>* x;
  typename S::C* out;
  const int* task_row;
  const int* task_chunk;
  int vertices;
  int columns;
  int first_column;
  int x_stride;
  int out_stride;
  bool numbered;  // vertex v stands at its own number in Y, not at that among those with arcs
};

// The sums of V columns over some arcs of a row.
template <class S, class Side, class Offset, int V>
struct FewSums {
  using M = typename Side::template Matrix<S>;
  using X = typename Side::template Vector<S>;
  static constexpr bool READS_M = Side::template reads_matrix<S>, READS_X = Side::template reads_vector<S>;
  const FewByRowsParameters<S, Side, Offset>& given;
  int column, vertex;
  typename S::C total[V];

  __device__ __forceinline__ FewSums(const FewByRowsParameters<S, Side, Offset>& from, int first, int row)
      : given(from),
        column(first),
        vertex(from.filled[row]) {
#pragma unroll
    for (int v = 0; v < V; ++v) total[v] = S::identity();
  }
  __device__ __forceinline__ bool on() const { return column < given.columns; }
  // Every `step`-th arc from `begin` to `end`.
  __device__ __forceinline__ void walk(Offset begin, Offset end, int step) {
    for (Offset q = begin; q < end; q += ROWS_EACH * step) {
      int k[ROWS_EACH];
      M a[ROWS_EACH];
      Pack<X, V> x[ROWS_EACH];
#pragma unroll
      for (int i = 0; i < ROWS_EACH; ++i) {
        const Offset at = q + i * step < end ? q + i * step : q;
        k[i] = load_constant(given.indices + at);
        a[i] = M();
        if constexpr (READS_M) a[i] = load_constant(given.values + at);
      }
#pragma unroll
      for (int i = 0; i < ROWS_EACH; ++i) {
        x[i] = Pack<X, V>();
        if constexpr (READS_X)
          if (on()) x[i] = load_pack<V>(given.x + static_cast<long long>(k[i]) * given.x_stride + column);
      }
#pragma unroll
      for (int i = 0; i < ROWS_EACH; ++i) {
        if (q + i * step >= end) break;
#pragma unroll
        for (int v = 0; v < V; ++v)
          total[v] =
              S::add(total[v], few_product<S, Side>(a[i], x[i][v], vertex, k[i], given.first_column + column + v));
      }
    }
  }
  // With the lanes that have the same columns and are `from`, 2 `from` … apart.
  __device__ __forceinline__ void over_lanes(int from, int lanes) {
    for (int distance = from; distance < lanes; distance *= 2) {
#pragma unroll
      for (int v = 0; v < V; ++v) total[v] = S::add(total[v], from_partner(WHOLE_WARP, total[v], distance));
    }
  }
  __device__ __forceinline__ void put(typename S::C* place) const {
    if (given.out_stride % V == 0 && column + V <= given.columns) {
      Pack<typename S::C, V> pack;
#pragma unroll
      for (int v = 0; v < V; ++v) pack.at[v] = total[v];
      store_pack(place, pack);
      return;
    }
#pragma unroll
    for (int v = 0; v < V; ++v)
      if (column + v < given.columns) place[v] = total[v];
  }
  __device__ __forceinline__ typename S::C* place(int row) const {
    return given.out + static_cast<long long>(given.numbered ? vertex : row) * given.out_stride + column;
  }
};

template <class S, class Side, class Offset, int V, int T, int A>
__global__ __launch_bounds__(FEW_THREADS) void few_by_rows(FewByRowsParameters<S, Side, Offset> given) {
  const int lane = static_cast<int>(threadIdx.x) % (T * A);
  const int group = static_cast<int>((blockIdx.x * static_cast<long long>(FEW_THREADS) + threadIdx.x) / (T * A));
  const bool there = group < given.vertices;
  const int row = there ? group : given.vertices - 1;
  const Offset begin = given.indptr[row], end = given.indptr[row + 1];
  FewSums<S, Side, Offset, V> sums(given, lane % T * V, row);
  if (end - begin <= FEW_LONG) sums.walk(begin + lane / T, end, A);
  sums.over_lanes(T, T * A);
  if (there && lane < T && sums.on()) sums.put(sums.place(row));
}

// A task of a long row is FEW_CHUNK of its arcs.
template <class S, class Side, class Offset, int V, int T>
__global__ __launch_bounds__(FEW_THREADS) void few_long_rows(FewByRowsParameters<S, Side, Offset> given) {
  const int row = given.task_row[blockIdx.x], team = static_cast<int>(threadIdx.x) / T;
  const Offset begin = given.indptr[row] + static_cast<Offset>(given.task_chunk[blockIdx.x]) * FEW_CHUNK;
  const Offset row_end = given.indptr[row + 1], end = begin + FEW_CHUNK < row_end ? begin + FEW_CHUNK : row_end;
  FewSums<S, Side, Offset, V> sums(given, static_cast<int>(threadIdx.x) % T * V, row);
  sums.walk(begin + team, end, FEW_THREADS / T);
  sums.over_lanes(T, 32);
  if (lane_index() >= T || !sums.on()) return;
#pragma unroll
  for (int v = 0; v < V; ++v)
    if (sums.column + v < given.columns) join<S>(sums.place(row) + v, sums.total[v]);
}
