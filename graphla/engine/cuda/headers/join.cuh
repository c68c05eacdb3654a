// *place = *place ⊕ x where other threads do the same, and where *place began as the identity of ⊕.
//
// Then a minimum or a maximum of floats never meets a NaN in memory, and no thread waits for the old value.
#pragma once

#include "primitives.cuh"

template <class S>
__device__ __forceinline__ void join(typename S::C* place, typename S::C x) {
  using C = typename S::C;
  if constexpr (is_float<C> && S::kind == Kind::min) atomic_least(place, x);
  else if constexpr (is_float<C> && S::kind == Kind::max) atomic_most(place, x);
  else atomic_add_of<S>(place, x);
}
