// A list of entries as a flag a place, and a value where it is flagged. All flags are down at first.
//
// compiled: spread<C, I> with C = unsigned char | int | long long | Wide; I = int | long long; hot
// compiled: raise_flags<I> with I = int | long long
#pragma once

#include "headers/primitives.cuh"
#include "headers/wide.cuh"

template <class C, class I>
__global__ void spread(const I* indices, const C* given, int count, bool* present, C* values) {
  for (const int p : grid_range(count)) {
    present[indices[p]] = true;
    values[indices[p]] = given[p];
  }
}

template <class I>
__global__ void raise_flags(const I* indices, int count, bool* present) {
  for (const int p : grid_range(count)) present[indices[p]] = true;
}
