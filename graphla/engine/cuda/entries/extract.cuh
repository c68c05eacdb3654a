// C[k, :] = A[chosen[k], :]: entries of C in equal shares, a block EXTRACT_TILE of them; from[k] is where its row
// begins in A.
//
// compiled: row_numbers<P> with P = int | long long; hot
// compiled: extract_rows<P, V> with P = int | long long; V = float | double | bool; hot
#pragma once

#include "extract.py"  // EXTRACT_TILE
#include "headers/primitives.cuh"

// The rows of a block's share of entries: the first, and how many begin there.
struct Share {
  long long begin, end;
  int first, many;
};
template <class P>
__device__ __forceinline__ Share share_of(const P* indptr, int rows, long long entries) {
  __shared__ int borders[2];
  const long long begin = static_cast<long long>(blockIdx.x) * EXTRACT_TILE;
  const long long end = entries - begin < EXTRACT_TILE ? entries : begin + EXTRACT_TILE;
  if (threadIdx.x < 2) borders[threadIdx.x] = row_of(indptr, rows, static_cast<P>(threadIdx.x == 0 ? begin : end - 1));
  __syncthreads();
  return {begin, end, borders[0], borders[1] + 1 - borders[0]};
}

// out[p] = the row of entry p.
template <class P>
__global__ void row_numbers(const P* indptr, int rows, long long entries, int* out) {
  const Share mine = share_of(indptr, rows, entries);
  for (const long long p : block_range(mine.begin, mine.end))
    out[p] = mine.first + row_of(indptr + mine.first, mine.many, static_cast<P>(p));
}

template <class P, class V>
__global__ void extract_rows(const P* from, const long long* indptr, int rows, const int* indices, const V* values,
                             long long entries, int* out_indices, V* out_values) {
  const Share mine = share_of(indptr, rows, entries);
  for (const long long p : block_range(mine.begin, mine.end)) {
    const int k = mine.first + row_of(indptr + mine.first, mine.many, p);
    const long long q = from[k] + (p - indptr[k]);
    out_indices[p] = indices[q];
    out_values[p] = values[q];
  }
}
