// Numbers of edges, and what stands at their arcs. A thread owns an element.
//
// compiled: flag_upper; hot
// compiled: number_edges; hot
// compiled: spread_levels; hot
// compiled: take<T> with T = int | long long; hot
#pragma once

#include "headers/primitives.cuh"

// Which arcs lead to larger vertices, and which do not.
__global__ void flag_upper(const int* tails, const int* heads, long long many, bool* upper, bool* lower) {
  for (const long long k : grid_range(many)) {
    upper[k] = tails[k] < heads[k];
    lower[k] = !upper[k];
  }
}

// out[i] = held[places[i]]
template <class T>
__global__ void take(const int* places, const T* held, int many, int* out) {
  for (const int i : grid_range(many)) out[i] = static_cast<int>(held[places[i]]);
}

// ids[k] = the edge of arc k: edges stand in the order of the arcs to larger vertices, and in that of the others once
// these are sorted by their heads.
__global__ void number_edges(const int* ups, const int* downs, const long long* order, int edges, int* ids) {
  for (const int i : grid_range(edges)) {
    ids[ups[i]] = i;
    ids[downs[order[i]]] = i;
  }
}

// The number of each arc: its edge's support and two, or k and k - 1 for edges that stay and that have left.
__global__ void spread_levels(const int* ids, const int* support, const int* stamps, int k, long long many, int* out) {
  for (const long long a : grid_range(many)) {
    const int edge = ids[a];
    out[a] = k < 0 ? support[edge] + 2 : stamps[edge] == 0 ? k : k - 1;
  }
}
