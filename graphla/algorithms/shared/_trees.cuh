// Trees of parents: a vertex points to a smaller one, a root to itself. Roots are joined by a compare-and-swap; all
// other loads and stores race on purpose, for an old pointer leads to a vertex of the same tree, too.
#pragma once

#include "headers/primitives.cuh"

// The root above v; on the way each vertex is pointed to its grandparent.
__device__ __forceinline__ int find_root(int* parent, int v) {
  int at = load_racing(parent + v), below = v;
  if (at == v) return v;
  for (int above; (above = load_racing(parent + at)) < at; at = above) {
    store_racing(parent + below, above);
    below = at;
  }
  return at;
}

// Joins the trees of a root, or of a vertex that was one, and of v: the larger root gets the smaller for its parent.
// Returns a vertex of the joined tree, its root if no other thread joins it further meanwhile.
__device__ __forceinline__ int join_trees(int* parent, int root, int v) {
  int a = root, b = find_root(parent, v);
  while (a != b) {
    const int high = a > b ? a : b, low = a > b ? b : a;
    const int above = atomicCAS(parent + high, high, low);
    if (above == high) return low;
    a = above;
    b = low;
  }
  return a;
}

// All threads of the grid: every vertex points to its root.
__device__ __forceinline__ void compress_trees(int* parent, int n) {
  for (const int v : grid_range(n)) {
    const int first = load_racing(parent + v);
    int root = first;
    for (int above; (above = load_racing(parent + root)) != root;) root = above;
    if (root != first) store_racing(parent + v, root);
  }
}
