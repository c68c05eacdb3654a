// Result header on the device: entry count and one presence flag per index. All is zero before the product.
#pragma once

#include "board.py"  // BOARD_BYTES, BOARD_CHUNKS, PUSH_ARCS
#include "headers/primitives.cuh"

struct Board {
  unsigned long long count;                 // entries of the result
  unsigned long long arrived;               // blocks that have begun to count
  unsigned long long chunks[BOARD_CHUNKS];  // the sum of each chunk of a prefix sum, plus one

  __device__ __forceinline__ bool* present() { return reinterpret_cast<bool*>(this + 1); }
};

static_assert(sizeof(Board) == BOARD_BYTES, "the host allocates BOARD_BYTES before the flags");

// The whole grid copies the flags of a product whose entries are known beforehand.
__device__ __forceinline__ void copy_flags(const bool* known, int size, bool* present) {
  constexpr int WIDE = 16;
  for (const int p : grid_range(size / WIDE)) store_pack(present + p * WIDE, load_pack<WIDE>(known + p * WIDE));
  for (const int p : grid_range(size % WIDE)) present[size - 1 - p] = known[size - 1 - p];
}
