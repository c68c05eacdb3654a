// What a push touched becomes a sorted list with its values, and the work space is as clean as before.
//
// compiled: collect<C> with C = float | bool
// compiled: settle<C> with C = float | bool | long long; hot
#pragma once

#include "board.cuh"
#include "push.py"  // SETTLE_MOST, SETTLE_THREADS

template <class C>
__device__ __forceinline__ void take_out(int i, bool* present, C* out, C identity, C* values, int p) {
  values[p] = out[i];
  out[i] = identity;
  present[i] = false;
}

// places[p] are sorted already.
template <class C>
__global__ void collect(const int* places, int count, Board* board, C* out, C identity, C* values) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < count) take_out(places[p], board->present(), out, identity, values, p);
}

// One block sorts a short list by a bitonic network in shared memory.
template <class C>
__global__ __launch_bounds__(SETTLE_THREADS) void settle(
    const int* touched, int count, Board* board, C* out, C identity, int* places, C* values) {
  __shared__ int sorted[SETTLE_MOST];
  int size = 2;
  while (size < count) size *= 2;
  for (int p = threadIdx.x; p < size; p += SETTLE_THREADS) sorted[p] = p < count ? touched[p] : 0x7fffffff;
  for (int run = 2; run <= size; run *= 2)
    for (int distance = run / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (int pair = threadIdx.x; pair < size / 2; pair += SETTLE_THREADS) {
        const int low = 2 * pair - (pair & (distance - 1)), high = low + distance;
        const bool upwards = (low & run) == 0;
        const int a = sorted[low], b = sorted[high];
        if ((a > b) == upwards) {
          sorted[low] = b;
          sorted[high] = a;
        }
      }
    }
  __syncthreads();
  for (int p = threadIdx.x; p < count; p += SETTLE_THREADS) {
    places[p] = sorted[p];
    take_out(sorted[p], board->present(), out, identity, values, p);
  }
}
