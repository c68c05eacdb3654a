// Rows of distances from a factor: X[i, r] is the distance from source r to position i, word by word of sources.
//   up:   X[S and B] = min(X[S and B], F[S, S and B]ᵀ min.plus X[S]), ancestors of the sources in ascending order
//   down: X[S] = min(X[S], F[B, S]ᵀ min.plus X[B]), in descending order
// A thread owns a column of X, so that no thread waits for another: up, it visits the ancestors that its warp lists;
// down, the supernodes low … high − 1 of its task, a subtree or some columns of one supernode. A panel is stored in
// strips of SWEEP_COLUMNS of its supernode's vertices, row after row; all threads of a warp read the same numbers.
//
// compiled: begin<V> with V = float | unsigned short | int | double
// compiled: sweep_up<P> with P = NonNegativeFloat | NonNegativePairs | SmallInt; hot on sm_90
// compiled: sweep_up<Double>
// compiled: sweep_down<P> with P = NonNegativeFloat | NonNegativePairs | SmallInt; hot on sm_90
// compiled: sweep_down<Double>
// compiled: write_rows<V> with V = float | unsigned short | int | unsigned long long
#pragma once

#include "headers/primitives.cuh"
#include "matmat/tropical_numbers.cuh"
#include "sweeps_cuda.py"  // SWEEP_COLUMNS, SWEEP_ROWS, SQUARE_SIDE, SQUARE_ROWS

template <class P>
struct SweepParameters {
  typename P::C* x;
  long long width;
  const typename P::Value* panels;
  const long long* offset;
  const int* first;
  const long long* indptr;
  const int* indices;
  const int* listed;
  const int* list;
  const int* tasks;
};

// One row of a strip of a panel.
template <class P>
struct Strip {
  using V = typename P::Value;
  static constexpr int packed = 16 / sizeof(V) < SWEEP_COLUMNS ? 16 / sizeof(V) : SWEEP_COLUMNS;
  Pack<V, packed> at[SWEEP_COLUMNS / packed];
  __device__ __forceinline__ explicit Strip(const V* row) {
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS / packed; ++k) at[k] = load_pack<packed>(row + k * packed);
  }
  __device__ __forceinline__ typename P::A word(int k) const { return P::spread(at[k / packed][k % packed]); }
};

// The words of a column of X at the vertices of a strip: nothing() beyond the last.
template <class P>
struct Column {
  typename P::C at[SWEEP_COLUMNS];
  __device__ __forceinline__ Column(const typename P::C* x, long long width, int count) {
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k) at[k] = k < count ? x[k * width] : P::nothing();
  }
};

// X[i, r] is `one` for the source's own position i, and infinity elsewhere.
template <class V>
__global__ void begin(V* x, long long width, int n, const int* at, int sources, V one, V infinity) {
  const long long r = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (r >= width) return;
  const int own = r < sources ? at[r] : -1;
  for (int i = blockIdx.y; i < n; i += gridDim.y) x[i * width + r] = i == own ? one : infinity;
}

template <class P>
__global__ __launch_bounds__(128) void sweep_up(SweepParameters<P> p) {
  const long long r = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (r >= p.width) return;
  typename P::C* x = p.x + r;
  for (int e = p.listed[r / 32]; e < p.listed[r / 32 + 1]; ++e) {
    const int s = p.list[e], first = p.first[s], w = p.first[s + 1] - first;
    const int* boundary = p.indices + p.indptr[s] - w;
    const int m = w + static_cast<int>(p.indptr[s + 1] - p.indptr[s]);
    const typename P::Value* panel = p.panels + p.offset[s];
    for (int left = 0; left < w; left += SWEEP_COLUMNS, panel += m * SWEEP_COLUMNS) {
      const Column<P> from(x + (first + left) * p.width, p.width, w - left);
      for (int j = 0; j < m; j += SWEEP_ROWS) {
        typename P::C* to[SWEEP_ROWS];
        typename P::C best[SWEEP_ROWS];
#pragma unroll
        for (int y = 0; y < SWEEP_ROWS; ++y) {
          const int row = min(j + y, m - 1);
          to[y] = x + (row < w ? first + row : boundary[row]) * p.width;
          best[y] = *to[y];
        }
#pragma unroll
        for (int y = 0; y < SWEEP_ROWS; ++y) {
          const Strip<P> strip(panel + min(j + y, m - 1) * SWEEP_COLUMNS);
#pragma unroll
          for (int k = 0; k < SWEEP_COLUMNS; k += 2)
            P::two(best[y], strip.word(k), from.at[k], strip.word(k + 1), from.at[k + 1], k / 2 % 2, 0, 0, 0);
        }
#pragma unroll
        for (int y = 0; y < SWEEP_ROWS; ++y)
          if (j + y < m) *to[y] = best[y];
      }
    }
  }
}

