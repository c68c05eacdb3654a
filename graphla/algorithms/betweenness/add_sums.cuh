// total[order[i]] += dependency[i]; or, if edges are wanted, edges[arc] += paths(tail) * share(head) of the arcs on
// shortest paths. A thread owns a vertex, and a warp the arcs of one.
//
// compiled: add_sums<Offset, D, Length, T> with Offset = int | long long; D = int | long long | double;
//   Length = Hops | Lengths; T = float | double
#pragma once

#include "_paths.cuh"

template <class Offset, class D, class T>
struct AddParameters {
  int reached;
  const Offset* out_indptr;
  const int* out_indices;
  const D* out_lengths;
  const D* distances;
  const int* order;
  const int* places;
  const Count<T>* paths;
  const Count<T>* shares;
  const T* dependency;
  double extra;
  double* total;
  double* edges;
  bool wanted;
};

template <class Offset, class D, class Length, class T>
__global__ void add_sums(const __grid_constant__ AddParameters<Offset, D, T> given) {
  const Paths<Offset, D> out{
      given.out_indptr, given.out_indices, given.out_lengths, given.distances, given.order, given.places};
  if (!given.wanted) {
    for (const int i : grid_range(given.reached))
      given.total[given.order[i]] += i ? given.dependency[i] + given.extra : given.extra * (given.reached - 1);
    return;
  }
  const int warps = gridDim.x * blockDim.x / 32;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < given.reached; i += warps)
    out.template each<Length, 32, true>(given.order[i], [&](int place, Offset arc) {
      const Count<T> own = given.paths[i], share = given.shares[place];
      given.edges[arc] += own.part * weigh<T>(share.power - own.power) * share.part;
    });
}
