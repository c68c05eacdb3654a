// The statements between two products of a round over full vectors:
//
//   for each index i: x[i] = f(x[i], y[i], z[p[i]], …);  x[p[i]] ⊕= y[i];  s = ⊕ over i of y[i]
//
// They are those of `Round`, rendered from what the user wrote. A thread takes an index, in strides of the grid. Each
// block leaves its sums, and the one block of `full_finish` completes them, sets Scalars and decides whether another
// round follows.
//
// compiled: full_map<Round> with Round = full.ranks.0 | full.hooks.1 | full.hooks.2; hot
// compiled: full_finish<Round> with Round = full.ranks.finish | full.hooks.finish
#pragma once

#include "full.py"  // GOES_ON, LIMIT, MISPLACED, MOST_BLOCKS, MOST_SLOTS, ROUND
#include "headers/primitives.cuh"
#include "headers/sum.cuh"

using Wide = unsigned long long;

struct FullParameters {
  unsigned char* values[MOST_SLOTS];
  unsigned char* present[MOST_SLOTS];
  const Wide* constants;
  Wide* cells;
  Wide* partials;  // MOST_BLOCKS for each sum
  Wide* control;   // the round, whether another follows, whether a position was out of range, and the most rounds
  int size;
  int blocks;  // of the map that left the partial sums
};

struct FullSlots {
  const FullParameters& given;

  template <class T>
  __device__ __forceinline__ T* at(int slot) const {
    return reinterpret_cast<T*>(given.values[slot]);
  }
  // A value that belongs to no entry may be any byte, and a truth has to be one of two.
  template <class T>
  __device__ __forceinline__ T value(int slot, int i) const {
    if constexpr (is_same<T, bool>) return given.values[slot][i] != 0;
    else return at<T>(slot)[i];
  }
  __device__ __forceinline__ bool has(int slot, int i) const { return given.present[slot][i] != 0; }
  __device__ __forceinline__ void set_flag(int slot, int i, bool present) const { given.present[slot][i] = present; }
  template <class T>
  __device__ __forceinline__ T constant(int k) const {
    return same_bits<T>(static_cast<Word<T>>(given.constants[k]));
  }
  template <class T>
  __device__ __forceinline__ T cell(int k) const {
    return same_bits<T>(static_cast<Word<T>>(given.cells[k]));
  }
  template <class T>
  __device__ __forceinline__ void set_cell(int k, T value) const {
    given.cells[k] = static_cast<Wide>(same_bits<Word<T>>(value));
  }
  template <class T>
  __device__ __forceinline__ T* partial(int sum) const {
    return reinterpret_cast<T*>(given.partials + static_cast<long long>(sum) * MOST_BLOCKS);
  }
  __device__ __forceinline__ long long round() const { return static_cast<long long>(given.control[ROUND]); }

  // A position counted from the beginning; a wrong one is noted, and the first stands for it.
  template <class T>
  __device__ __forceinline__ int place(T wanted, int size) const {
    const long long given = static_cast<long long>(wanted);
    const long long p = wanted < static_cast<T>(0) ? given + size : given;
    if (p >= 0 && p < size) return static_cast<int>(p);
    store_racing(&this->given.control[MISPLACED], static_cast<Wide>(1));
    return 0;
  }
  // What changes nothing now changes nothing later either, as ⊕ is commutative: many values come to one place, and few
  // of them need an atomic.
  template <class S>
  __device__ __forceinline__ void join(int slot, int place, typename S::C value) const {
    typename S::C* const here = at<typename S::C>(slot) + place;
    const typename S::C now = load_racing(here);
    if (S::add(now, value) != now) atomic_add_of<S>(here, value);
  }
  // The end of a round, or what is asked before the first one.
  __device__ __forceinline__ void decide(bool wanted, int completed) const {
    const Wide done = given.control[ROUND] + completed;
    given.control[ROUND] = done;
    given.control[GOES_ON] = wanted && done < given.control[LIMIT] && !given.control[MISPLACED];
  }
};

template <class Round>
__global__ void full_map(const __grid_constant__ FullParameters given) {
  const FullSlots slots{given};
  typename Round::template Sums<Sum> sums;
  for (const int i : grid_range(given.size)) Round::at(slots, i, sums);
  sums.leave(slots);
}

template <class Round>
__global__ void full_finish(const __grid_constant__ FullParameters given) {
  const FullSlots slots{given};
  typename Round::template Sums<Sum> sums;
  sums.complete(slots, given.blocks);
  if (threadIdx.x == 0) Round::finish(slots);
}
