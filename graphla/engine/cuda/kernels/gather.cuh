// C[k, :] = A[chosen[k], :]: entries of C in equal shares, a block GATHER_TILE of them; from[k] is where its row begins in A.
//
// compiled: gather_rows<P, V> with P = int | long long; V = float | double | bool; hot
#pragma once

constexpr int GATHER_TILE = 4096;

template <class P, class V>
__global__ void gather_rows(const P* from, const long long* pointers, int rows, const int* columns, const V* values,
                            long long entries, int* out_columns, V* out_values) {
  __shared__ int borders[2];
  const long long begin = static_cast<long long>(blockIdx.x) * GATHER_TILE;
  const long long end = entries - begin < GATHER_TILE ? entries : begin + GATHER_TILE;
  if (threadIdx.x < 2) borders[threadIdx.x] = row_of(pointers, rows, threadIdx.x == 0 ? begin : end - 1);
  __syncthreads();
  const int first = borders[0], many = borders[1] + 1 - first;
  for (const long long p : block_range(begin, end)) {
    const int k = first + row_of(pointers + first, many, p);
    const long long q = from[k] + (p - pointers[k]);
    out_columns[p] = columns[q];
    out_values[p] = values[q];
  }
}
