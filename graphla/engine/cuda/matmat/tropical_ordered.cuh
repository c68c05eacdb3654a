// C[i, j] = max over k of min(A[i, k], B[k, j]) over full matrices of floats, as integers in the same order: two minima
// and one maximum of three for two k, where floats take two minima and two maxima. min_max is max_min over the integers
// in reverse order. The tiles are those of `tropical_tile.cuh`. No operand has a NaN.
//
// compiled: encode<Order<reversed>> with reversed = false | true
// compiled: tropical_ordered<Order<reversed>> with reversed = false | true; hot on sm_90
#pragma once

#include "headers/primitives.cuh"
#include "tropical_cells.cuh"
#include "tropical_copy.cuh"
#include "tropical_numbers.cuh"
#include "tropical_tile.cuh"

// Integers in the order of the floats, or in reverse order; −0.0 is 0.0. Both ways are their own inverses.
template <bool reversed>
struct Order {
  static constexpr int lowest = -0x7fffffff - 1;
  static __device__ __forceinline__ int flip(int bits) {
    if (bits >= 0) return bits;
    return static_cast<int>(static_cast<unsigned>(lowest) - static_cast<unsigned>(bits));
  }
  static __device__ __forceinline__ int code(int bits) { return reversed ? -flip(bits) : flip(bits); }
  static __device__ __forceinline__ float value(int code) { return __int_as_float(flip(reversed ? -code : code)); }
};

struct Ordered : Tropical<int> {
  static __device__ __forceinline__ int nothing() { return -0x7f800000; }
  static __device__ __forceinline__ void two(
      int& c, int a0, int b0, int a1, int b1, bool, long long, long long, long long) {
    c = __vimax3_s32(min(a0, b0), min(a1, b1), c);
  }
};

// An operand, in place.
template <class O>
__global__ void encode(int* words, long long count) {
  for (const long long i : grid_range(count)) words[i] = O::code(words[i]);
}

// `depth` is one of whole stages.
template <class O>
__global__ __launch_bounds__(TILE_WORKERS, 2) void tropical_ordered(
    const int* a, long long lda, const int* b, long long ldb, float* c, int m, int depth, int n) {
  const long long i = static_cast<long long>(blockIdx.y) * TILE_SIDE,
                  j = static_cast<long long>(blockIdx.x) * TILE_SIDE;
  Cells<int> cells;
  cells.fill(Ordered::nothing());
  multiply_tile<Ordered, true>(cells, a, lda, b, ldb, depth, i, j);
  cells.store_part(c + i * n + j, n, m - i, n - j, [](int word) { return O::value(word); });
}
