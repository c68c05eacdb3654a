// Expansion and filtering, both with work proportional to what they read.
//
//   expand:  all heads of the frontier, side by side in an edge frontier, with their tails
//   filter:  the heads not seen yet, each once, become the next frontier; level[v] = d + 1
//
// A thread owns a vertex, then a head; a block finds its places by a prefix sum and one addition to a counter.
//
// compiled: expand_serial<Offset> with Offset = int | long long
// compiled: expand_fine<Offset> with Offset = int | long long
// compiled: filter<Parents> with Parents = LevelsOnly | WithParents
#pragma once

#include "../_common.cuh"
#include "../_device.py"  // BLOCK
#include "_block_scan.cuh"
#include "headers/primitives.cuh"

constexpr int CULL = 128;  // entries of a warp's hash table of duplicates

// Reserves `sum` places for the block.
__device__ __forceinline__ long long reserve(unsigned long long* tail, int sum) {
  __shared__ unsigned long long base;
  if (threadIdx.x == 0) base = atomicAdd(tail, static_cast<unsigned long long>(sum));
  __syncthreads();
  return static_cast<long long>(base);
}

// Serial gathering: each thread copies its row.
template <class Offset>
__global__ void expand_serial(const Offset* indptr, const int* indices, const int* frontier, int size, int* heads,
                              int* tails, unsigned long long* count) {
  __shared__ int x[BLOCK];
  const int u = thread_id() < size ? frontier[thread_id()] : -1;
  const Offset begin = u < 0 ? 0 : indptr[u];
  const int arcs = u < 0 ? 0 : static_cast<int>(indptr[u + 1] - begin);
  const int sum = blelloch_scan(x, arcs);
  const long long at = reserve(count, sum) + x[threadIdx.x];
  for (int k = 0; k < arcs; ++k) {
    heads[at + k] = indices[begin + k];
    tails[at + k] = u;
  }
}

// Fine-grained gathering: all threads of the block copy its rows, one arc per thread at a time.
template <class Offset>
__global__ void expand_fine(const Offset* indptr, const int* indices, const int* frontier, int size, int* heads,
                            int* tails, unsigned long long* count) {
  __shared__ int x[BLOCK], owner[BLOCK];
  __shared__ Offset begins[BLOCK];
  const int u = thread_id() < size ? frontier[thread_id()] : -1;
  begins[threadIdx.x] = u < 0 ? 0 : indptr[u];
  owner[threadIdx.x] = u;
  const int sum = blelloch_scan(x, u < 0 ? 0 : static_cast<int>(indptr[u + 1] - begins[threadIdx.x]));
  const long long at = reserve(count, sum);
  for (int k = threadIdx.x; k < sum; k += BLOCK) {
    int row = 0;  // the last row that begins at or before k
    for (int reach = BLOCK / 2; reach; reach /= 2)
      if (x[row + reach] <= k) row += reach;
    heads[at + k] = indices[begins[row] + k - x[row]];
    tails[at + k] = owner[row];
  }
}

// Whether another lane of the warp has the same v; of the lanes that share a place of the table one gets false.
__device__ __forceinline__ bool duplicate_in_warp(volatile int* table, int v) {
  const int place = v & (CULL - 1);
  if (v >= 0) table[place] = v;
  __syncwarp();
  const bool shared = v >= 0 && table[place] == v;
  __syncwarp();
  if (shared) table[place] = lane_index();
  __syncwarp();
  return shared && table[place] != lane_index();
}

template <class Parents>
__global__ void filter(const int* heads, const int* tails, long long arcs, unsigned* seen, int* levels, int* parents,
                       int depth, int* next, unsigned long long* next_size) {
  __shared__ int x[BLOCK], tables[BLOCK / 32][CULL];
  const long long k = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  int v = k < arcs ? heads[k] : -1;
  if (v >= 0 && bit_test_racing(seen, v)) v = -1;
  if (duplicate_in_warp(tables[threadIdx.x / 32], v)) v = -1;
  const bool found = v >= 0 && bit_set(seen, v);
  if (found) Tree<Parents>{levels, parents}.put(v, depth + 1, tails[k]);
  const int sum = blelloch_scan(x, found);
  const long long at = reserve(next_size, sum) + x[threadIdx.x];
  if (found) next[at] = v;
}
