// Random numbers by counters, as in random_words.py, and the first place whose running sum exceeds one.
#pragma once

#include "headers/primitives.cuh"

#include "random_words.py"  // FIRST, GOLDEN, SECOND

__device__ __forceinline__ unsigned long long mix(unsigned long long x) {
  x += static_cast<unsigned long long>(GOLDEN);
  x = (x ^ x >> 30) * static_cast<unsigned long long>(FIRST);
  x = (x ^ x >> 27) * static_cast<unsigned long long>(SECOND);
  return x ^ x >> 31;
}

__device__ __forceinline__ unsigned long long draw(unsigned long long key, unsigned long long counter) {
  return mix(key ^ mix(counter));
}

// A random number as one below a size of at most 32 bits.
__device__ __forceinline__ long long scale_word(unsigned long long number, unsigned long long size) {
  return static_cast<long long>((number >> 32) * size >> 32);
}

// The upper 64 of the 128 bits of a product.
__device__ __forceinline__ unsigned long long multiply_high(unsigned long long a, unsigned long long b) {
  constexpr unsigned long long low = 0xffffffffull;
  const unsigned long long upper = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
  const unsigned long long lower = (a & low) * (b >> 32) + (upper & low);
  return (a >> 32) * (b >> 32) + (upper >> 32) + (lower >> 32);
}

template <class Offset>
__device__ __forceinline__ long long find_exceeding(
    const unsigned long long* sums, Offset begin, Offset end, unsigned long long x) {
  while (begin < end) {
    const Offset middle = begin + (end - begin) / 2;
    if (load_constant(sums + middle) <= x) begin = middle + 1;
    else end = middle;
  }
  return begin;
}
