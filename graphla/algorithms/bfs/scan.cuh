// Four kernels a level; a thread owns a vertex u of the frontier, and owner[v] settles who appends v.
//
//   next_layer:     level[v] = d + 1, owner[v] = u, for every arc u -> v with v unreached (the last writer stays)
//   count_owned:    count[i] = how many heads the i-th vertex of the frontier owns
//   scan_counts:    place[i] = sum of count[0 .. i) within a block of threads (Blelloch); total[block]
//   fill_queue:     the heads owned by i go to the places from start[block] + place[i] on
//
// compiled: next_layer<Offset> with Offset = int | long long
// compiled: count_owned<Offset> with Offset = int | long long
// compiled: scan_counts
// compiled: fill_queue<Offset> with Offset = int | long long
#pragma once

#include "_block_scan.cuh"

constexpr int SCAN_BLOCK = 256;

__device__ __forceinline__ int thread_id() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class Offset>
__global__ void next_layer(
    const Offset* pointers, const int* columns, int* levels, int* owner, const int* queue, int size, int depth) {
  if (thread_id() >= size) return;
  const int u = queue[thread_id()];
  for (Offset k = pointers[u]; k < pointers[u + 1]; ++k)
    if (levels[columns[k]] < 0 || levels[columns[k]] == depth + 1) {
      levels[columns[k]] = depth + 1;
      owner[columns[k]] = u;
    }
}

__device__ __forceinline__ bool owns(int u, int v, const int* levels, const int* owner, int depth) {
  return owner[v] == u && levels[v] == depth + 1;
}

template <class Offset>
__global__ void count_owned(const Offset* pointers, const int* columns, const int* levels, const int* owner,
                            const int* queue, int size, int depth, int* count) {
  if (thread_id() >= size) return;
  const int u = queue[thread_id()];
  int heads = 0;
  for (Offset k = pointers[u]; k < pointers[u + 1]; ++k) heads += owns(u, columns[k], levels, owner, depth);
  count[thread_id()] = heads;
}

__global__ void scan_counts(const int* count, int size, int* place, int* total) {
  __shared__ int x[SCAN_BLOCK];
  const int sum = blelloch_scan(x, thread_id() < size ? count[thread_id()] : 0);
  if (thread_id() < size) place[thread_id()] = x[threadIdx.x];
  if (threadIdx.x == 0) total[blockIdx.x] = sum;
}

template <class Offset>
__global__ void fill_queue(const Offset* pointers, const int* columns, const int* levels, const int* owner,
                           const int* queue, int size, int depth, const int* place, const int* start, int* next) {
  if (thread_id() >= size) return;
  const int u = queue[thread_id()];
  int slot = start[blockIdx.x] + place[thread_id()];
  for (Offset k = pointers[u]; k < pointers[u + 1]; ++k)
    if (owns(u, columns[k], levels, owner, depth)) next[slot++] = columns[k];
}
