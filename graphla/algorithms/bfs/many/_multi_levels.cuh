// Writes the level matrix in one pass, every cell once: a lane owns four vertices, a warp 128 of each row.
//
//   level[s][v] = (bit s of the four planes of v) - 1
//
// Plane p of a vertex holds bit p of (level + 1) for each of 64 sources, 0 for unreached: 32 bytes per vertex.
//
// compiled: write_levels
#pragma once

#include "headers/primitives.cuh"

using Bits = unsigned long long;

// Eight bits, spread to every fourth bit.
__device__ __forceinline__ unsigned spread(unsigned byte) {
  byte = (byte | byte << 12) & 0x000f000fu;
  byte = (byte | byte << 6) & 0x03030303u;
  return (byte | byte << 3) & 0x11111111u;
}

struct Planes {
  Bits of[4];
  // level + 1 of the sources 8 i ... 8 i + 7, four bits each.
  __device__ __forceinline__ unsigned eight(int i) const {
    unsigned levels = 0;
#pragma unroll
    for (int p = 0; p < 4; ++p) levels |= spread(static_cast<unsigned>(of[p] >> 8 * i) & 255u) << p;
    return levels;
  }
};

__device__ __forceinline__ Planes planes_of(int number, const Bits* planes) {
  if (number < 0) return {};
  const Pack<Bits, 2> low = load_pack<2>(planes + 4ll * number), high = load_pack<2>(planes + 4ll * number + 2);
  return {{low.at[0], low.at[1], high.at[0], high.at[1]}};
}

__global__ void write_levels(int n, int sources, const int* number, const Bits* planes, int* levels) {
  const int v = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (v >= n) return;
  Planes mine[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) mine[j] = planes_of(v + j < n ? number[v + j] : -1, planes);
  for (int i = 0; 8 * i < sources; ++i) {
    const unsigned eight[4] = {mine[0].eight(i), mine[1].eight(i), mine[2].eight(i), mine[3].eight(i)};
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (8 * i + k >= sources) return;
      int* const row = levels + (8ll * i + k) * n + v;
      Pack<int, 4> four;
#pragma unroll
      for (int j = 0; j < 4; ++j) four[j] = static_cast<int>(eight[j] >> 4 * k & 15u) - 1;
      if (n % 4 == 0) {
        store_pack(row, four);
      } else {
#pragma unroll
        for (int j = 0; j < 4; ++j)
          if (v + j < n) row[j] = four[j];
      }
    }
  }
}