// X at the vertices of a strip, from the boundary.
template <class P>
__device__ __forceinline__ void descend(typename P::C* x, long long width, int count, const typename P::Value* panel,
                                        const int* boundary, int b, const typename P::C* whole) {
  Column<P> own(x, width, count);
  int j = 0;
#pragma unroll 2
  for (; j + 1 < b; j += 2) {
    const typename P::C near = whole[boundary[j] * width], far = whole[boundary[j + 1] * width];
    const Strip<P> even(panel + j * SWEEP_COLUMNS), odd(panel + (j + 1) * SWEEP_COLUMNS);
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k) P::two(own.at[k], even.word(k), near, odd.word(k), far, k % 2, 0, 0, 0);
  }
  if (j < b) {
    const typename P::C near = whole[boundary[j] * width];
    const Strip<P> even(panel + j * SWEEP_COLUMNS);
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k) P::one(own.at[k], even.word(k), near, 0, 0, 0);
  }
#pragma unroll
  for (int k = 0; k < SWEEP_COLUMNS; ++k)
    if (k < count) x[k * width] = own.at[k];
}

// A task is four numbers: low, high, and the first and last column of a strip where it is one supernode's. Its blocks,
// one for each SWEEP_THREADS columns of X, are beside each other.
template <class P>
__global__ __launch_bounds__(128) void sweep_down(SweepParameters<P> p) {
  const unsigned across = static_cast<unsigned>((p.width + blockDim.x - 1) / blockDim.x);
  const long long r = blockIdx.x % across * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (r >= p.width) return;
  const int* task = p.tasks + 4 * static_cast<long long>(blockIdx.x / across);
  typename P::C* x = p.x + r;
  for (int s = task[1] - 1; s >= task[0]; --s) {
    const int first = p.first[s], w = p.first[s + 1] - first, b = static_cast<int>(p.indptr[s + 1] - p.indptr[s]);
    for (int left = task[2]; left < min(w, task[3]); left += SWEEP_COLUMNS)
      descend<P>(x + (first + left) * p.width, p.width, w - left,
                 p.panels + p.offset[s] + static_cast<long long>(left) * b, p.indices + p.indptr[s], b, x);
  }
}

// out[to[r], j] = X[goal[j], r], and `far` where that is more than `last`: a block owns a square of both.
template <class V>
__global__ void write_rows(
    const V* x, long long width, const int* goal, int goals, const long long* to, int sources, V last, V far, V* out) {
  __shared__ V square[SQUARE_SIDE][SQUARE_SIDE + 1];
  const int j = blockIdx.x * SQUARE_SIDE, r = blockIdx.y * SQUARE_SIDE, lane = threadIdx.x;
  for (int y = threadIdx.y; y < SQUARE_SIDE; y += SQUARE_ROWS)
    if (j + y < goals && r + lane < sources) square[y][lane] = x[goal[j + y] * width + r + lane];
  __syncthreads();
  for (int y = threadIdx.y; y < SQUARE_SIDE; y += SQUARE_ROWS)
    if (j + lane < goals && r + y < sources) {
      const V d = square[lane][y];
      out[to[r + y] * goals + j + lane] = d > last ? far : d;
    }
}
