// For each u of the frontier and each arc e in [first[u], last[u]): d[v] = min(d[v], d[u] + w(e)); a vertex whose
// distance falls waits. A warp owns a row.
//
// compiled: relax_part<W, Offset> with W = float | double | int | long long | unsigned | unsigned long long;
//   Offset = int | long long; hot
#pragma once

#include "_common.cuh"
#include "headers/primitives.cuh"

template <class W, class Offset>
__global__ void relax_part(const int* frontier, int count, const Offset* first, const Offset* last, const int* indices,
                           const W* values, W* distance, unsigned char* waiting, unsigned long long* relaxed) {
  using Key = typename Path<W>::Key;
  Key* d = reinterpret_cast<Key*>(distance);
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= count) return;
  const int u = frontier[row];
  const Key near = load_fresh(d + u);
  for (Offset e : lane_range(first[u], last[u])) {
    const int v = indices[e];
    const Key far = Path<W>::plus(near, values[e]);
    if (far < load_fresh(d + v) && far < atomicMin(d + v, far)) waiting[v] = 1;
  }
  if (lane_index() == 0) atomicAdd(relaxed, static_cast<unsigned long long>(last[u] - first[u]));
}
