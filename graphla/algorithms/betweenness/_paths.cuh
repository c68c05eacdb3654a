// The arcs on shortest paths, and the places of vertices in an order in which they lead from one level to a later one.
#pragma once

#include "_brandes_cuda.py"  // NEAR
#include "_counts.cuh"
#include "headers/primitives.cuh"

constexpr int MANY = -2;  // the first of a row of NEAR places that would be more

// The graph, distances by vertex, and the order: `places[order[i]]` is i.
template <class Offset, class D>
struct Paths {
  const Offset* indptr;
  const int* indices;
  const D* lengths;
  const D* distances;
  const int* order;
  const int* places;

  // Calls visit(place, arc) for the neighbours of v on shortest paths, shared among the lanes of a group.
  template <class Length, int lanes, bool forward, class Visit>
  __device__ __forceinline__ void each(int v, Visit visit) const {
    const Offset last = indptr[v + 1];
    for (Offset arc = indptr[v] + (lanes == 1 ? 0 : lane_index()); arc < last; arc += lanes) {
      const int u = indices[arc];
      if (Length::join(distances, lengths, forward ? v : u, forward ? u : v, arc)) visit(places[u], arc);
    }
  }
};
