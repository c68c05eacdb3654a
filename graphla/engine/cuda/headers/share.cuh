// Equal shares of the entries of rows: which rows a block's share is of.
#pragma once

#include "primitives.cuh"

// A block's share of `tile` entries: its rows are the first one and those after it, `many` in all.
struct Share {
  long long begin, end;
  int first, many;
};
template <class P>
__device__ __forceinline__ Share share_of(const P* indptr, int rows, long long entries, int tile) {
  __shared__ int borders[2];
  const long long begin = static_cast<long long>(blockIdx.x) * tile;
  const long long end = entries - begin < tile ? entries : begin + tile;
  if (threadIdx.x < 2) borders[threadIdx.x] = row_of(indptr, rows, static_cast<P>(threadIdx.x == 0 ? begin : end - 1));
  __syncthreads();
  return {begin, end, borders[0], borders[1] + 1 - borders[0]};
}
