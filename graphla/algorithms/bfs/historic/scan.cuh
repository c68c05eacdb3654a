// Four kernels per level; a thread owns a vertex u of the frontier, and owner[v] decides which of them appends v.
//
//   next_layer:     level[v] = d + 1, owner[v] = u, for every arc u -> v with v unreached (the last writer stays)
//   count_owned:    count[i] = how many heads the i-th vertex of the frontier owns
//   scan_counts:    place[i] = sum of count[0 .. i) within a block of threads (Blelloch); total[block]
//   fill_queue:     the heads that i owns go to the places from start[block] + place[i] on
//
// compiled: next_layer<Offset> with Offset = int | long long
// compiled: count_owned<Offset> with Offset = int | long long
// compiled: scan_counts
// compiled: fill_queue<Offset> with Offset = int | long long
#pragma once

#include "../_common.cuh"
#include "_block_scan.cuh"
#include "headers/primitives.cuh"
#include "scan.py"  // SCAN_BLOCK

template <class Offset>
__global__ void next_layer(
    const Offset* indptr, const int* indices, int* levels, int* owner, const int* queue, int size, int depth) {
  if (thread_id() >= size) return;
  const int u = queue[thread_id()];
  for (Offset k = indptr[u]; k < indptr[u + 1]; ++k)
    if (const int level = load_racing(&levels[indices[k]]); level < 0 || level == depth + 1) {
      store_racing(&levels[indices[k]], depth + 1);
      store_racing(&owner[indices[k]], u);  // one of those that reach it stays
    }
}

__device__ __forceinline__ bool owns(int u, int v, const int* levels, const int* owner, int depth) {
  return owner[v] == u && levels[v] == depth + 1;
}

template <class Offset>
__global__ void count_owned(const Offset* indptr, const int* indices, const int* levels, const int* owner,
                            const int* queue, int size, int depth, int* count) {
  if (thread_id() >= size) return;
  const int u = queue[thread_id()];
  int heads = 0;
  for (Offset k = indptr[u]; k < indptr[u + 1]; ++k) heads += owns(u, indices[k], levels, owner, depth);
  count[thread_id()] = heads;
}

__global__ void scan_counts(const int* count, int size, int* place, int* total) {
  __shared__ int x[SCAN_BLOCK];
  const int sum = blelloch_scan(x, thread_id() < size ? count[thread_id()] : 0);
  if (thread_id() < size) place[thread_id()] = x[threadIdx.x];
  if (threadIdx.x == 0) total[blockIdx.x] = sum;
}

template <class Offset>
__global__ void fill_queue(const Offset* indptr, const int* indices, const int* levels, const int* owner,
                           const int* queue, int size, int depth, const int* place, const int* begins, int* next) {
  if (thread_id() >= size) return;
  const int u = queue[thread_id()];
  int slot = begins[blockIdx.x] + place[thread_id()];
  for (Offset k = indptr[u]; k < indptr[u + 1]; ++k)
    if (owns(u, indices[k], levels, owner, depth)) next[slot++] = indices[k];
}
