// Distances of pairs from a factor, by labels. The label of a source holds its distances to the vertices of its front
// and of all fronts above, the label of a target the distances from these: the root's first, so that what two labels
// have in common is where both begin. level[i] is the place of position i in every label that has it.
//
// compiled: make_labels<P, OWN> with P = NonNegativeFloat | NonNegativePairs | SmallInt | Double; OWN = true | false
// compiled: meet_labels<P> with P = NonNegativeFloat | NonNegativePairs | SmallInt | Double
#pragma once

#include "pairs_cuda.py"  // MEET_THREADS
#include "sweeps_cuda.cuh"

template <class P>
struct LabelParameters {
  UpParameters<P> up;
  const int* level;
};

// Target r, at position goal[r], belongs to source near[r], whose pair is number to[near[r]] of the result.
template <class P>
struct MeetParameters {
  const typename P::Value* x;
  const typename P::Value* y;
  long long width;
  const int* at;
  const int* goal;
  const int* near;
  const int* to;
  int pairs;
  const int* owner;
  const int* parent;
  const int* length;
  typename P::Value last;
  typename P::Value far;
  typename P::Value* out;
};

// A block makes the label of one vertex: with OWN from the panels up, which close its front too, else from those down.
template <class P, bool OWN>
__global__ __launch_bounds__(SWEEP_THREADS) void make_labels(LabelParameters<P> p) {
  climb_tree<P, OWN>(p.up, p.up.at[blockIdx.x], p.up.x + blockIdx.x * p.up.width, [&](int i) { return p.level[i]; });
}

// The lowest front that is above both, or −1.
__device__ __forceinline__ int join(int a, int b, const int* parent) {
  while (a != b && a >= 0 && b >= 0) (a < b ? a : b) = parent[a < b ? a : b];
  return a == b ? a : -1;
}

// A warp takes a pair: the least sum over what its labels have in common.
template <class P>
__global__ __launch_bounds__(MEET_THREADS) void meet_labels(MeetParameters<P> p) {
  using V = typename P::Value;
  const int warps = static_cast<int>(gridDim.x) * MEET_THREADS / 32;
  for (int r = static_cast<int>(blockIdx.x) * MEET_THREADS / 32 + warp_index(); r < p.pairs; r += warps) {
    const int source = p.near[r], top = join(p.owner[p.at[source]], p.owner[p.goal[r]], p.parent);
    const V *x = p.x + source * p.width, *y = p.y + r * p.width;
    V best = static_cast<V>(P::nothing());
    for (int j = lane_index(); j < (top < 0 ? 0 : p.length[top]); j += 32) best = P::plus(best, P::sum(x[j], y[j]));
    best = warp_reduce(best, [](V one, V other) { return P::plus(one, other); });
    if (lane_index() == 0) p.out[p.to[source]] = best > p.last ? p.far : best;
  }
}
