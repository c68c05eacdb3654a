// One element of a matrix: whether it is an entry, and its value.
//
// A warp narrows the row 32-fold a step. out[0] tells whether the entry was found; its value begins at out[2].
//
// compiled: find_element<V, Offset> with V = float | bool | double | Complex<double>; Offset = int | long long
#pragma once

#include "headers/primitives.cuh"

template <class V, class Offset>
struct FindElementParameters {
  const Offset* indptr;
  const int* indices;
  const V* values;
  unsigned long long* out;
  int row;
  int column;
};

template <class V, class Offset>
__global__ void find_element(FindElementParameters<V, Offset> given) {
  Offset low = given.indptr[given.row], high = given.indptr[given.row + 1];
  bool found = low < high;
  while (found && high - low > 1) {
    const Offset stride = (high - low + 31) / 32, place = low + lane_index() * stride;
    const unsigned below = __ballot_sync(WHOLE_WARP, place < high && given.indices[place] <= given.column);
    found = below != 0;
    low += (found ? __popc(below) - 1 : 0) * stride;
    high = high - low < stride ? high : low + stride;
  }
  if (lane_index() != 0) return;
  found = found && given.indices[low] == given.column;
  given.out[0] = found;
  if (found) *reinterpret_cast<V*>(given.out + 2) = given.values[low];
}
