// A list of entries as a flag a place, and a value where it is flagged. All flags are down at first.
//
// compiled: spread<C> with C = float | bool | long long; hot
// compiled: raise_flags
#pragma once

#include "headers/primitives.cuh"

template <class C>
__global__ void spread(const int* indices, const C* given, int count, bool* present, C* values) {
  for (const int p : grid_range(count)) {
    present[indices[p]] = true;
    values[indices[p]] = given[p];
  }
}

__global__ void raise_flags(const int* indices, int count, bool* present) {
  for (const int p : grid_range(count)) present[indices[p]] = true;
}
