// C[i, j] = ⊕ over k of A[i, k] ∧ B[k, j] over full boolean matrices, 32 k in a word: with ⊕ = ∨ whether any bit of
// acc |= a & b is set, with ⊕ = xor whether an odd number is. Packing: a thread makes a word of a column of B, a warp
// 32 words of as many rows of A, which transposes it. Product: the tiles of `tropical_tile.cuh`, with words of k.
// ∧ over k of A[i, k] ∨ B[k, j] is the complement of the first over complements: `Turned`.
//
// compiled: pack_rows<Plain>
// compiled: pack_columns<Turned>
// compiled: tropical_bits<AnyBit, Plain>; hot on sm_90
// compiled: tropical_bits<OddBits, Plain>
// compiled: tropical_bits<AnyBit, Turned>
#pragma once

#include "headers/primitives.cuh"
#include "tropical_cells.cuh"
#include "tropical_copy.cuh"
#include "tropical_numbers.cuh"
#include "tropical_tile.cuh"

struct Bits : Tropical<unsigned> {
  static __device__ __forceinline__ unsigned nothing() { return 0; }
};

struct AnyBit : Bits {
  static __device__ __forceinline__ bool result(unsigned c) { return c != 0; }
  static __device__ __forceinline__ void one(unsigned& c, unsigned a, unsigned b, long long, long long, long long) {
    c |= a & b;
  }
  static __device__ __forceinline__ void two(
      unsigned& c, unsigned a0, unsigned b0, unsigned a1, unsigned b1, bool, long long, long long, long long) {
    c = c | (a0 & b0) | (a1 & b1);
  }
};

struct OddBits : Bits {
  static __device__ __forceinline__ bool result(unsigned c) { return __popc(c) & 1; }
  static __device__ __forceinline__ void one(unsigned& c, unsigned a, unsigned b, long long, long long, long long) {
    c ^= a & b;
  }
  static __device__ __forceinline__ void two(
      unsigned& c, unsigned a0, unsigned b0, unsigned a1, unsigned b1, bool, long long, long long, long long) {
    c = c ^ (a0 & b0) ^ (a1 & b1);
  }
};

// Whether truth is kept as it is.
struct Plain {
  static __device__ __forceinline__ bool of(bool x) { return x; }
};
struct Turned {
  static __device__ __forceinline__ bool of(bool x) { return !x; }
};

// Bit e of word (w, i) of `out` is in[i, 32 w + e]; a warp has 32 rows and one word of each, its lane i writes row i.
template <class Truth>
__global__ void pack_rows(const bool* in, int m, int n, unsigned* out, long long width) {
  const int lane = lane_index(), first = (blockIdx.y * (blockDim.x / 32) + warp_index()) * 32,
            k = blockIdx.x * 32 + lane;
  unsigned mine = 0;
  for (int y = 0; y < 32 && first + y < m; ++y) {
    const bool set = k < n && Truth::of(in[static_cast<long long>(first + y) * n + k]);
    const unsigned word = __ballot_sync(WHOLE_WARP, set);
    if (lane == y) mine = word;
  }
  if (first + lane < m) out[place<abreast<AnyBit>, false>(blockIdx.x, first + lane, width)] = mine;
}

// Bit e of word (w, j) of `out` is in[32 w + e, j].
template <class Truth>
__global__ void pack_columns(const bool* in, int m, int n, unsigned* out, long long width) {
  const int first = blockIdx.y * 32;
  for (const int j : grid_range(n)) {
    unsigned word = 0;
    for (int e = 0; e < 32 && first + e < m; ++e)
      word |= static_cast<unsigned>(Truth::of(in[static_cast<long long>(first + e) * n + j])) << e;
    out[place<abreast<AnyBit>, true>(blockIdx.y, j, width)] = word;
  }
}

// A block owns 128 × 128 cells of C; `depth` counts words, whole stages of them.
template <class P, class Truth>
__global__ __launch_bounds__(TILE_WORKERS, 2) void tropical_bits(
    const unsigned* a, long long lda, const unsigned* b, long long ldb, bool* c, int m, int depth, int n) {
  const long long i = static_cast<long long>(blockIdx.y) * TILE_SIDE,
                  j = static_cast<long long>(blockIdx.x) * TILE_SIDE;
  Cells<unsigned> cells;
  cells.fill(P::nothing());
  multiply_tile<P, true>(cells, a, lda, b, ldb, depth, i, j);
  cells.store_part(c + i * n + j, n, m - i, n - j, [](unsigned word) { return Truth::of(P::result(word)); });
}
