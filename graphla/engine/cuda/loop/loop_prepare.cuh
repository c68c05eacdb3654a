// What a loop keeps with a matrix, and how a list of entries becomes bits and values.
//
//   strongest[i] = the k of row i with the longest row in `out`; filled = the bits of the rows that have an arc
//
// compiled: loop_rows<Offset> with Offset = int | long long
// compiled: loop_place<T> with T = bool | int | float | double
#pragma once

#include "headers/primitives.cuh"

// A warp owns a row at a time, of 32 whose bits make a word.
template <class Offset>
__global__ void loop_rows(int n, int words, const Offset* out_indptr, const Offset* in_indptr, const int* in_indices,
                          int* strongest, unsigned* filled) {
  const int warps = gridDim.x * (blockDim.x / 32);
  for (int word = blockIdx.x * (blockDim.x / 32) + warp_index(); word < words; word += warps) {
    unsigned bits = 0;
    for (int j = 0; j < 32; ++j) {
      const int i = word * 32 + j;
      long long best = -1;  // length above, k below
      for (Offset q = i < n ? in_indptr[i] + lane_index() : 0; i < n && q < in_indptr[i + 1]; q += 32) {
        const int k = in_indices[q];
        const long long length = out_indptr[k + 1] - out_indptr[k];
        best = max(best, length << 31 | k);
      }
      best = warp_reduce(best, Most{});
      if (lane_index() == 0) strongest[i] = best < 0 ? 0 : static_cast<int>(best & 0x7fffffff);
      bits |= static_cast<unsigned>(best >= 0) << j;
    }
    if (lane_index() == 0) filled[word] = bits;
  }
}

template <class T>
__global__ void loop_place(
    int count, long long first_word, const int* places, const T* given, unsigned* bits, T* values) {
  for (int p : grid_range(count)) {
    values[places[p]] = given[p];
    bit_set(bits + first_word, places[p]);
  }
}
