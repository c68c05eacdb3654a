// The highest ranks of a list, and of equal ones those of the lower vertices, by a team of blocks.
//
// The rank at the end of those that stay is found by its digits, eight bits at a time from the highest on, and after it
// the vertex: each block counts digits in shared memory and adds them to a histogram of all, where each block then
// finds in which digit that rank lies. A digit that ends at just as many as are wanted is the last.
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"
#include "teams.cuh"

constexpr int RANK_DIGITS = 256;
constexpr int RANK_STEPS = 12, VERTEX_STEPS = 4;  // eight digits of a rank, four of a vertex

struct Listed {
  const int* vertices;
  const double* ranks;  // not negative
  long long count;
  unsigned* histograms;  // of each step: zero, and zero again in the end
  unsigned long long* kept_vertices;
  unsigned long long* kept_ranks;  // bits of doubles
  unsigned long long* kept;        // how many
  long long top;
  Team team;
};

// The digits of the lowest rank that stays and of its vertex, as far as they are known, and how many are still wanted.
struct Lowest {
  unsigned long long rank, rank_known;
  unsigned vertex, vertex_known;
  unsigned wanted;
  bool settled;
};

__device__ __forceinline__ unsigned long long bits_of_rank(const Listed& list, long long i) {
  return static_cast<unsigned long long>(__double_as_longlong(list.ranks[i]));
}
// Lower vertices come first.
__device__ __forceinline__ unsigned order_of(const Listed& list, long long i) {
  return ~static_cast<unsigned>(list.vertices[i]);
}

__device__ __forceinline__ void count_digits(const Listed& list, const Lowest& lowest, int step, unsigned* counts) {
  for (int d = threadIdx.x; d < RANK_DIGITS; d += blockDim.x) counts[d] = 0;
  __syncthreads();
  for (const long long i : list.team.range(0, list.count)) {
    const unsigned long long rank = bits_of_rank(list, i);
    const unsigned order = order_of(list, i);
    if ((rank & lowest.rank_known) != lowest.rank || (order & lowest.vertex_known) != lowest.vertex) continue;
    const unsigned long long digit = step < 8 ? rank >> (56 - 8 * step) : order >> (88 - 8 * step);
    atomicAdd(counts + (digit & (RANK_DIGITS - 1)), 1u);
  }
  __syncthreads();
  for (int d = threadIdx.x; d < RANK_DIGITS; d += blockDim.x)
    if (counts[d]) atomicAdd(list.histograms + step * RANK_DIGITS + d, counts[d]);
}

// Lane l of a warp has the eight digits below 256 - 8 l; the lane in whose digits the end lies says where.
__device__ __forceinline__ void find_digit(const unsigned* counts, int step, Lowest& lowest) {
  const int first = RANK_DIGITS - 1 - 8 * lane_index();
  unsigned mine = 0;
  for (int d = 0; d < 8; ++d) mine += load_fresh(counts + first - d);
  const unsigned before = warp_exclusive_sum(mine), wanted = lowest.wanted;
  __syncwarp();
  if (before >= wanted || wanted > before + mine) return;
  unsigned left = wanted - before;
  int digit = first;
  for (; left > load_fresh(counts + digit); --digit) left -= load_fresh(counts + digit);
  if (step < 8) {
    lowest.rank |= static_cast<unsigned long long>(digit) << (56 - 8 * step);
    lowest.rank_known |= 0xffull << (56 - 8 * step);
  } else {
    lowest.vertex |= static_cast<unsigned>(digit) << (88 - 8 * step);
    lowest.vertex_known |= 0xffu << (88 - 8 * step);
  }
  lowest.wanted = left;
  lowest.settled = load_fresh(counts + digit) == left;
}

// Finds the lowest rank that stays; returns how many histograms are to be cleared.
__device__ __forceinline__ int find_lowest(const Listed& list, Lowest& lowest) {
  __shared__ unsigned counts[RANK_DIGITS];
  if (threadIdx.x == 0) lowest = {0, 0, 0, 0, static_cast<unsigned>(list.top), list.count <= list.top};
  __syncthreads();
  int step = 0;
  for (; !lowest.settled && step < RANK_STEPS; ++step) {
    count_digits(list, lowest, step, counts);
    list.team.sync();
    if (threadIdx.x < 32) find_digit(list.histograms + step * RANK_DIGITS, step, lowest);
    __syncthreads();
  }
  return step;
}

__device__ __forceinline__ bool stays(const Listed& list, const Lowest& lowest, long long i) {
  const unsigned long long known = bits_of_rank(list, i) & lowest.rank_known;
  return known > lowest.rank || (known == lowest.rank && (order_of(list, i) & lowest.vertex_known) >= lowest.vertex);
}

__device__ __forceinline__ void keep_highest_ranks(const Listed& list) {
  __shared__ Lowest lowest;
  const int step = find_lowest(list, lowest);
  for (const long long i : list.team.range(0, list.count)) {
    if (!stays(list, lowest, i)) continue;
    const unsigned long long to = atomicAdd(list.kept, 1ull);
    list.kept_vertices[to] = static_cast<unsigned long long>(list.vertices[i]);
    list.kept_ranks[to] = bits_of_rank(list, i);
  }
  list.team.sync();
  for (const long long i : list.team.range(0, step * RANK_DIGITS)) list.histograms[i] = 0;
}
