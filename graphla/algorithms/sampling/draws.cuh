// out[0 …] = places of the arcs that a vertex draws from its row, -1 where there is none.
//
// A team of lanes owns a vertex; all teams of a warp call these together. The random numbers of a vertex are hashes of
// its key and of the draws. Different places are chosen by Floyd's method: the j-th draw is one of the first
// n - k + j + 1, and the last of these if it is there already; the lanes draw at once, and compare what they found in
// the order of the draws. By weights, where a team is one lane, a number below the sum of what is left is moved past
// the places that are taken, which stand in order in `taken` meanwhile.
#pragma once

#include "headers/primitives.cuh"

#include "../shared/_random_words.cuh"

// The rows of a relation; see `Rows`.
template <class Offset, class Time>
struct RowsParameters {
  const Offset* indptr;
  const int* indices;
  const long long* places;
  const unsigned long long* sums;
  const Time* times;
  int placed;
  int weighted;
  int timed;
};

struct HowParameters {
  unsigned long long seed;  // its hash
  unsigned long long word;  // what tells the draws of this hop and relation from others
  int fanout;
  int lanes;  // of a team
  int replace;
  int latest;
};

// The part of a row from which a vertex draws, and how many places it does.
struct Part { long long vertex, begin, end, size; };

template <class Offset, class Time>
__device__ __forceinline__ long long find_end(
    const RowsParameters<Offset, Time>& rows, long long low, long long high, Time limit) {
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (load_constant(rows.times + middle) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

template <class Offset, class Time>
__device__ __forceinline__ Part find_part(
    const RowsParameters<Offset, Time>& rows, const HowParameters& how, long long vertex, const Time* limit) {
  const long long begin = load_constant(rows.indptr + vertex), last = load_constant(rows.indptr + vertex + 1);
  const long long end = rows.timed ? find_end(rows, begin, last, *limit) : last, degree = end - begin;
  const bool all = how.fanout < 0 || (degree < how.fanout && !(how.replace && degree > 0));
  return {vertex, begin, end, all ? degree : how.fanout};
}

template <class Offset, class Time>
struct Drawer {
  const RowsParameters<Offset, Time>& rows;
  const HowParameters& how;
  Part part;
  unsigned long long key;
  long long* out;
  int* taken;

  __device__ __forceinline__ int rank() const { return lane_index() & (how.lanes - 1); }
  __device__ __forceinline__ unsigned long long draw_word(long long j) const {
    return draw(key, how.word | static_cast<unsigned long long>(j));
  }
  __device__ __forceinline__ unsigned long long sum_below(long long place) const {
    return place > part.begin ? load_constant(rows.sums + place - 1) : 0;
  }
  __device__ __forceinline__ unsigned long long weigh(long long place) const {
    return load_constant(rows.sums + place) - sum_below(place);
  }
  __device__ __forceinline__ void take_last(bool weighted) const {
    const long long first = part.end - part.size;
#pragma unroll 1
    for (long long j = rank(); j < part.size; j += how.lanes)
      out[j] = weighted && weigh(first + j) == 0 ? -1 : first + j;
  }
  __device__ __forceinline__ void draw_repeatedly() const {
    if (part.size == 0) return;
    const unsigned long long total = rows.weighted ? load_constant(rows.sums + part.end - 1) : 0;
#pragma unroll 1
    for (long long j = rank(); j < part.size; j += how.lanes) {
      const unsigned long long number = draw_word(j);
      if (!rows.weighted)
        out[j] = part.begin + scale_word(number, static_cast<unsigned long long>(part.end - part.begin));
      else out[j] = total == 0 ? -1 : find_exceeding(rows.sums, part.begin, part.end, multiply_high(number, total));
    }
  }
  __device__ __forceinline__ void draw_distinct(bool wanted) const {
    if (!__any_sync(WHOLE_WARP, wanted)) return;
#pragma unroll 1
    for (long long begin = 0; begin < how.fanout; begin += how.lanes) {
      const long long j = begin + rank(), last = part.end - how.fanout + j;
      const bool mine = wanted && j < how.fanout;
      const long long drawn =
          mine ? part.begin + scale_word(draw_word(j), static_cast<unsigned long long>(last - part.begin + 1)) : -1;
      long long found = drawn;
#pragma unroll 4
      for (long long i = 0; mine && i < begin; ++i) found = out[i] == drawn ? last : found;
#pragma unroll 4
      for (int i = 0; i < how.lanes && begin + i < how.fanout; ++i) {
        const long long other = __shfl_sync(WHOLE_WARP, found, i, how.lanes);
        if (i < rank() && other == drawn) found = last;
      }
      if (mine) out[j] = found;
      __syncwarp();
    }
  }
  __device__ __forceinline__ void draw_by_weight() const {
    unsigned long long left = load_constant(rows.sums + part.end - 1);
#pragma unroll 1
    for (long long j = 0; j < part.size; ++j) {
      if (left == 0) {
        out[j] = -1;
        continue;
      }
      unsigned long long x = multiply_high(draw_word(j), left);
      long long at = 0;
#pragma unroll 1
      for (; at < j && x >= sum_below(part.begin + taken[at]); ++at) x += weigh(part.begin + taken[at]);
      const long long place = find_exceeding(rows.sums, part.begin, part.end, x);
#pragma unroll 1
      for (long long i = j; i > at; --i) taken[i] = taken[i - 1];
      taken[at] = static_cast<int>(place - part.begin);
      out[j] = place;
      left -= weigh(place);
    }
  }
  __device__ __forceinline__ void draw_arcs() const {
    if (how.replace && how.fanout > 0) {
      draw_repeatedly();
      return;
    }
    const bool all = part.end - part.begin == part.size;
    if (all || how.latest) take_last(all && rows.weighted);
    else if (rows.weighted) draw_by_weight();
    if (!how.latest && !rows.weighted) draw_distinct(!all);
  }
};
