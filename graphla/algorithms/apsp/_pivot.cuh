// The other phases of a pivot block K, after its square S = D[K, K] is closed; D is padded to whole tiles.
//   turned:  T = D[:, K]ᵀ beside a copy of D[K, :], and S and Sᵀ as a product reads its first operand
//   panels:  R = min(D[K, :], S min.plus D[K, :]), and C = min(T, Sᵀ min.plus T) in the words of a first operand
//   rest:    D[i, j] = min(D[i, j], min over k of C[k, i] + R[k, j]); the rows K of D are R, its columns K are Cᵀ
// compiled: turned<NonNegativeFloat>
// compiled: turned<NonNegativePairs>
// compiled: panels<NonNegativeFloat>; hot on sm_90
// compiled: panels<NonNegativePairs>; hot on sm_90
// compiled: panels<Saturating<S>> with S = min_plus INT32 | min_plus INT16
// compiled: rest<NonNegativeFloat>; hot on sm_90
// compiled: rest<SignedFloat>; hot on sm_90
// compiled: rest<NonNegativeInt>; hot on sm_90
// compiled: rest<NonNegativePairs>; hot on sm_90
// compiled: rest<NonNegativeLong>; hot on sm_90
// compiled: rest<Double>; hot on sm_90
// compiled: rest<Saturating<S>> with S = min_plus INT32 | min_plus UINT64
#pragma once
#include "tropical_tile.cuh"

// A block of 32 × 8 threads copies 32 × 32 values of the rows to `before` and turns as many of the columns behind them.
template <class P>
__global__ void turned(const typename P::Value* d, long long stride, int first, int side, typename P::Value* before,
                       typename P::A* squares) {
  __shared__ typename P::Value cells[32][33];
  const int i0 = blockIdx.x * 32, k0 = blockIdx.y * 32, x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    cells[y][x] = d[(i0 + y) * stride + first + k0 + x];
    before[(k0 + y) * stride + i0 + x] = d[(first + k0 + y) * stride + i0 + x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    before[(side + k0 + y) * stride + i0 + x] = cells[x][y];
    if (i0 < first || i0 >= first + side) continue;
    squares[(k0 + y) * side + i0 - first + x] = P::spread(cells[x][y]);
    squares[(side + i0 - first + y) * side + k0 + x] = P::spread(cells[y][x]);
  }
}

// One word of results as the words that stand for its values in a first operand.
template <class P>
__device__ __forceinline__ void store_spread(typename P::A* out, typename P::C word) {
  if constexpr (P::per_word == 1) *out = word;
  else out[0] = P::spread(word & 0xffffu), out[1] = P::spread(word >> 16);
}

// `before` holds D[K, :], then T; `squares` Sᵀ, then S; `after` R, then C. Its rows have so many words.
template <class P>
__global__ __launch_bounds__(TILE_WORKERS, sizeof(typename P::C) > 4 ? 1 : 2) void panels(
    const typename P::C* before, const typename P::A* squares, int side, long long words, typename P::C* after) {
  using Place = Cells<typename P::C>;
  const int i = blockIdx.y * TILE_SIDE, j = blockIdx.x * TILE_SIDE;
  before += blockIdx.z * side * words;
  Place cells;
  cells.load(before + i * words + j, words);
  multiply_tile<P>(cells, squares + blockIdx.z * side * side, side, before, words, side, i, j);
  after += blockIdx.z * side * words;
  if (P::per_word == 1 || blockIdx.z == 0) {
    cells.store(after + i * words + j, words);
    return;
  }
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 8; ++x)
      store_spread<P>(after + ((i + Place::row(y)) * words + j + Place::column(x)) * P::per_word, cells.at[y][x]);
}

// A tile of D in the columns of the pivot block: 128 rows, `count` values from the k-th on, for the vertices from i on.
template <class P>
__device__ void put_columns(typename P::Value* tile, long long stride, const typename P::A* c, int i, int k, int count) {
  for (const int p : block_range(0, count * TILE_SIDE)) {
    const int y = p % TILE_SIDE, x = p / TILE_SIDE;
    tile[y * stride + x] = static_cast<typename P::Value>(c[(k + x) * stride + i + y]);
  }
}

// `d` begins with row `row` of D, so that a part of its rows will do, and blocks begin at word `column`; rows and columns
// of the pivot block at `skip` (−1: none) are left as they are.
template <class P>
__global__ __launch_bounds__(TILE_WORKERS, sizeof(typename P::C) > 4 ? 1 : 2) void rest(
    typename P::C* d, int row, int column, int skip, const typename P::C* r, const typename P::A* c, int first, int side,
    long long words) {
  constexpr int values = TILE_SIDE * P::per_word;
  using Value = typename P::Value;
  const int i = row + blockIdx.y * TILE_SIDE, j = column + blockIdx.x * TILE_SIDE, v = j * P::per_word;
  if (skip >= 0 && ((i >= skip && i < skip + side) || (v >= skip && v < skip + side))) return;
  typename P::C* tile = d + blockIdx.y * TILE_SIDE * words + j;
  Cells<typename P::C> cells;
  if (i >= first && i < first + side) {
    cells.load(r + (i - first) * words + j, words);
    cells.store(tile, words);
    return;
  }
  if (side >= values && v >= first && v < first + side) {
    put_columns<P>(reinterpret_cast<Value*>(tile), words * P::per_word, c, i, v - first, values);
    return;
  }
  cells.load(tile, words);
  multiply_tile<P>(cells, c, words * P::per_word, r, words, side, i, j);
  cells.store(tile, words);
}
