// The level matrix in one pass, every cell written once: a lane owns four vertices, a warp 128 of each row.
//
//   level[s][v] = (planes of v read across at bit s) - 1
//
// Plane p of a vertex holds bit p of (level + 1) for each of 64 sources: 0 is unreached, 32 bytes a vertex.

#include "primitives.cuh"

using Bits = unsigned long long;

struct Planes {
  Bits of[4];
  __device__ __forceinline__ int level(int s) const {
    return (int(of[0] >> s & 1) | int(of[1] >> s & 1) << 1 | int(of[2] >> s & 1) << 2 | int(of[3] >> s & 1) << 3) - 1;
  }
};

__device__ __forceinline__ Planes planes_of(int number, const Bits* planes) {
  if (number < 0) return {};
  const Pack<Bits, 2> low = load_pack<2>(planes + 4ll * number), high = load_pack<2>(planes + 4ll * number + 2);
  return {{low.at[0], low.at[1], high.at[0], high.at[1]}};
}

// compiled: write_levels
__global__ void write_levels(int n, int sources, const int* number, const Bits* planes, int* levels) {
  const int v = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (v >= n) return;
  Planes mine[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) mine[j] = planes_of(v + j < n ? number[v + j] : -1, planes);
#pragma unroll 4
  for (int s = 0; s < sources; ++s) {
    int* const row = levels + (long long)s * n + v;
    const Pack<int, 4> four{{mine[0].level(s), mine[1].level(s), mine[2].level(s), mine[3].level(s)}};
    if (n % 4 == 0) {
      store_pack(row, four);
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j)
        if (v + j < n) row[j] = four.at[j];
    }
  }
}
