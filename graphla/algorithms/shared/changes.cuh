// What a round of values has changed: sums[b] = Σ|after - before| over the share of block b, and sums[blocks + b] =
// Σ|after|. The host adds them up in their order, so that a run ends after the same round as another.
//
// compiled: add_changes<T> with T = float | double; hot
#pragma once

#include "headers/primitives.cuh"

template <class T>
__global__ void add_changes(const T* before, const T* after, int n, double* sums) {
  double change = 0, total = 0;
  for (const int i : grid_range(n)) {
    change += static_cast<double>(fabs(after[i] - before[i]));
    total += static_cast<double>(fabs(after[i]));
  }
  change = block_reduce(change);
  total = block_reduce(total);
  if (threadIdx.x > 0) return;
  sums[blockIdx.x] = change;
  sums[gridDim.x + blockIdx.x] = total;
}
