// The largest scores of each row, and of equal ones those of the first places.
//
// A block owns a part of a row, and reads each score once: what comes before the last of the best so far is put into
// shared memory, which is sorted and cut to the best when it is nearly full. Of n scores in any order the k best so far
// change some k log(n / k) times. A second launch, with a block for a row, takes the best of those of all parts. More
// than MOST_KEPT are found in several rounds: each has those that come after what is found. O(n) reads a round.
//
// compiled: keep_largest<T, MERGED> with T = float | double; MERGED = false | true; hot
#pragma once

#include "headers/primitives.cuh"
#include "largest_cuda.py"  // LARGEST_THREADS, MOST_KEPT

constexpr int EACH = 4;  // scores that a thread reads at once
constexpr int ROOM = 2 * EACH * LARGEST_THREADS;
constexpr int NEARLY_FULL = ROOM - EACH * LARGEST_THREADS;
constexpr int NO_PLACE = 0x7fffffff;
static_assert(MOST_KEPT <= NEARLY_FULL, "what stays leaves room for what a block reads at once");

template <class T>
struct LargestParameters {
  const T* scores;
  const long long* askers;  // a place of each row whose score counts as -infinity
  bool asked;               // whether there are any
  long long places;
  int rows;
  int parts;        // of a row
  int wanted;       // how many to find now
  int done;         // how many are found
  long long count;  // how many of a row are found in the end
  int* candidates;  // of each part, as many as are wanted; -1 where there are no more
  long long* found_places;
  T* found_scores;
};

// A score as a word whose order is that of the score, with its place. -0 is 0; NaN, where a sum has overflown, is last.
template <class T>
struct Scored {
  Word<T> key;
  int place;
  __device__ __forceinline__ bool comes_before(Scored other) const {
    return key > other.key || (key == other.key && place < other.place);
  }
};

template <class T>
__device__ __forceinline__ T least_score() {
  if constexpr (sizeof(T) == 4) return same_bits<T>(0xff800000u);
  else return same_bits<T>(0xfff0000000000000ull);
}

template <class T>
__device__ __forceinline__ Scored<T> order_score(T score, int place) {
  constexpr Word<T> sign = static_cast<Word<T>>(1) << (8 * sizeof(T) - 1);
  const Word<T> bits = same_bits<Word<T>>(score + static_cast<T>(0));
  return {score == score ? bits & sign ? ~bits : bits | sign : 0, place};
}

template <class T>
__device__ __forceinline__ T read_score(const LargestParameters<T>& given, int row, int place) {
  return given.asked && place == given.askers[row] ? least_score<T>() : given.scores[row * given.places + place];
}

// The best so far and what may be among them, in shared memory.
template <class T>
struct Best {
  Word<T> keys[ROOM];
  int places[ROOM];
  int count;
};

// Whether the best are nearly full then.
template <class T>
__device__ __forceinline__ bool put(Best<T>& best, Scored<T> mine) {
  const int slot = atomicAdd(&best.count, 1);
  best.keys[slot] = mine.key;
  best.places[slot] = mine.place;
  return slot >= NEARLY_FULL;
}

// Brings two of the best into their order, or into its reverse.
template <class T>
__device__ __forceinline__ void order_two(Best<T>& best, int first, int second, bool falling) {
  const Scored<T> one{best.keys[first], best.places[first]}, other{best.keys[second], best.places[second]};
  if (falling ? !other.comes_before(one) : !one.comes_before(other)) return;
  best.keys[first] = other.key;
  best.keys[second] = one.key;
  best.places[first] = other.place;
  best.places[second] = one.place;
}

// Sorts the best (bitonic: K. Batcher, 1968), and cuts them to the wanted; returns what each further one comes before.
template <class T>
__device__ __forceinline__ Scored<T> sort_and_cut(Best<T>& best, int wanted) {
  const int count = best.count;
  int size = 2;
  while (size < count) size *= 2;
  for (const int i : block_range(count, size)) {
    best.keys[i] = 0;
    best.places[i] = NO_PLACE;
  }
  __syncthreads();
  for (int run = 2; run <= size; run *= 2) {
    for (int step = run / 2; step > 0; step /= 2) {
      for (const int i : block_range(0, size / 2)) {
        const int first = 2 * i - (i & (step - 1));
        order_two(best, first, first + step, (first & run) == 0);
      }
      __syncthreads();
    }
  }
  const int kept = count < wanted ? count : wanted;
  if (threadIdx.x == 0) best.count = kept;
  __syncthreads();
  if (kept < wanted) return {0, NO_PLACE};
  return {best.keys[wanted - 1], best.places[wanted - 1]};
}

// The best of the scores of some places, or of some candidates, that come after one; sorted.
template <class T, bool MERGED>
__device__ __forceinline__ void choose(
    const LargestParameters<T>& given, int row, long long first, long long last, Scored<T> after, Best<T>& best) {
  const int* candidates = given.candidates + (MERGED ? static_cast<long long>(row) * given.parts * given.wanted : 0);
  Scored<T> least{0, NO_PLACE};
  for (long long base = first; base < last; base += EACH * LARGEST_THREADS) {
    int places[EACH];
    T scores[EACH];
#pragma unroll
    for (int e = 0; e < EACH; ++e) {
      const long long i = base + e * LARGEST_THREADS + threadIdx.x;
      places[e] = i >= last ? -1 : MERGED ? candidates[i] : static_cast<int>(i);
      scores[e] = places[e] < 0 ? T{} : read_score(given, row, places[e]);
    }
    bool full = false;
#pragma unroll
    for (int e = 0; e < EACH; ++e) {
      const Scored<T> mine = order_score(scores[e], places[e]);
      if (places[e] >= 0 && after.comes_before(mine) && mine.comes_before(least)) full |= put(best, mine);
    }
    if (__syncthreads_or(full)) least = sort_and_cut(best, given.wanted);
  }
  sort_and_cut(best, given.wanted);
}

template <class T, bool MERGED>
__global__ __launch_bounds__(LARGEST_THREADS) void keep_largest(const __grid_constant__ LargestParameters<T> given) {
  __shared__ Best<T> best;
  const int parts = MERGED ? 1 : given.parts;
  const long long length = MERGED ? static_cast<long long>(given.parts) * given.wanted : given.places;
  const long long tasks = static_cast<long long>(given.rows) * parts;
  for (long long task = blockIdx.x; task < tasks; task += gridDim.x) {
    const int row = static_cast<int>(task / parts), part = static_cast<int>(task - static_cast<long long>(row) * parts);
    const long long to = row * given.count + given.done;
    Scored<T> after{~static_cast<Word<T>>(0), -1};
    if (given.done) {
      const int last = static_cast<int>(given.found_places[to - 1]);
      after = order_score(read_score(given, row, last), last);
    }
    if (threadIdx.x == 0) best.count = 0;
    __syncthreads();
    choose<T, MERGED>(given, row, length * part / parts, length * (part + 1) / parts, after, best);
    for (const int i : block_range(0, given.wanted)) {
      const int place = i < best.count ? best.places[i] : -1;
      if constexpr (MERGED) {
        given.found_places[to + i] = place;
        given.found_scores[to + i] = read_score(given, row, place);
      } else {
        given.candidates[task * given.wanted + i] = place;
      }
    }
    __syncthreads();
  }
}
