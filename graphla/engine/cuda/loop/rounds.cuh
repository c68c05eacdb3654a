// The statements between two products of a round of a loop:
//
//   for each index i: x[i] = f(x[i], y[i], z[p[i]], …);  x[p[i]] ⊕= y[i];  s = ⊕ over i of y[i]
//
// They are those of `Round`, rendered from what the user wrote. A thread takes an index, in strides of the grid. Each
// block leaves its sums, and the one block of `round_finish` completes them, sets Scalars and decides whether another
// round follows.
//
// compiled: round_map<Round> with Round = rounds.ranks.0 | rounds.hooks.1 | rounds.hooks.2; hot
// compiled: round_finish<Round> with Round = rounds.ranks.finish | rounds.hooks.finish
#pragma once

#include "headers/primitives.cuh"
#include "headers/sum.cuh"
#include "rounds.py"  // GOES_ON, LIMIT, MISPLACED, MOST_BLOCKS, MOST_SLOTS, REPEATED, ROUND

using Wide = unsigned long long;

constexpr int CELLS_EACH = 16;  // cells whose flags are looked at together

struct RoundParameters {
  unsigned char* values[MOST_SLOTS];
  unsigned char* present[MOST_SLOTS];
  const Wide* constants;
  Wide* cells;
  Wide* partials;  // MOST_BLOCKS for each sum
  Wide* control;   // the round, whether another follows, the most rounds, and what positions were wrong
  int size;
  int blocks;  // of the map that left the partial sums
};

struct FullSlots {
  const RoundParameters& given;

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
  // Whether one of the CELLS_EACH flags from i on is set.
  __device__ __forceinline__ bool any_flag(int slot, int i) const {
    const auto held = load_pack<2>(reinterpret_cast<const Wide*>(given.present[slot] + i));
    return (held[0] | held[1]) != 0;
  }
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
  // A position occurs twice where it may not.
  __device__ __forceinline__ void note_repeated() const {
    store_racing(&given.control[REPEATED], static_cast<Wide>(1));
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
    const bool wrong = given.control[MISPLACED] || given.control[REPEATED];
    given.control[GOES_ON] = wanted && done < given.control[LIMIT] && !wrong;
  }
};

// The statements at groups of CELLS_EACH cells where a flag says that they can change something: a warp looks at 32
// groups, and takes two of those at a time.
template <class Round, class Sums>
__device__ __forceinline__ void map_active(const FullSlots& slots, int size, Sums& sums) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x * CELLS_EACH;
  const long long warp = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  for (long long base = warp * 32 * CELLS_EACH; base < size; base += step) {
    const long long mine = base + lane_index() * CELLS_EACH;
    const bool there = mine < size;
    unsigned votes =
        __ballot_sync(WHOLE_WARP, there && (size - mine < CELLS_EACH || Round::active(slots, static_cast<int>(mine))));
    while (votes) {
      const int first = __ffs(static_cast<int>(votes)) - 1;
      votes &= votes - 1;
      const int second = __ffs(static_cast<int>(votes)) - 1;
      votes &= votes - 1;
      const int group = lane_index() < CELLS_EACH ? first : second;
      const long long i = base + group * CELLS_EACH + lane_index() % CELLS_EACH;
      if (group >= 0 && i < size) Round::at(slots, static_cast<int>(i), sums);
    }
  }
}

template <class Round>
__global__ void round_map(const __grid_constant__ RoundParameters given) {
  const FullSlots slots{given};
  typename Round::template Sums<Sum> sums;
  if constexpr (Round::skips) map_active<Round>(slots, given.size, sums);
  else
    for (const int i : grid_range(given.size)) Round::at(slots, i, sums);
  sums.leave(slots);
}

template <class Round>
__global__ void round_finish(const __grid_constant__ RoundParameters given) {
  const FullSlots slots{given};
  typename Round::template Sums<Sum> sums;
  sums.complete(slots, given.blocks);
  if (threadIdx.x == 0) Round::finish(slots);
}
