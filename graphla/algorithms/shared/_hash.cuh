// A 32-bit hash with little bias, the same as `mix` in _order.py.
#pragma once

#include "random_order.py"  // HASH_FIRST, HASH_SECOND

__device__ __forceinline__ unsigned mix(unsigned x) {
  x = (x ^ x >> 16) * HASH_FIRST;
  x = (x ^ x >> 15) * static_cast<unsigned>(HASH_SECOND);
  return x ^ x >> 16;
}
