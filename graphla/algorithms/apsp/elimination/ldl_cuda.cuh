// The fronts of a symmetric matrix over plus and times, those of one depth of the tree: Gauss–Jordan with the pivots of
// S, on the diagonal and in order.
//   F[S, S] = F[S, S]⁻¹,    F[S, B] = W = F[S, S]⁻¹ F[S, B],    F[B, B] −= F[B, S] W
// A step takes the pivots K ⊂ S together. With D = F[K, K], the rows `old` before and `fresh` after it:
//   fresh[K] = D⁻¹, fresh[j] = D⁻¹ F[K, j];
//   F[i, j] −= ± old[i]ᵀ fresh[j], where F[i, j] counts as 0 if i or j is in K
// F[i, K] is −F[K, i]ᵀ if i was a pivot before, and F[K, i]ᵀ if it was none; so rows alone are read, and F[B, S] is
// never computed. With −1 at old[k, k] the same line writes the rows of K.
// A block owns a small front, of which it brings FRONT_BYTES / sizeof(V) rows at a time into shared memory. Larger ones
// of a depth go together, SQUARE pivots a step: a block inverts the pivots of a front, a block makes a square of fresh
// rows, a block owns a square of F, a thread EACH × EACH cells of it.
//
// compiled: factorize_fronts<Reals<V>, FRONT_SIDE> with V = float | double; hot on sm_90
// compiled: factorize_fronts<Reals<V>, NARROW_SIDE> with V = float | double; hot on sm_90
// compiled: assemble_rows<Reals<V>> with V = float | double
// compiled: add_arcs<Reals<V>> with V = float | double
// compiled: invert_pivots<Reals<V>> with V = float | double
// compiled: scale_rows<Reals<V>> with V = float | double; hot on sm_90
// compiled: take_update<Reals<V>> with V = float | double; hot on sm_90
// compiled: store_panels<Reals<V>> with V = float | double
#pragma once

#include "fronts_cuda.cuh"
#include "ldl_cuda.py"  // SQUARE, SLAB, EACH

template <class T>
struct Reals {
  using Value = T;
  static __device__ __forceinline__ T plus(T a, T b) { return a + b; }
};

// `d` are the pivots by positions; one of a magnitude of at most `least` ends the elimination, and *front.cycle is the
// first such position. Of the large fronts, number y has `inverse`, `old` and `fresh` from y · SQUARE · SQUARE and
// y · SQUARE · width on.
template <class P>
struct PivotParameters {
  FrontParameters<P> front;
  typename P::Value* d;
  typename P::Value least;
  typename P::Value* inverse;
  typename P::Value* old;
  typename P::Value* fresh;
  int width;
  int step;
};

// Note a pivot; return what its row is divided by.
template <class P>
__device__ __forceinline__ typename P::Value take_pivot(
    const PivotParameters<P>& p, int position, typename P::Value pivot, bool tell) {
  const bool good = (pivot < 0 ? -pivot : pivot) > p.least;
  if (tell) {
    p.d[position] = pivot;
    if (!good) atomicMin(p.front.cycle, position);
  }
  return good ? pivot : 1;
}

// Some rows of pivots of a front of up to `side` rows.
template <class P, int side>
struct PivotRows {
  using V = typename P::Value;
  static constexpr int most = FRONT_BYTES / sizeof(V);
  V fresh[most][side], old[most][side];

