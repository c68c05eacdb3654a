// At each place i of a path from the first on: along[i] = the weight of its arc, and over the arcs that leave it there,
// rests[i] = min of w(path[i], v) + d[v], heads[i] = the least v with it.
//
// An arc leaves to no vertex of the path before it and not to the next one, at the first place to none that is banned.
// d are the distances to the target. A block owns a row. The grid first writes where each vertex of the path is.
//
// compiled: leave_each<W, Offset> with W = double | long long; Offset = int | long long; hot
#pragma once

#include "_common.cuh"
#include "headers/primitives.cuh"

constexpr int NONE = 0x7fffffff;

template <class W, class Offset>
struct LeaveParameters {
  const Offset* indptr;
  const int* indices;
  const W* values;
  const W* far;
  const int* path;
  int size;
  int first;
  const int* banned;
  int bans;
  unsigned long long* places;  // of each vertex, above 32 bits of its place the question that put it there
  unsigned long long asked;
  W* along;
  W* rests;
  long long* heads;
  unsigned* barrier;
};

__device__ __forceinline__ bool is_listed(const int* list, int size, int v) {
  for (int i = 0; i < size; ++i)
    if (list[i] == v) return true;
  return false;
}

template <class W, class Offset>
__device__ void leave_one(const LeaveParameters<W, Offset>& p, int place) {
  using Key = typename Path<W>::Key;
  const Key* far = reinterpret_cast<const Key*>(p.far);
  const int u = p.path[place], next = p.path[place + 1];
  Key least = Path<W>::infinity;
  int head = NONE;
  for (Offset e : block_range(p.indptr[u], p.indptr[u + 1])) {
    const int v = p.indices[e];
    const Key rest = Path<W>::plus(far[v], p.values[e]);
    const unsigned long long put = load_fresh(p.places + v);
    if (v == next) p.along[place - p.first] = p.values[e];
    if (v == next || rest >= least || (put >> 32 == p.asked && static_cast<int>(put) <= place)) continue;
    if (place == p.first && is_listed(p.banned, p.bans, v)) continue;
    least = rest;
    head = v;
  }
  const Key best = block_reduce(least, Path<W>::infinity, Least());
  head = block_reduce(least == best ? head : NONE, NONE, Least());
  if (threadIdx.x != 0) return;
  reinterpret_cast<Key*>(p.rests)[place - p.first] = best;
  p.heads[place - p.first] = head == NONE ? -1 : head;
}

template <class W, class Offset>
__global__ void leave_each(LeaveParameters<W, Offset> p) {
  for (int i : grid_range(p.size)) p.places[p.path[i]] = p.asked << 32 | static_cast<unsigned>(i);
  grid_sync(p.barrier);
  for (int place = p.first + static_cast<int>(blockIdx.x); place < p.size - 1; place += gridDim.x) leave_one(p, place);
}
