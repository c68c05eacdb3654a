// C[k, :] = A[chosen[k], :]: entries of C in equal shares, a block EXTRACT_TILE of them; from[k] is where its row
// begins in A.
//
// compiled: extract_rows<P, V> with P = int | long long; V = float | double | bool; hot
#pragma once

#include "extract.py"  // EXTRACT_TILE
#include "headers/share.cuh"

template <class P, class V>
__global__ void extract_rows(const P* from, const long long* indptr, int rows, const int* indices, const V* values,
                             long long entries, int* out_indices, V* out_values) {
  const Share mine = share_of(indptr, rows, entries, EXTRACT_TILE);
  for (const long long p : block_range(mine.begin, mine.end)) {
    const int k = mine.first + row_of(indptr + mine.first, mine.many, p);
    const long long q = from[k] + (p - indptr[k]);
    out_indices[p] = indices[q];
    out_values[p] = values[q];
  }
}
