// Expansion and filtering, each of work in proportion to what it reads.
//
//   expand:  the heads of the frontier, all of them, side by side in an edge frontier (with their tails)
//   filter:  those not yet seen, each once, become the next frontier; level[v] = d + 1
//
// A thread owns a vertex, then a head; a block finds its places by a prefix sum and one addition to a counter.
//
// compiled: expand_serial<Offset> with Offset = int | long long
// compiled: expand_fine<Offset> with Offset = int | long long
// compiled: filter<Parents> with Parents = LevelsOnly | WithParents
#pragma once

#include "_block_scan.cuh"
#include "_common.cuh"
#include "headers/primitives.cuh"

constexpr int GATHER_BLOCK = 256;
constexpr int CULL = 128;  // entries of a warp's hash table of duplicates

__device__ __forceinline__ int thread_id() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Where the block may write `sum` numbers.
__device__ __forceinline__ long long reserve(unsigned long long* tail, int sum) {
  __shared__ unsigned long long base;
  if (threadIdx.x == 0) base = atomicAdd(tail, static_cast<unsigned long long>(sum));
  __syncthreads();
  return static_cast<long long>(base);
}

// Serial gathering: each thread copies its own row.
template <class Offset>
__global__ void expand_serial(const Offset* pointers, const int* columns, const int* frontier, int size, int* heads,
                              int* tails, unsigned long long* count) {
  __shared__ int x[GATHER_BLOCK];
  const int u = thread_id() < size ? frontier[thread_id()] : -1;
  const Offset begin = u < 0 ? 0 : pointers[u];
  const int arcs = u < 0 ? 0 : static_cast<int>(pointers[u + 1] - begin);
  const int sum = blelloch_scan(x, arcs);
  const long long at = reserve(count, sum) + x[threadIdx.x];
  for (int k = 0; k < arcs; ++k) {
    heads[at + k] = columns[begin + k];
    tails[at + k] = u;
  }
}

// Fine-grained gathering: the rows of the block are copied by all its threads, an arc each at a time.
template <class Offset>
__global__ void expand_fine(const Offset* pointers, const int* columns, const int* frontier, int size, int* heads,
                            int* tails, unsigned long long* count) {
  __shared__ int x[GATHER_BLOCK], owner[GATHER_BLOCK];
  __shared__ Offset begins[GATHER_BLOCK];
  const int u = thread_id() < size ? frontier[thread_id()] : -1;
  begins[threadIdx.x] = u < 0 ? 0 : pointers[u];
  owner[threadIdx.x] = u;
  const int sum = blelloch_scan(x, u < 0 ? 0 : static_cast<int>(pointers[u + 1] - begins[threadIdx.x]));
  const long long at = reserve(count, sum);
  for (int k = threadIdx.x; k < sum; k += GATHER_BLOCK) {
    int row = 0;  // the last row that begins at or before k
    for (int reach = GATHER_BLOCK / 2; reach; reach /= 2)
      if (x[row + reach] <= k) row += reach;
    heads[at + k] = columns[begins[row] + k - x[row]];
    tails[at + k] = owner[row];
  }
}

// Does another lane of the warp hold the same v? One of the lanes that share a place of the table stays.
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
  __shared__ int x[GATHER_BLOCK], tables[GATHER_BLOCK / 32][CULL];
  const long long k = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  int v = k < arcs ? heads[k] : -1;
  if (v >= 0 && bit_test(seen, v)) v = -1;
  if (duplicate_in_warp(tables[threadIdx.x / 32], v)) v = -1;
  const bool found = v >= 0 && bit_set(seen, v);
  if (found) Tree<Parents>{levels, parents}.put(v, depth + 1, tails[k]);
  const int sum = blelloch_scan(x, found);
  const long long at = reserve(next_size, sum) + x[threadIdx.x];
  if (found) next[at] = v;
}
