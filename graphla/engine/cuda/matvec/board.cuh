// What a product tells beside its values: how many entries it has, and a flag a place. All is zero at first.
#pragma once

#include "headers/primitives.cuh"

constexpr int BOARD_CHUNKS = 126, PUSH_ARCS = 1024;

struct Board {
  unsigned long long count;                 // entries of the result
  unsigned long long arrived;               // blocks that have begun to count
  unsigned long long chunks[BOARD_CHUNKS];  // what each chunk of a running sum came to, and one more

  __device__ __forceinline__ bool* present() { return reinterpret_cast<bool*>(this + 1); }
};

// The flags of a product whose entries are known beforehand, copied by the whole grid.
__device__ __forceinline__ void copy_flags(const bool* known, int size, bool* present) {
  constexpr int WIDE = 16;
  for (const int p : grid_range(size / WIDE)) store_pack(present + p * WIDE, load_pack<WIDE>(known + p * WIDE));
  for (const int p : grid_range(size % WIDE)) present[size - 1 - p] = known[size - 1 - p];
}
