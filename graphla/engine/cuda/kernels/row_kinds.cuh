// Which kernel takes a row of a sparse product: the products of row i are Σ_k |B[k, :]|, one at least for each k.
//
// A team of lanes adds them up and puts the row on the list of its kind: for 8, 16 or 32 lanes, hash, wide.
// compiled: row_kinds<TEAM> with TEAM = 8 | 32
#pragma once
#include "sum.cuh"

constexpr int KINDS = 5, KIND_MOST[KINDS - 1] = {8, 16, 32, 1024};

template <int TEAM>
__global__ void row_kinds(int rows, const long long* ap, const int* aj, const long long* bp, int* lists,
                          long long* products, unsigned long long* counters) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / TEAM;
  long long mine = 0;
  if (i < rows)
    for (long long p = ap[i] + threadIdx.x % TEAM; p < ap[i + 1]; p += TEAM) {
      const long long length = bp[aj[p] + 1] - bp[aj[p]];
      mine += length > 0 ? length : 1;
    }
  for (int distance = TEAM / 2; distance; distance /= 2)
    mine += __shfl_xor_sync(team_lanes<TEAM>(), mine, distance);
  const bool speaks = i < rows && threadIdx.x % TEAM == 0 && mine > 0;
  int kind = 0;
  for (const int most : KIND_MOST) kind += mine > most;
  for (int k = 0; k < KINDS; ++k)
    warp_append(speaks && kind == k, i, lists + static_cast<long long>(k) * rows, counters + k);
  if (speaks && kind == KINDS - 1) products[i] = mine;
}
