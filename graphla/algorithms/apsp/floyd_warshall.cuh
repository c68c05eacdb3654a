// Step k of Floyd–Warshall: D[i, j] = min(D[i, j], D[i, k] + D[k, j]); a thread owns (i, j), a grid of blocks the n².
// Row and column k do not change in step k unless a cycle through k is negative, so the threads need no barrier.
//
// compiled: step<Saturating<S>, Alone> with S = min_plus INT32
// compiled: step<NonNegativeFloat, Alone>; hot on sm_90
// compiled: step<NonNegativeFloat, WithHops>; hot on sm_90
#pragma once

#include "matmat/tropical_numbers.cuh"

struct Alone { static constexpr bool hops = false; };
struct WithHops { static constexpr bool hops = true; };

template <class P, class Kind>
__global__ void step(typename P::Value* d, int* h, int n, int k, int* cycle) {
  using T = typename P::Value;
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  const T last = d[static_cast<long long>(k) * n + j];
  if (blockIdx.y == 0 && j == k && last < static_cast<T>(0)) *cycle = k;
  for (int i = blockIdx.y; i < n; i += gridDim.y) {
    const long long row = static_cast<long long>(i) * n;
    const T through = P::sum(d[row + k], last);
    if (i == k || j == k || !(through < d[row + j])) continue;
    d[row + j] = through;
    if constexpr (Kind::hops) h[row + j] = h[row + k];
  }
}
