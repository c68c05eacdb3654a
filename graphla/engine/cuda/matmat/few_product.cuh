// Few rows or columns at a time: M[i, k] ⊗ X[k, r] where X has few columns r, or X[r, k] ⊗ M[k, i] where it has few
// rows.
#pragma once

#include "headers/primitives.cuh"
#include "headers/views.cuh"

// Which of a vertex's values are entries: a bit of its word tells.
struct Words { static constexpr bool all = false; };

template <class S, class Side>
__device__ __forceinline__ typename S::C few_product(
    typename Side::template Matrix<S> a, typename Side::template Vector<S> x, int i, int k, int r) {
  if constexpr (is_same<Side, VectorFirst>) return S::mul(x, a, r, k, i);
  else return S::mul(a, x, i, k, r);
}
