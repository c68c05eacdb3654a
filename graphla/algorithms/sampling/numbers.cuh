// number of each key = the rank of where it first comes among all first places, after the keys that are known.
//
// A table with open addressing holds the keys. For each it has a number that only grows: of a known key the complement
// of its number, of a new one a lesser word, the greater the earlier it came. So the order of threads does not matter.
#pragma once

#include "headers/primitives.cuh"

#include "../shared/_random_words.cuh"

// The vertices of a kind that a sample has so far.
struct NumbersParameters {
  unsigned long long* keys;  // 0: free
  unsigned* numbers;
  unsigned long long mask;  // slots less 1, which is a power of two
  long long* vertices;
  long long* trees;
  int disjoint;
};

constexpr unsigned LAST = 0x7fffffffu;

// What a new key has in the table that first comes at a place.
__device__ __forceinline__ unsigned word_of_place(long long place) { return LAST - static_cast<unsigned>(place); }

__device__ __forceinline__ unsigned long long key_of(long long vertex, long long tree) {
  return 1 + static_cast<unsigned long long>(tree << 32 | vertex);
}

__device__ __forceinline__ unsigned long long find_slot(const NumbersParameters& far, unsigned long long key) {
  for (unsigned long long slot = mix(key) & far.mask;; slot = (slot + 1) & far.mask) {
    unsigned long long held = load_fresh(far.keys + slot);
    if (held == 0) held = atomicCAS(far.keys + slot, 0ull, key);
    if (held == 0 || held == key) return slot;
  }
}

// A vertex that is new in the table gets its number.
__device__ __forceinline__ void settle(const NumbersParameters& far, unsigned long long slot, long long number) {
  const unsigned long long key = far.keys[slot] - 1;
  far.vertices[number] = static_cast<long long>(key & 0xffffffff);
  if (far.disjoint) far.trees[number] = static_cast<long long>(key >> 32);
  far.numbers[slot] = ~static_cast<unsigned>(number);
}
