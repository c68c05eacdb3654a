// walks[step + 1][i] = a random head of the arcs that leave walks[step][i]; -1 after a vertex without any.
//
// A thread owns a walk. Its random numbers are hashes of its key and of a counter: the step, and the draw. Without
// weights the arc is the number's share of the row; with weights it is the first one whose running sum exceeds the
// number's share of the last. With p and q a draw is taken by the threshold of its kind, or drawn again.
//
// compiled: walk<Offset, WEIGHTED, BIASED> with Offset = int | long long; WEIGHTED = true | false;
//   BIASED = true | false; hot
#pragma once

#include "headers/primitives.cuh"

#include "../shared/_random_words.cuh"

template <class Offset>
struct WalkParameters {
  int count;
  int length;
  const Offset* indptr;
  const int* indices;
  const unsigned long long* sums;
  unsigned long long seed;  // its hash
  const unsigned long long* numbers;
  const int* starts;
  const unsigned long long* thresholds;
  int* walks;
};

template <class Offset, bool WEIGHTED, bool BIASED>
struct Walker {
  WalkParameters<Offset> given;
  unsigned long long key;

  // The place of an arc of a row; -1 if all weigh nothing.
  __device__ __forceinline__ long long choose(unsigned long long number, Offset begin, Offset end) const {
    if constexpr (!WEIGHTED) {
      return begin + scale_word(number, static_cast<unsigned long long>(end - begin));
    } else {
      const unsigned long long total = load_constant(given.sums + end - 1);
      return total == 0 ? -1 : find_exceeding(given.sums, begin, end, multiply_high(number, total));
    }
  }
  // 0 for the last vertex itself, 1 for a head of its arcs, 2 for any other.
  __device__ __forceinline__ int find_kind(int before, int v) const {
    if (v == before) return 0;
    Offset low = given.indptr[before], high = given.indptr[before + 1];
    while (low < high) {
      const Offset middle = low + (high - low) / 2;
      const int found = load_constant(given.indices + middle);
      if (found == v) return 1;
      if (found < v) low = middle + 1;
      else high = middle;
    }
    return 2;
  }
  // The next vertex, -1 at the end of the walk.
  __device__ __forceinline__ int step(int v, int before, int number) const {
    const Offset begin = given.indptr[v], end = given.indptr[v + 1];
    if (begin == end) return -1;
    for (unsigned long long counter = static_cast<unsigned long long>(number) << 32;; counter += 2) {
      const long long place = choose(draw(key, counter), begin, end);
      if (place < 0) return -1;
      const int head = load_constant(given.indices + place);
      if (!BIASED || before < 0 || draw(key, counter + 1) <= given.thresholds[find_kind(before, head)]) return head;
    }
  }
};

template <class Offset, bool WEIGHTED, bool BIASED>
__global__ void walk(WalkParameters<Offset> given) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= given.count) return;
  const Walker<Offset, WEIGHTED, BIASED> walker{given, mix(given.numbers[i] ^ given.seed)};
  int v = given.walks[i] = given.starts[i], before = -1;
  for (int number = 0; number < given.length; ++number) {
    const int head = walker.step(v, before, number);
    if (head < 0) return;
    given.walks[static_cast<long long>(number + 1) * given.count + i] = head;
    before = v;
    v = head;
  }
}
