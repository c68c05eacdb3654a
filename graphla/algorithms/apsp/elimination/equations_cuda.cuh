// A x = b beside its solution, in FP64: r = b − A x, and the largest magnitudes of what there is, as the bits of
// numbers that are not negative, whose order is that of integers, NaN above all.
//
// The columns of b are multiplied by `factors` if they are to be `scaled`. A thread takes a row, or with TEAM 32 a
// warp; blockIdx.y is a column, and gridDim.y how many there are.
//
// compiled: find_largest
// compiled: measure_matrix<Offset> with Offset = int | long long
// compiled: find_residual<Offset, TEAM> with Offset = int | long long; TEAM = 1 | 32
#pragma once

#include "headers/primitives.cuh"

using Bits = unsigned long long;

__device__ __forceinline__ Bits get_size(double x) { return same_bits<Bits>(x) & 0x7fffffffffffffffull; }

__device__ __forceinline__ void keep_largest(Bits mine, Bits* place) {
  const Bits all = block_reduce(mine, 0ull, Most());
  if (threadIdx.x == 0) atomicMax(place, all);
}

__global__ void find_largest(const double* x, long long count, Bits* largest) {
  Bits mine = 0;
  for (const long long i : grid_range(count)) mine = max(mine, get_size(x[i]));
  keep_largest(mine, largest);
}

// largest[0] = maxᵢ Σⱼ |A[i, j]|, largest[1] = max |A[i, j]|.
template <class Offset>
__global__ void measure_matrix(const Offset* indptr, const double* values, int n, Bits* largest) {
  Bits sums = 0, entries = 0;
  for (const int i : grid_range(n)) {
    double sum = 0;
    for (Offset e = indptr[i]; e < indptr[i + 1]; ++e) {
      sum += fabs(values[e]);
      entries = max(entries, get_size(values[e]));
    }
    sums = max(sums, get_size(sum));
  }
  keep_largest(sums, largest);
  keep_largest(entries, largest + 1);
}

// largest[c], largest[columns + c] and largest[2 columns + c] are of r, x and b in column c.
template <class Offset, int TEAM>
__global__ void find_residual(const Offset* indptr, const int* indices, const double* values, int n, const double* x,
                              const double* b, const double* factors, int scaled, double* r, Bits* largest) {
  const int columns = static_cast<int>(gridDim.y), c = static_cast<int>(blockIdx.y),
            lane = TEAM == 1 ? 0 : lane_index();
  const long long first = (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / TEAM;
  Bits of_r = 0, of_x = 0, of_b = 0;
  for (long long i = first; i < n; i += static_cast<long long>(gridDim.x) * blockDim.x / TEAM) {
    double sum = 0;
    for (Offset e = indptr[i] + lane; e < indptr[i + 1]; e += TEAM)
      sum += values[e] * x[static_cast<long long>(indices[e]) * columns + c];
    if constexpr (TEAM == 32) sum = warp_reduce(sum);
    if (lane) continue;
    const double given = b[i * columns + c] * (scaled ? factors[c] : 1), left = given - sum;
    r[i * columns + c] = left;
    of_r = max(of_r, get_size(left));
    of_x = max(of_x, get_size(x[i * columns + c]));
    of_b = max(of_b, get_size(given));
  }
  keep_largest(of_r, largest + c);
  keep_largest(of_x, largest + columns + c);
  keep_largest(of_b, largest + 2 * columns + c);
}
