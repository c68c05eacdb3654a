// scores[p] = the similarity of the vertices tails[p] and heads[p], by the sum of worth[z] over their neighbours z in
// common.
//
// A warp owns a pair. Its lanes take the entries of the shorter row, 32 apart, and search each in the longer one. The
// order in which the lanes are added is always the same, and so is the sum.
//
// compiled: add_up_pairs<Offset, M> with Offset = int | long long; M = AdamicAdar | Cosine | Jaccard | Sorensen; hot
// compiled: add_up_pairs<int, M> with M = CommonNeighbors | HubDepressed | Overlap | ResourceAllocation; hot
// compiled: add_up_pairs<int, PreferentialAttachment>; hot
// compiled: weigh_vertices<Offset, M> with Offset = int | long long; M = AdamicAdar | ResourceAllocation
#pragma once

#include "headers/primitives.cuh"

template <class Offset>
struct PairParameters {
  int count;
  const int* tails;
  const int* heads;
  const Offset* indptr;
  const int* indices;
  const double* worth;
  double* scores;
};

// Whether a sorted row has a column.
template <class Offset>
__device__ __forceinline__ bool has(const int* indices, Offset low, Offset high, int column) {
  while (low < high) {
    const Offset middle = low + (high - low) / 2;
    const int found = load_constant(indices + middle);
    if (found == column) return true;
    if (found < column) low = middle + 1;
    else high = middle;
  }
  return false;
}

// 0 where both are 0.
__device__ __forceinline__ double divide(double above, double below) { return below > 0 ? above / below : above; }

// The score of a pair from the sum c over its common neighbours and their numbers of neighbours d and e; and what a
// common neighbour of d neighbours counts, if not 1.
struct Counted { static constexpr bool WEIGHTED = false; };
struct CommonNeighbors : Counted {
  static __device__ __forceinline__ double score(double c, double, double) { return c; }
};
struct Cosine : Counted {
  static __device__ __forceinline__ double score(double c, double d, double e) { return divide(c, sqrt(d * e)); }
};
struct HubDepressed : Counted {
  static __device__ __forceinline__ double score(double c, double d, double e) { return divide(c, d < e ? e : d); }
};
struct Jaccard : Counted {
  static __device__ __forceinline__ double score(double c, double d, double e) { return divide(c, d + e - c); }
};
struct Overlap : Counted {
  static __device__ __forceinline__ double score(double c, double d, double e) { return divide(c, d < e ? d : e); }
};
struct PreferentialAttachment : Counted {
  static __device__ __forceinline__ double score(double, double d, double e) { return d * e; }
};
struct Sorensen : Counted {
  static __device__ __forceinline__ double score(double c, double d, double e) { return divide(2 * c, d + e); }
};
struct AdamicAdar : CommonNeighbors {
  static constexpr bool WEIGHTED = true;
  static __device__ __forceinline__ double weigh(double d) { return d > 1 ? 1 / log(d) : 0; }
};
struct ResourceAllocation : CommonNeighbors {
  static constexpr bool WEIGHTED = true;
  static __device__ __forceinline__ double weigh(double d) { return 1 / (d > 1 ? d : 1); }
};

template <class Offset>
__device__ __forceinline__ double count_neighbours(const Offset* indptr, int v) {
  return static_cast<double>(indptr[v + 1] - indptr[v]);
}

// worth[v] = what v counts as a common neighbour.
template <class Offset, class Measure>
__global__ void weigh_vertices(const Offset* indptr, int n, double* worth) {
  for (const int v : grid_range(n)) worth[v] = Measure::weigh(count_neighbours(indptr, v));
}

template <class Offset, class Measure>
__global__ void add_up_pairs(PairParameters<Offset> given) {
  const long long warps = static_cast<long long>(gridDim.x) * (blockDim.x / 32);
  const long long first = static_cast<long long>(blockIdx.x) * (blockDim.x / 32) + warp_index();
  for (long long p = first; p < given.count; p += warps) {
    int u = given.tails[p], v = given.heads[p];
    if (given.indptr[u + 1] - given.indptr[u] > given.indptr[v + 1] - given.indptr[v]) {
      const int longer = u;
      u = v;
      v = longer;
    }
    const Offset begin = given.indptr[v], end = given.indptr[v + 1];
    double total = 0;
    for (const Offset k : lane_range(given.indptr[u], given.indptr[u + 1])) {
      const int z = load_constant(given.indices + k);
      if (has(given.indices, begin, end, z)) total += Measure::WEIGHTED ? given.worth[z] : 1.0;
    }
    total = warp_reduce(total);
    if (lane_index() == 0) {
      const double d = count_neighbours(given.indptr, u), e = count_neighbours(given.indptr, v);
      given.scores[p] = Measure::score(total, d, e);
    }
  }
}
