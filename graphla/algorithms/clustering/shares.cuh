// Coefficients of vertices from the arcs between their neighbours. A thread owns a vertex.
//
// compiled: double_counts; hot
// compiled: count_pairs; hot
// compiled: find_shares; hot
#pragma once

#include "headers/primitives.cuh"

// Each triangle of an undirected graph has two arcs between the neighbours of a vertex.
__global__ void double_counts(const long long* triangles, int n, long long* closed) {
  for (const int v : grid_range(n)) closed[v] = 2 * triangles[v];
}

// The arcs that could join the neighbours of each vertex.
__global__ void count_pairs(const long long* degrees, int n, long long* possible) {
  for (const int v : grid_range(n)) possible[v] = degrees[v] * (degrees[v] - 1);
}

// The arcs that are there over those that could be; 0 where none could.
__global__ void find_shares(const long long* closed, const long long* possible, int n, double* shares) {
  for (const int v : grid_range(n))
    shares[v] = static_cast<double>(closed[v]) / static_cast<double>(possible[v] > 1 ? possible[v] : 1);
}
