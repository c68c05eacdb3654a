// after[u] = the least v with d[u] = w(u, v) + d[v] that is nearer, or on a level where none is, one that leads on.
//
// d are the distances to a target. A warp owns a row, whose heads rise. Round 0 points to what is nearer; each later
// round points along arcs of weight 0 to vertices that have pointed before it, so that no ways run in a circle.
//
// Distances may have been found in a narrower type, whose infinity becomes that of W.
//
// compiled: point_onward<W, Offset> with W = double | long long; Offset = int | long long; hot
// compiled: widen<Narrow, W> with Narrow = int; W = long long; hot
#pragma once

#include "_common.cuh"
#include "headers/primitives.cuh"

constexpr int NOT_YET = 0x7fffffff;

template <class W, class Offset>
struct OnwardParameters {
  const Offset* indptr;
  const int* indices;
  const W* values;
  const W* far;
  int* after;
  int* rounds;  // in which each vertex has pointed
  int* left;    // how many wait after this round
  int n;
  int target;
  int round;
};

template <class W, class Offset>
__device__ int find_onward(const OnwardParameters<W, Offset>& p, int u) {
  using Key = typename Path<W>::Key;
  const Key* far = reinterpret_cast<const Key*>(p.far);
  const Key here = far[u];
  const Offset end = p.indptr[u + 1];
  for (Offset begin = p.indptr[u]; begin < end; begin += 32) {
    const Offset e = begin + lane_index();
    bool leads = false;
    if (e < end) {
      const int v = p.indices[e];
      leads = Path<W>::plus(far[v], p.values[e]) == here &&
              (far[v] < here || (p.round > 0 && load_racing(p.rounds + v) < p.round));
    }
    const unsigned votes = __ballot_sync(WHOLE_WARP, leads);
    if (votes) return p.indices[begin + __ffs(static_cast<int>(votes)) - 1];
  }
  return -1;
}

template <class W, class Offset>
__global__ void point_onward(OnwardParameters<W, Offset> p) {
  const auto* far = reinterpret_cast<const typename Path<W>::Key*>(p.far);
  const int warps = gridDim.x * (blockDim.x / 32);
  for (int u = blockIdx.x * (blockDim.x / 32) + warp_index(); u < p.n; u += warps) {
    if (p.round > 0 && load_racing(p.rounds + u) != NOT_YET) continue;
    const bool asks = u != p.target && far[u] != Path<W>::infinity;
    const int v = asks ? find_onward(p, u) : -1;
    if (lane_index() != 0) continue;
    const bool waits = asks && v < 0;
    p.after[u] = u == p.target ? u : v;
    if (p.round == 0 || !waits) store_racing(p.rounds + u, waits ? NOT_YET : p.round);
    if (waits) atomicAdd(p.left, 1);
  }
}

template <class Narrow, class W>
__global__ void widen(const Narrow* given, W* far, int n) {
  for (int v : grid_range(n)) {
    const typename Path<Narrow>::Key d = given[v];
    reinterpret_cast<typename Path<W>::Key*>(far)[v] = d == Path<Narrow>::infinity ? Path<W>::infinity : d;
  }
}
