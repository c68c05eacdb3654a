// Whether the highest ranks of a push are certain: p + b w bounds all ranks where b (w - d P w) >= r, so that no other
// vertex comes to the first ones if p + b w of it is not above the lowest of these.
//
// A thread owns vertices that are touched; the others have p = 0. The lowest of the first ones is found by its digits.
#pragma once

#include "headers/primitives.cuh"
#include "highest_ranks.cuh"
#include "teams.cuh"

constexpr double NO_RANK = 1e300;  // above all ranks

struct LeadParameters {
  const double* widths;  // w
  const double* slack;   // w - d P w, above 0
  double heaviest;       // the largest w
  long long sought;      // how many are to be certain
};

// Bits of doubles that are not negative, as all blocks add to them: the largest b, which is zero between questions, the
// lowest of the first ranks, and the largest bound of another one.
constexpr int LARGEST_SHARE = 0, LOWEST_RANK = 1, LARGEST_BOUND = 2;

__device__ __forceinline__ unsigned long long bits_of(double x) {
  return static_cast<unsigned long long>(__double_as_longlong(x));
}
__device__ __forceinline__ double read_bits(const unsigned long long* bits) {
  return __longlong_as_double(static_cast<long long>(load_fresh(bits)));
}

// Every thread of the team calls this, with the ranks of all vertices that are touched.
__device__ __forceinline__ bool are_certain(
    const Listed& list, const LeadParameters& lead, unsigned long long* border) {
  __shared__ Lowest lowest;
  const double most = read_bits(border + LARGEST_SHARE);
  const int step = find_lowest(list, lowest);
  double least = NO_RANK, others = 0;
  for (const long long i : list.team.range(0, list.count)) {
    const double rank = list.ranks[i];
    if (stays(list, lowest, i)) least = min(least, rank);
    else others = max(others, rank + most * lead.widths[list.vertices[i]]);
  }
  least = block_reduce(least, NO_RANK, Least());
  others = block_reduce(others, 0.0, Most());
  if (threadIdx.x == 0) {
    atomicMin(border + LOWEST_RANK, bits_of(least));
    atomicMax(border + LARGEST_BOUND, bits_of(others));
  }
  list.team.sync();
  if (list.team.leads()) border[LARGEST_SHARE] = 0;
  for (const long long i : list.team.range(0, step * RANK_DIGITS)) list.histograms[i] = 0;
  const double end = read_bits(border + LOWEST_RANK);
  return step <= RANK_STEPS - VERTEX_STEPS && end > most * lead.heaviest && read_bits(border + LARGEST_BOUND) <= end;
}
