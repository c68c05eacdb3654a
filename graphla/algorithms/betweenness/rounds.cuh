// The vertices in rounds: the source, then in each round those all of whose arcs on shortest paths come from earlier
// ones. order[] lists them, sizes[r] counts those of round r.
//
// A group of lanes owns a vertex and its arcs that leave it; who takes the last arc that a head waits for appends it.
// Block 0 alone runs through rounds of few vertices, and all blocks share a round of many.
//
// compiled: count_arcs<Offset, D, Lanes> with Offset = int | long long; D = int | long long | double;
//   Lanes = Thread | Warp; hot
// compiled: order_rounds<Offset, D, Lanes> with Offset = int | long long;
//   D = int | unsigned | long long | unsigned long long | double; Lanes = Thread | Warp; hot
#pragma once

#include "_counts.cuh"
#include "headers/primitives.cuh"

template <class Offset, class D>
struct RoundsParameters {
  int n;
  int source;
  const Offset* indptr;
  const int* indices;
  const D* lengths;
  const D* distances;
  int* waiting;
  int* order;
  int* sizes;
  int* state;
  int few;
  unsigned* barrier;
};

// Calls visit(u) for the neighbours of v on shortest paths, shared among the lanes of its group.
template <class Lanes, bool forward, class Offset, class D, class Visit>
__device__ __forceinline__ void each_neighbour(const RoundsParameters<Offset, D>& given, int v, Visit visit) {
  const Offset last = given.indptr[v + 1];
  for (Offset arc = given.indptr[v] + (Lanes::lanes == 1 ? 0 : lane_index()); arc < last; arc += Lanes::lanes) {
    const int u = given.indices[arc];
    if (Lengths::join(given.distances, given.lengths, forward ? v : u, forward ? u : v, arc)) visit(u);
  }
}

// waiting[v] = the arcs on shortest paths that enter v; `indptr` and `indices` are those of entering arcs.
template <class Offset, class D, class Lanes>
__global__ void count_arcs(const __grid_constant__ RoundsParameters<Offset, D> given) {
  const int groups = gridDim.x * blockDim.x / Lanes::lanes;
  for (int v = (blockIdx.x * blockDim.x + threadIdx.x) / Lanes::lanes; v < given.n; v += groups) {
    int count = 0;
    each_neighbour<Lanes, false>(given, v, [&](int) { ++count; });
    if constexpr (Lanes::lanes != 1) count = warp_reduce(count);
    if (Lanes::lanes == 1 || lane_index() == 0) given.waiting[v] = count;
  }
}

// Takes the arcs that leave order[first .. last); the heads that wait no longer are appended at `tail`, and counted.
template <class Lanes, class Offset, class D>
__device__ __forceinline__ void take_arcs(
    const RoundsParameters<Offset, D>& given, int first, int last, int thread, int threads, int* size) {
  for (int i = first + thread / Lanes::lanes; i < last; i += threads / Lanes::lanes)
    each_neighbour<Lanes, true>(given, given.order[i], [&](int u) {
      if (atomicSub(given.waiting + u, 1) == 1) given.order[last + atomicAdd(size, 1)] = u;
    });
}

// Rounds from `round` on, of order[first .. last), until one is of many vertices or of none.
template <class Lanes, class Offset, class D>
__device__ void run_alone(const RoundsParameters<Offset, D>& given, int& first, int& last, int& round) {
  __shared__ int sizes[2];
  if (threadIdx.x < 2) sizes[threadIdx.x] = 0;
  __syncthreads();
  while (first < last && last - first <= given.few) {
    int* const size = sizes + (round & 1);
    take_arcs<Lanes>(given, first, last, threadIdx.x, blockDim.x, size);
    __syncthreads();
    const int found = *size;
    if (threadIdx.x == 0) {
      sizes[~round & 1] = 0;
      given.sizes[round + 1] = found;
    }
    first = last;
    last += found;
    ++round;
    __syncthreads();
  }
}

// The source is the first round. `state` carries first, last and round from block 0 to the others.
template <class Offset, class D, class Lanes>
__global__ void __launch_bounds__(1024, 1) order_rounds(const __grid_constant__ RoundsParameters<Offset, D> given) {
  int first = 0, last = 1, round = 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    given.order[0] = given.source;
    given.sizes[0] = 1;
  }
  __syncthreads();
  while (first < last) {
    if (last - first <= given.few) {
      if (blockIdx.x == 0) {
        run_alone<Lanes>(given, first, last, round);
        if (threadIdx.x == 0) {
          given.state[0] = first;
          given.state[1] = last;
          given.state[2] = round;
        }
      }
      grid_sync(given.barrier);
      first = load_fresh(given.state);
      last = load_fresh(given.state + 1);
      round = load_fresh(given.state + 2);
    } else {
      take_arcs<Lanes>(
          given, first, last, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x, given.sizes + round + 1);
      grid_sync(given.barrier);
      first = last;
      last += load_fresh(given.sizes + ++round);
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) given.state[2] = round;
}
