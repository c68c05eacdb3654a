// The other phases of a pivot block K, after its square S = D[K, K] is closed; D is padded to whole tiles.
//   prepare_panels: T = D[:, K]ᵀ beside a copy of D[K, :], and S and Sᵀ, as a product reads its operands
//   panels:  R = S min.plus D[K, :], and C = Sᵀ min.plus T in the words of a first operand; S has 0 on its diagonal
//   rest:    D[i, j] = min(D[i, j], min over k of C[k, i] + R[k, j]); the rows K of D are R, its columns K are Cᵀ
//
// compiled: prepare_panels<NonNegativeFloat>
// compiled: prepare_panels<NonNegativePairs>
// compiled: panels<NonNegativeFloat>; hot on sm_90
// compiled: panels<NonNegativePairs>; hot on sm_90
// compiled: panels<Saturating<S>> with S = min_plus INT32 | min_plus INT16
// compiled: rest<NonNegativeFloat>; hot on sm_90
// compiled: rest<SignedFloat>; hot on sm_90
// compiled: rest<NonNegativeInt>; hot on sm_90
// compiled: rest<SmallInt>; hot on sm_90
// compiled: rest<NonNegativePairs>; hot on sm_90
// compiled: rest<NonNegativeLong>; hot on sm_90
// compiled: rest<SmallLong>; hot on sm_90
// compiled: rest<Double>; hot on sm_90
// compiled: rest<Saturating<S>> with S = min_plus INT32 | min_plus UINT64
#pragma once

#include "headers/primitives.cuh"
#include "matmat/tropical_cells.cuh"
#include "matmat/tropical_copy.cuh"
#include "matmat/tropical_tile.cuh"

// A block of 32 × 8 threads copies 32 × 32 values of the rows to `before`, and behind them as many of the columns,
// transposed.
template <class P>
__global__ void prepare_panels(const typename P::Value* d, long long stride, int first, int side,
                               typename P::Value* before, typename P::A* squares) {
  __shared__ typename P::Value cells[32][33];
  const int i0 = blockIdx.x * 32, k0 = blockIdx.y * 32, x = threadIdx.x;
  const auto put = [&](int k, typename P::Value value) {
    const int j = i0 + x;
    before[place<abreast<P>, true>(k, j / P::per_word, stride / P::per_word) * P::per_word + j % P::per_word] = value;
  };
  for (int y = threadIdx.y; y < 32; y += 8) {
    cells[y][x] = d[(i0 + y) * stride + first + k0 + x];
    put(k0 + y, d[(first + k0 + y) * stride + i0 + x]);
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    put(side + k0 + y, cells[x][y]);
    if (i0 < first || i0 >= first + side) continue;
    squares[place<abreast<P>, false>(k0 + y, i0 - first + x, side)] = P::spread(cells[x][y]);
    squares[place<abreast<P>, false>(side + i0 - first + y, k0 + x, side)] = P::spread(cells[y][x]);
  }
}

// Value v of a word.
template <class P>
__device__ __forceinline__ typename P::Value value_of(typename P::C word, int v) {
  if constexpr (P::per_word == 1) return word;
  else return static_cast<typename P::Value>(v ? word >> 16 : word & 0xffffu);
}

// `before` holds D[K, :], then T, as second operands; `squares` Sᵀ, then S, as first ones; `after` R as a second, then
// C as a first one. A row of k has so many words in `before` and in R. The grid computes R, then C, or one of them if
// it has one layer: that of number `part`. Its first tile of words is number `from`.
template <class P>
__global__ __launch_bounds__(TILE_WORKERS, sizeof(typename P::C) > 4 ? 1 : 2) void panels(
    const typename P::C* before, const typename P::A* squares, int side, long long words, typename P::C* after,
    int part, int from) {
  using Place = Cells<typename P::C>;
  const int i = blockIdx.y * TILE_SIDE, j = (from + blockIdx.x) * TILE_SIDE, z = part + blockIdx.z;
  Place cells;
  cells.fill(P::nothing());
  const typename P::A* square = squares + blockIdx.z * side * side;
  multiply_tile<P, true>(cells, square, side, before + blockIdx.z * side * words, words, side, i, j);
  after += blockIdx.z * side * words;
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 8; ++x) {
      const long long k = i + Place::row(y), v = j + Place::column(x);
      if (z == 0) {
        after[place<abreast<P>, true>(k, v, words)] = cells.at[y][x];
        continue;
      }
#pragma unroll
      for (int e = 0; e < P::per_word; ++e)
        after[place<abreast<P>, false>(k, v * P::per_word + e, words * P::per_word)] =
            P::spread(value_of<P>(cells.at[y][x], e));
    }
}

// A tile of D in the columns of the pivot block: 128 rows, `count` values from the k-th on, for the vertices from i on.
template <class P>
__device__ void put_columns(
    typename P::Value* tile, long long stride, const typename P::A* c, int i, int k, int count) {
  for (const int p : block_range(0, count * TILE_SIDE)) {
    const int y = p % TILE_SIDE, x = p / TILE_SIDE;
    tile[y * stride + x] = static_cast<typename P::Value>(c[place<abreast<P>, false>(k + x, i + y, stride)]);
  }
}

// A tile of D in the rows of the pivot block, from the k-th on.
template <class P>
__device__ void put_rows(typename P::C* tile, long long words, const typename P::C* r, int k, int j) {
  for (const int p : block_range(0, TILE_SIDE * TILE_SIDE)) {
    const int y = p / TILE_SIDE, x = p % TILE_SIDE;
    tile[y * words + x] = r[place<abreast<P>, true>(k + y, j + x, words)];
  }
}

// Tiles of D, which `d` holds from row `row` on: all, but for the rows and columns of the block of vertices at `apart`
// (−1: none is); or with `strips` those alone: first rows of blocks along its rows, then along its columns.
template <class P>
__global__ __launch_bounds__(TILE_WORKERS, sizeof(typename P::C) > 4 ? 1 : 2) void rest(
    typename P::C* d, int row, int apart, bool strips, const typename P::C* r, const typename P::A* c, int first,
    int side, long long words) {
  constexpr int values = TILE_SIDE * P::per_word;
  using Value = typename P::Value;
  const auto inside = [&](int begin, int vertex) { return begin >= 0 && vertex >= begin && vertex < begin + side; };
  const int x = blockIdx.x, y = blockIdx.y, beyond = y - side / TILE_SIDE;
  int i = row + y * TILE_SIDE, v = x * values;
  if (strips) {
    i = beyond < 0 ? apart + y * TILE_SIDE : x * TILE_SIDE;
    v = beyond < 0 ? x * values : apart + beyond * values;
    if (v >= words * P::per_word || (beyond >= 0 && inside(apart, i))) return;
  } else if (inside(apart, i) || inside(apart, v)) {
    return;
  }
  const int j = v / P::per_word;
  typename P::C* tile = d + (i - row) * words + j;
  if (inside(first, i)) {
    put_rows<P>(tile, words, r, i - first, j);
    return;
  }
  if (side >= values && inside(first, v)) {
    put_columns<P>(reinterpret_cast<Value*>(tile), words * P::per_word, c, i, v - first, values);
    return;
  }
  Cells<typename P::C> cells;
  cells.load(tile, words);
  multiply_tile<P, true>(cells, c, words * P::per_word, r, words, side, i, j);
  cells.store(tile, words);
}
