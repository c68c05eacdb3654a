// The highest scores of each row, in the order of the row; of equal ones the first.
//
// A block owns a row. It finds the score at the end of those that stay by their digits, eight bits at a time from the
// highest on: a histogram in shared memory tells in which digit that score lies. Then it keeps what is higher, and the
// first of what is equal. O(8 p) reads for p pairs at most; one digit less for each that settles a row.
//
// compiled: count_kept<Offset> with Offset = int | long long
// compiled: keep_highest<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/primitives.cuh"
#include "highest.py"  // HIGHEST_THREADS

constexpr int DIGITS = 256;

template <class Offset>
struct HighestParameters {
  int rows;
  const Offset* indptr;
  const int* heads;
  const double* scores;
  long long top;
  const long long* begins;  // of the rows of what stays
  int* kept_heads;
  double* kept_scores;
};

// A number whose order, as one without sign, is that of the score; -0 is 0.
__device__ __forceinline__ unsigned long long ordered(double score) {
  const unsigned long long bits = static_cast<unsigned long long>(__double_as_longlong(score + 0.0));
  return bits >> 63 ? ~bits : bits | 1ull << 63;
}

// How many pairs of each row stay.
template <class Offset>
__global__ void count_kept(const Offset* indptr, int rows, long long top, int* counts) {
  for (const int i : grid_range(rows)) {
    const long long length = indptr[i + 1] - indptr[i];
    counts[i] = static_cast<int>(length < top ? length : top);
  }
}

struct Bound {
  unsigned long long digits, known;  // the digits of the lowest score that stays, as far as they are known
  long long wanted;                  // how many with just these stay
};

// The lowest score that stays, of which `wanted` are still to be found; the same in all threads.
__device__ __forceinline__ Bound find_bound(const double* scores, long long length, long long wanted) {
  __shared__ int histogram[DIGITS];
  __shared__ Bound shared;
  Bound bound{0, 0, wanted};
  for (int shift = 56; shift >= 0; shift -= 8) {
    for (int d = threadIdx.x; d < DIGITS; d += HIGHEST_THREADS) histogram[d] = 0;
    __syncthreads();
    for (long long p = threadIdx.x; p < length; p += HIGHEST_THREADS) {
      const unsigned long long key = ordered(scores[p]);
      if ((key & bound.known) == bound.digits) atomicAdd(histogram + (key >> shift & (DIGITS - 1)), 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
      // Lane l has the eight digits below 256 - 8 l; the lane in whose digits the bound lies finds it.
      int mine = 0;
      for (int d = 0; d < 8; ++d) mine += histogram[DIGITS - 1 - 8 * static_cast<int>(threadIdx.x) - d];
      const long long before = warp_exclusive_sum(mine);
      if (before < bound.wanted && bound.wanted <= before + mine) {
        long long left = bound.wanted - before;
        int digit = DIGITS - 1 - 8 * static_cast<int>(threadIdx.x);
        for (; left > histogram[digit]; --digit) left -= histogram[digit];
        const unsigned long long settled = histogram[digit] == left;  // then all with these digits stay
        shared = {bound.digits | static_cast<unsigned long long>(digit) << shift,
                  bound.known | static_cast<unsigned long long>(DIGITS - 1) << shift, settled ? -left : left};
      }
    }
    __syncthreads();
    bound = shared;
    __syncthreads();
    if (bound.wanted < 0) break;
  }
  if (bound.wanted < 0) bound.wanted = -bound.wanted;
  return bound;
}

template <class Offset>
__global__ __launch_bounds__(HIGHEST_THREADS) void keep_highest(
    const __grid_constant__ HighestParameters<Offset> given) {
  for (int i = blockIdx.x; i < given.rows; i += gridDim.x) {
    const long long first = given.indptr[i], length = given.indptr[i + 1] - first, to = given.begins[i];
    const bool all = length <= given.top;
    const double* scores = given.scores + first;
    const Bound bound = all ? Bound{0, 0, length} : find_bound(scores, length, given.top);
    long long higher = 0, equal = 0;  // before this round
    for (long long base = 0; base < length; base += HIGHEST_THREADS) {
      const long long p = base + threadIdx.x;
      const unsigned long long key = p < length ? ordered(scores[p]) & bound.known : 0;
      const bool above = p < length && key > bound.digits, same = p < length && key == bound.digits;
      const Prefix<long long> found =
          block_exclusive_sum((static_cast<long long>(above) << 32) + static_cast<long long>(same));
      const long long rank = equal + (found.before & 0xffffffff);
      if (above || (same && rank < bound.wanted)) {
        const long long at = to + higher + (found.before >> 32) + (rank < bound.wanted ? rank : bound.wanted);
        given.kept_heads[at] = given.heads[first + p];
        given.kept_scores[at] = scores[p];
      }
      higher += found.total >> 32;
      equal += found.total & 0xffffffff;
      __syncthreads();
    }
  }
}
