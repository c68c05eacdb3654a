// bᵀ A⁻¹ b for b = e_source − e_sink by positions: a block takes a pair. It goes up from either end to the root,
//   f[B] −= Wᵀ f[S],    and adds up f[S]ᵀ F[S, S]⁻¹ f[S] over the supernodes above the ends,
// where f is that of the source less that of the sink. x has two rows of `width` for each block, in which position i
// stands at level[i]: the root's first, so that the rows of both ends agree above both. A sink of −1 is none; one of −2
// is in another part of the graph, and its pair gives infinity.
//
// compiled: measure_pairs
#pragma once

#include "../apsp/elimination/solves_cuda.cuh"
#include "currents_cuda.py"  // PAIR_THREADS

struct PairParameters {
  const int* sources;
  const int* sinks;
  int pairs;
  const int* first;
  const long long* indptr;
  const int* indices;
  const int* parent;
  const int* owner;
  const int* level;
  const int* length;
  const double* panels;
  const long long* offset;
  double* x;
  int width;
  double* out;
};

// Σₖ row[k] f[k] over the pivots of a supernode.
__device__ __forceinline__ double multiply(const PairParameters& p, const Node<double>& s, int row, const double* x) {
  double total = 0;
  for (int left = 0; left < s.w; left += SWEEP_COLUMNS) {
    const auto numbers = s.row(left, row);
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k)
      if (left + k < s.w) total += numbers[k] * x[p.level[s.first + left + k]];
  }
  return total;
}

__device__ __forceinline__ void climb(const PairParameters& p, int start, double* x) {
  for (const int i : block_range(0, p.length[p.owner[start]])) x[i] = 0;
  __syncthreads();
  if (threadIdx.x == 0) x[p.level[start]] = 1;
  for (int node = p.owner[start]; node >= 0; node = p.parent[node]) {
    const Node<double> s(p, node);
    __syncthreads();
    for (const int j : block_range(0, s.b)) x[p.level[p.indices[s.start + j]]] -= multiply(p, s, s.w + j, x);
  }
  __syncthreads();
}

// What a thread adds up of one supernode, f[S]ᵀ F[S, S]⁻¹ g[S].
__device__ __forceinline__ double add_node(const PairParameters& p, int node, const double* f) {
  const Node<double> s(p, node);
  double found = 0;
  for (const int j : block_range(0, s.w)) found += f[p.level[s.first + j]] * multiply(p, s, j, f);
  return found;
}

__global__ __launch_bounds__(PAIR_THREADS) void measure_pairs(PairParameters p) {
  double *x = p.x + 2ll * blockIdx.x * p.width, *y = x + p.width;
  for (int r = static_cast<int>(blockIdx.x); r < p.pairs; r += static_cast<int>(gridDim.x)) {
    const int u = p.sources[r], v = p.sinks[r];
    double found = 0;
    if (u != v && v >= -1) {
      climb(p, u, x);
      if (v >= 0) climb(p, v, y);
      int a = p.owner[u], b = v < 0 ? -1 : p.owner[v];
      for (; a != b && (a >= 0 || b >= 0);) {
        const bool of_sink = a < 0 || (b >= 0 && b < a);
        found += add_node(p, of_sink ? b : a, of_sink ? y : x);
        (of_sink ? b : a) = p.parent[of_sink ? b : a];
      }
      if (a >= 0) {
        __syncthreads();
        for (const int i : block_range(0, p.length[a])) x[i] -= y[i];
        __syncthreads();
      }
      for (; a >= 0; a = p.parent[a]) found += add_node(p, a, x);
    }
    found = block_reduce(found);
    if (threadIdx.x == 0) p.out[r] = v == -2 ? __longlong_as_double(0x7ff0000000000000ll) : found;
    __syncthreads();
  }
}
