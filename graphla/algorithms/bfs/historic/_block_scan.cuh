// Blelloch's exclusive prefix sum over one number per thread, for blocks whose size is a power of two.
//
//   up-sweep:    x[r] += x[l] over ever larger halves;  down-sweep:  (x[l], x[r]) = (x[r], x[l] + x[r])
#pragma once

// x[0 .. blockDim.x) in shared memory becomes its exclusive prefix sum; every thread gets the total.
__device__ __forceinline__ int blelloch_scan(int* x, int mine) {
  __shared__ int total;
  const int size = blockDim.x, t = threadIdx.x;
  x[t] = mine;
  for (int half = 1; half < size; half *= 2) {
    __syncthreads();
    const int right = 2 * half * (t + 1) - 1;
    if (right < size) x[right] += x[right - half];
  }
  __syncthreads();
  if (t == 0) {
    total = x[size - 1];
    x[size - 1] = 0;
  }
  for (int half = size / 2; half; half /= 2) {
    __syncthreads();
    const int right = 2 * half * (t + 1) - 1;
    if (right < size) {
      const int left = x[right - half];
      x[right - half] = x[right];
      x[right] += left;
    }
  }
  __syncthreads();
  return total;
}
