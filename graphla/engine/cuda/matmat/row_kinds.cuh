// Which kernel computes a row of a sparse product: row i has Σ_k |B[k, :]| products, at least one for each k.
//
// A team of lanes adds them up and appends the row to the list of its kind: 8, 16 or 32 lanes, hash, wide.
//
// compiled: row_kinds<TEAM> with TEAM = 8 | 32
#pragma once

#include "headers/sum.cuh"
#include "rows.py"  // HASH_MOST, KIND_THREADS

constexpr int KINDS = 5, KIND_MOST[KINDS - 1] = {8, 16, 32, HASH_MOST};

// The products of row i, in every lane of its team; 0 past the end.
template <int TEAM>
__device__ __forceinline__ long long products_of(
    int i, int rows, const long long* left_indptr, const int* left_indices, const long long* right_indptr) {
  long long mine = 0;
  if (i < rows)
    for (long long p = left_indptr[i] + threadIdx.x % TEAM; p < left_indptr[i + 1]; p += TEAM) {
      const long long length = right_indptr[left_indices[p] + 1] - right_indptr[left_indices[p]];
      mine += length > 0 ? length : 1;
    }
  for (int distance = TEAM / 2; distance; distance /= 2) mine += __shfl_xor_sync(team_lanes<TEAM>(), mine, distance);
  return mine;
}

// A block takes KIND_THREADS rows and reserves room on each list once. falling[k] = the products of the k-th row of the
// last list, negative.
template <int TEAM>
__global__ __launch_bounds__(KIND_THREADS) void row_kinds(
    int rows, const long long* left_indptr, const int* left_indices, const long long* right_indptr, int* lists,
    long long* falling, unsigned long long* counters) {
  __shared__ long long costs[KIND_THREADS];
  __shared__ int counts[KINDS];
  __shared__ unsigned long long begins[KINDS];
  const int base = blockIdx.x * KIND_THREADS, row = base + threadIdx.x;
  if (threadIdx.x < KINDS) counts[threadIdx.x] = 0;
  for (int round = 0; round < TEAM; ++round) {
    const int at = round * (KIND_THREADS / TEAM) + threadIdx.x / TEAM;
    const long long cost = products_of<TEAM>(base + at, rows, left_indptr, left_indices, right_indptr);
    if (threadIdx.x % TEAM == 0) costs[at] = cost;
  }
  __syncthreads();
  const long long cost = costs[threadIdx.x];
  int kind = 0;
  for (const int most : KIND_MOST) kind += cost > most;
  const int place = cost ? atomicAdd(counts + kind, 1) : 0;
  __syncthreads();
  if (threadIdx.x < KINDS)
    begins[threadIdx.x] = atomicAdd(counters + threadIdx.x, static_cast<unsigned long long>(counts[threadIdx.x]));
  __syncthreads();
  if (cost) lists[static_cast<long long>(kind) * rows + begins[kind] + place] = row;
  if (cost && kind == KINDS - 1) falling[begins[kind] + place] = -cost;
}
