// The finest partition that neither of two divides: `parent` holds one as trees whose roots are smallest vertices, and
// `pieces` the other, by the smallest vertex of each. A thread owns a vertex.
//
// compiled: join_pieces; hot
// compiled: compress; hot
#pragma once

#include "../shared/_trees.cuh"

__global__ void join_pieces(int n, const int* pieces, int* parent) {
  for (const int v : grid_range(n))
    if (pieces[v] != v) join_trees(parent, find_root(parent, v), pieces[v]);
}
__global__ void compress(int n, int* parent) { compress_trees(parent, n); }
