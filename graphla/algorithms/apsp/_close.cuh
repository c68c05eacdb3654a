// Floyd–Warshall on the square of a pivot block, in place, by a cooperative grid: tiles of 64 × 64, one block per tile.
//
// For each tile on the diagonal: close it; then its row and its column of tiles; then the rest. The values of a tile
// are in the registers of 256 threads, 4 × 4 each; step k of a closure sends row and column k through shared memory.
//
// compiled: close_square<NonNegativeFloat>; hot on sm_90
// compiled: close_square<NonNegativePairs>; hot on sm_90
// compiled: close_square<SmallInt>
// compiled: close_square<SmallLong>
// compiled: close_square<Saturating<S>> with S = min_plus INT32 | min_plus UINT64
#pragma once

#include "_corner.cuh"
#include "headers/primitives.cuh"
#include "matmat/tropical_copy.cuh"
#include "matmat/tropical_numbers.cuh"

template <class P, class T>
__device__ __forceinline__ void relax(Corner<T>& c, const T (&left)[4], const T (&right)[4]) {
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x) c.at[y][x] = P::plus(c.at[y][x], P::sum(left[y], right[x]));
}

// Closes the tile on the diagonal whose first vertex is `vertex`. *cycle gets the first vertex whose path to itself
// beats the empty path, `one`; later sums may have wrapped.
template <class P, class T>
__device__ void close_tile(T* tile, long long stride, int vertex, T one, int* cycle) {
  __shared__ T rows[2][CORNER], columns[2][CORNER];
  Corner<T> c;
  c.load(tile, stride);
  for (int k = 0; k < CORNER; k += 4) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      T(&row)[CORNER] = rows[e & 1];
      T(&column)[CORNER] = columns[e & 1];
      for (int x = 0; x < 4; ++x) {
        if (c.row() == k) row[c.column() + x] = c.at[e][x];
        if (c.column() == k) column[c.row() + x] = c.at[x][e];
      }
      if (c.row() == k && c.column() == k && P::beats(c.at[e][e], one) && load_fresh(cycle) < 0)
        *cycle = vertex + k + e;
      __syncthreads();
      T left[4], right[4];
      for (int x = 0; x < 4; ++x) {
        left[x] = column[c.row() + x];
        right[x] = row[c.column() + x];
      }
      relax<P>(c, left, right);
    }
  }
  c.store(tile, stride);
}

// Copies rows × columns values of a tile, as other blocks wrote them, to shared memory.
template <int rows, int columns, class T, int width>
__device__ __forceinline__ void fetch_part(T (&to)[rows][width], const T* from, long long stride) {
  constexpr int words = 16 / sizeof(T), chunks = columns / words;
#pragma unroll
  for (int p = 0; p < rows * chunks; p += CORNER_THREADS) {
    const int at = p + threadIdx.x, y = at / chunks, x = at % chunks * words;
    fetch(&to[y][x], from + y * stride + x);
  }
}

// tile = min(tile, left min.plus right); `tile` may be one of the two, because the diagonal of the other one is `one`.
template <class P, class T>
__device__ void relax_tile(T* tile, const T* left, const T* right, long long stride) {
  constexpr int words = 16 / sizeof(T), depth = sizeof(T) > 4 ? CORNER / 2 : CORNER;
  alignas(16) __shared__ T a[CORNER][depth + words];
  alignas(16) __shared__ T b[depth][CORNER];
  Corner<T> c;
  c.load(tile, stride);
  for (int middle = 0; middle < CORNER; middle += depth) {
    __syncthreads();
    fetch_part<CORNER, depth>(a, left + middle, stride);
    fetch_part<depth, CORNER>(b, right + middle * stride, stride);
    close_group();
    arrived<0>();
    __syncthreads();
#pragma unroll 2
    for (int k = 0; k < depth; k += words) {
      Pack<T, words> from[4];
      for (int y = 0; y < 4; ++y) from[y] = load_pack<words>(&a[c.row() + y][k]);
#pragma unroll
      for (int e = 0; e < words; ++e) {
        T left_of[4], right_of[4];
        for (int x = 0; x < 4; ++x) {
          left_of[x] = from[x][e];
          right_of[x] = b[k + e][c.column() + x];
        }
        relax<P>(c, left_of, right_of);
      }
    }
  }
  c.store(tile, stride);
}

// `square` points to the square of `side` vertices from `first` on, with `one` on its diagonal; *barrier is zero before
// the first launch.
template <class P>
__global__ __launch_bounds__(CORNER_THREADS) void close_square(
    typename P::Value* square, long long stride, int first, int side, typename P::Value one, int* cycle,
    unsigned* barrier) {
  const int tiles = side / CORNER, blocks = static_cast<int>(gridDim.x), me = static_cast<int>(blockIdx.x);
  const auto tile = [&](int y, int x) { return square + y * CORNER * stride + x * CORNER; };
  for (int t = 0; t < tiles; ++t) {
    if (me == 0) close_tile<P>(tile(t, t), stride, first + t * CORNER, one, cycle);
    grid_sync(barrier);
    for (int p = me; p < 2 * tiles; p += blocks) {
      const int other = p / 2;
      if (other == t) continue;
      if (p % 2) relax_tile<P>(tile(t, other), tile(t, t), tile(t, other), stride);
      else relax_tile<P>(tile(other, t), tile(other, t), tile(t, t), stride);
    }
    grid_sync(barrier);
    for (int p = me; p < tiles * tiles; p += blocks) {
      const int y = p / tiles, x = p % tiles;
      if (y != t && x != t) relax_tile<P>(tile(y, x), tile(y, t), tile(t, x), stride);
    }
    grid_sync(barrier);
  }
}
