// before[i] and after[i]: the places of the neighbours of order[i] on shortest paths, tails of arcs and heads of arcs,
// in rows of four that begin with MANY if there are more. A thread owns a vertex.
//
// compiled: link_rows<Offset, D, Length> with Offset = int | long long; D = int; Length = Hops; hot
// compiled: link_rows<int, D, Lengths> with D = int | long long | double
#pragma once

#include "_paths.cuh"

template <class Offset, class D>
struct LinkParameters {
  int reached;
  const Offset* out_indptr;
  const int* out_indices;
  const D* out_lengths;
  const Offset* in_indptr;
  const int* in_indices;
  const D* in_lengths;
  const D* distances;
  const int* order;
  const int* places;
  int* before;
  int* after;
};

// Write the places of the neighbours of v on shortest paths, -1 for none.
template <class Length, bool forward, class Offset, class D>
__device__ __forceinline__ void write_row(const Paths<Offset, D>& paths, int v, int* row) {
  int count = 0;
  store_pack(row, Pack<int, NEAR>{{-1, -1, -1, -1}});
  paths.template each<Length, 1, forward>(v, [&](int place, Offset) {
    if (count < NEAR) row[count] = place;
    ++count;
  });
  if (count > NEAR) row[0] = MANY;
}

template <class Offset, class D, class Length>
__global__ void link_rows(const __grid_constant__ LinkParameters<Offset, D> given) {
  const Paths<Offset, D> into{
      given.in_indptr, given.in_indices, given.in_lengths, given.distances, given.order, given.places};
  const Paths<Offset, D> out{
      given.out_indptr, given.out_indices, given.out_lengths, given.distances, given.order, given.places};
  for (const int i : grid_range(given.reached)) {
    write_row<Length, false>(into, given.order[i], given.before + static_cast<long long>(NEAR) * i);
    write_row<Length, true>(out, given.order[i], given.after + static_cast<long long>(NEAR) * i);
  }
}