  __device__ __forceinline__ void load(const Front<P>& f, int low, int count) {
    for (const int e : block_range(0, most * f.m)) {
      const int k = e / f.m, j = e % f.m;
      const V value = k < count ? f.cells[(low + k) * f.stride + j] : 0;
      fresh[k][j] = value;
      old[k][j] = j < low ? -value : j >= low + count ? value : j == low + k ? -1 : 0;
    }
  }
  __device__ __forceinline__ void invert(const PivotParameters<P>& p, const Front<P>& f, int low, int count) {
    for (int k = 0; k < count; ++k) {
      V column[most];
      __syncthreads();
#pragma unroll
      for (int o = 0; o < most; ++o) column[o] = fresh[o][low + k];
      const V scale = 1 / take_pivot(p, p.front.first[f.s] + low + k, fresh[k][low + k], threadIdx.x == 0);
      __syncthreads();
      for (const int j : block_range(0, f.m)) {
        const bool own = j == low + k;
        const V right = own ? scale : fresh[k][j] * scale;
#pragma unroll
        for (int o = 0; o < most; ++o)
          if (o == k) fresh[o][j] = right;
          else if (o < count) fresh[o][j] = (own ? 0 : fresh[o][j]) - column[o] * right;
      }
    }
    __syncthreads();
  }
  __device__ __forceinline__ void combine(const Front<P>& f, int low, int count) const {
    for (int i = warp_index() * FRONT_ROWS; i < f.m; i += static_cast<int>(blockDim.x / 32) * FRONT_ROWS) {
      V left[most][FRONT_ROWS];
      const bool pivots = i < low + count && i + FRONT_ROWS > low;
#pragma unroll
      for (int k = 0; k < most; ++k)
#pragma unroll
        for (int y = 0; y < FRONT_ROWS; ++y) left[k][y] = old[k][min(i + y, f.m - 1)];
      for (const int j : lane_range(i >= f.w ? f.w : 0, f.m)) {
        const bool own = j >= low && j < low + count;
        V d[FRONT_ROWS];
#pragma unroll
        for (int y = 0; y < FRONT_ROWS; ++y) {
          const bool cleared = own || (pivots && i + y >= low && i + y < low + count);
          d[y] = cleared ? 0 : f.cells[min(i + y, f.m - 1) * f.stride + j];
        }
#pragma unroll
        for (int k = 0; k < most; ++k) {
          const V right = fresh[k][j];
#pragma unroll
          for (int y = 0; y < FRONT_ROWS; ++y) d[y] -= left[k][y] * right;
        }
#pragma unroll
        for (int y = 0; y < FRONT_ROWS; ++y)
          if (i + y < f.m) f.cells[(i + y) * f.stride + j] = d[y];
      }
    }
  }
};

template <class P>
__device__ __forceinline__ long long count_panel(const Front<P>& f) {
  return (f.w + SWEEP_COLUMNS - 1ll) / SWEEP_COLUMNS * SWEEP_COLUMNS * f.m;
}

// Whole fronts of up to `side` rows, a block each.
template <class P, int side>
__global__ __launch_bounds__(FRONT_THREADS) void factorize_fronts(PivotParameters<P> p) {
  __shared__ PivotRows<P, side> pivots;
  const Front<P> f(p.front, p.front.fronts[blockIdx.x]);
  for (const int e : block_range(0, f.m * f.m)) f.cells[e] = 0;
  __syncthreads();
  put_arcs(f, block_range(p.front.begin[f.s], p.front.begin[f.s + 1]));
  add_children(f, 0, f.m);
  for (int low = 0; low < f.w; low += pivots.most) {
    const int count = min(f.w - low, pivots.most);
    __syncthreads();
    pivots.load(f, low, count);
    pivots.invert(p, f, low, count);
    pivots.combine(f, low, count);
  }
  __syncthreads();
  store_strips(f, block_range(0ll, count_panel(f)));
}

// A step of a large front, and where its rows stand.
template <class P>
struct Step {
  using V = typename P::Value;
  const Front<P> f;
  const int low, count, squares;
  V *inverse, *old, *fresh;
  const long long width;
  __device__ __forceinline__ explicit Step(const PivotParameters<P>& p)
      : f(p.front, p.front.fronts[blockIdx.y]),
        low(p.step * SQUARE),
        count(min(f.w - low, SQUARE)),
        squares(static_cast<int>(f.stride / SQUARE)),
        inverse(p.inverse + blockIdx.y * static_cast<long long>(SQUARE * SQUARE)),
        old(p.old + blockIdx.y * static_cast<long long>(SQUARE) * p.width),
        fresh(p.fresh + blockIdx.y * static_cast<long long>(SQUARE) * p.width),
        width(p.width) {}
};

// The inverse of the pivots of a step, where those that only fill up the square count as 1.
template <class P>
__global__ __launch_bounds__(FRONT_THREADS) void invert_pivots(PivotParameters<P> p) {
  using V = typename P::Value;
  __shared__ V D[SQUARE][SQUARE + 1];
  const Step<P> t(p);
  for (const int e : block_range(0, SQUARE * SQUARE)) {
    const int i = e / SQUARE, j = e % SQUARE;
    D[i][j] = i < t.count && j < t.count ? t.f.cells[(t.low + i) * t.f.stride + t.low + j] : i == j;
  }
  for (int k = 0; k < t.count; ++k) {
    constexpr int own = SQUARE * SQUARE / FRONT_THREADS, apart = FRONT_THREADS / SQUARE;
    const int j = static_cast<int>(threadIdx.x) % SQUARE, i = static_cast<int>(threadIdx.x) / SQUARE;
    __syncthreads();
    const V scale = 1 / take_pivot(p, p.front.first[t.f.s] + t.low + k, D[k][k], threadIdx.x == 0);
    const V right = j == k ? scale : D[k][j] * scale;
    V left[own];
#pragma unroll
    for (int y = 0; y < own; ++y) left[y] = D[i + y * apart][k];
    __syncthreads();
#pragma unroll
    for (int y = 0; y < own; ++y) {
      V& cell = D[i + y * apart][j];
      cell = i + y * apart == k ? right : (j == k ? 0 : cell) - left[y] * right;
    }
  }
  __syncthreads();
  for (const int e : block_range(0, SQUARE * SQUARE)) t.inverse[e] = D[e / SQUARE][e % SQUARE];
}

// EACH × EACH cells of a thread: cells += Σₖ left(k, i) right(k, j) over k < SQUARE, where both come SLAB rows at a
// time into shared memory.
template <class V>
struct Cells {
  static constexpr int across = SQUARE / EACH;
  V at[EACH][EACH] = {};
  __device__ __forceinline__ static int row() { return static_cast<int>(threadIdx.x) / across * EACH; }
  __device__ __forceinline__ static int column() { return static_cast<int>(threadIdx.x) % across * EACH; }

  template <class Left, class Right>
  __device__ __forceinline__ void multiply(Left left, Right right) {
    __shared__ V a[SLAB][SQUARE], b[SLAB][SQUARE];
    for (int low = 0; low < SQUARE; low += SLAB) {
      __syncthreads();
      for (const int e : block_range(0, SLAB * SQUARE)) {
        a[e / SQUARE][e % SQUARE] = left(low + e / SQUARE, e % SQUARE);
        b[e / SQUARE][e % SQUARE] = right(low + e / SQUARE, e % SQUARE);
      }
      __syncthreads();
#pragma unroll 4
      for (int k = 0; k < SLAB; ++k) {
        V x[EACH], y[EACH];
#pragma unroll
        for (int e = 0; e < EACH; ++e) x[e] = a[k][row() + e];
#pragma unroll
        for (int e = 0; e < EACH; ++e) y[e] = b[k][column() + e];
#pragma unroll
        for (int i = 0; i < EACH; ++i)
#pragma unroll
          for (int j = 0; j < EACH; ++j) at[i][j] += x[i] * y[j];
      }
    }
  }
  // write(i, j, cell) for each cell of this thread.
  template <class Write>
  __device__ __forceinline__ void store(Write write) const {
#pragma unroll
    for (int i = 0; i < EACH; ++i)
#pragma unroll
      for (int j = 0; j < EACH; ++j) write(row() + i, column() + j, at[i][j]);
  }
};

// The old and the fresh rows of a step: a block takes SQUARE columns.
template <class P>
__global__ __launch_bounds__(FRONT_THREADS) void scale_rows(PivotParameters<P> p) {
  using V = typename P::Value;
  const Step<P> t(p);
  const int first = static_cast<int>(blockIdx.x) * SQUARE;
  if (static_cast<int>(blockIdx.x) >= t.squares) return;
  const V* rows = t.f.cells + t.low * t.f.stride + first;
  const bool own = first == t.low;
  for (const int e : block_range(0, SQUARE * SQUARE)) {
    const int k = e / SQUARE, j = e % SQUARE;
    const V value = own ? -static_cast<V>(j == k) : rows[k * t.f.stride + j];
    t.old[k * t.width + first + j] = first < t.low ? -value : value;
  }
  Cells<V> cells;
  if (!own)
    cells.multiply([&](int l, int k) { return t.inverse[k * SQUARE + l]; },
                   [&](int l, int j) { return rows[l * t.f.stride + j]; });
  cells.store(
      [&](int k, int j, V value) { t.fresh[k * t.width + first + j] = own ? t.inverse[k * SQUARE + j] : value; });
}

// F[i, j] −= old[i]ᵀ fresh[j]: a block takes a square, but none of F[B, S].
template <class P>
__global__ __launch_bounds__(FRONT_THREADS) void take_update(PivotParameters<P> p) {
  using V = typename P::Value;
  const Step<P> t(p);
  const int i0 = static_cast<int>(blockIdx.x) / t.squares * SQUARE;
  const int j0 = static_cast<int>(blockIdx.x) % t.squares * SQUARE, split = static_cast<int>(t.f.w + t.f.gap);
  if (i0 >= t.f.stride || (i0 >= split && j0 < split)) return;
  Cells<V> cells;
  cells.multiply([&](int k, int i) { return t.old[k * t.width + i0 + i]; },
                 [&](int k, int j) { return t.fresh[k * t.width + j0 + j]; });
  const bool cleared = i0 == t.low || j0 == t.low;
  cells.store([&](int i, int j, V value) {
    V& cell = t.f.cells[(i0 + i) * t.f.stride + j0 + j];
    cell = (cleared ? 0 : cell) - value;
  });
}

template <class P>
__global__ void store_panels(PivotParameters<P> p) {
  const Front<P> f(p.front, p.front.fronts[blockIdx.y]);
  store_strips(f, grid_range(count_panel(f)));
}
