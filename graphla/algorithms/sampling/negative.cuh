// Pairs that no arc joins: row u has n - 1 - deg(u) + [u has a loop] of them, and pair number q of row u ends at q + p,
// where p is the number of entries, and of u itself, that stand before it. A thread owns a row, a source or a pair.
//
// compiled: count_pairs<P> with P = int | long long
// compiled: measure_sources
// compiled: draw_pairs
// compiled: find_pairs<P> with P = int | long long
#pragma once

#include "headers/primitives.cuh"
#include "headers/row_range.cuh"

#include "../shared/_random_words.cuh"

// Where the entry of a row on the diagonal stands, or would, and whether it is there.
struct Loop {
  long long at;
  bool there;
};

template <class P>
__device__ __forceinline__ Loop find_loop(const P* indptr, const int* indices, long long row) {
  const RowRange range{indices, static_cast<long long>(indptr[row]), static_cast<long long>(indptr[row + 1])};
  const long long at = range.lower_bound(static_cast<int>(row));
  return {at, at < range.last && indices[at] == row};
}

template <class P>
__global__ void count_pairs(const P* indptr, const int* indices, long long n, long long* pairs) {
  for (const long long u : grid_range(n))
    pairs[u] = n - 1 - (indptr[u + 1] - indptr[u]) + find_loop(indptr, indices, u).there;
}

// The pairs of `span` rows from a source on: number of the first, how many, and how many are wanted; dense are those
// sources of which more than half are.
__global__ void measure_sources(
    const long long* absent, const long long* sources, long long count, long long span, long long wanted, bool again,
    long long* starts, long long* sizes, long long* counts, unsigned long long* dense) {
  for (const long long k : grid_range(count)) {
    const long long start = absent[sources[k]], size = absent[sources[k] + span] - start;
    starts[k] = start;
    sizes[k] = size;
    counts[k] = size > 0 && (again || wanted < size) ? wanted : again ? 0 : size;
    if (!again && 2 * counts[k] > size) atomicAdd(dense, 1ull);
  }
}

// local[i] is drawn below the size of i's source, and keys[i] tells it from those of other sources; where an order is
// given, of those alone that are not the first of their key in it.
__global__ void draw_pairs(
    const long long* order, const bool* first, long long count, unsigned long long seed, unsigned long long attempt,
    const long long* group, const long long* sizes, const long long* begins, long long* local, long long* keys) {
  for (const long long k : grid_range(count)) {
    if (attempt && first[k]) continue;
    const long long i = attempt ? order[k] : k;
    const unsigned long long below = static_cast<unsigned long long>(sizes[group[i]]);
    local[i] = static_cast<long long>(multiply_high(draw(mix(i ^ seed), attempt), below));
    keys[i] = begins[group[i]] + local[i];
  }
}

template <class P>
__global__ void find_pairs(
    const P* indptr, const int* indices, const long long* absent, long long n, const long long* group,
    const long long* starts, const long long* local, long long count, long long* tails, long long* heads) {
  for (const long long i : grid_range(count)) {
    const long long rank = starts[group[i]] + local[i];
    long long row = 0, high = n;
    while (row < high) {  // the last row that begins at the rank or before
      const long long middle = row + (high - row) / 2;
      if (absent[middle + 1] <= rank) row = middle + 1;
      else high = middle;
    }
    const long long begin = indptr[row];
    const Loop loop = find_loop(indptr, indices, row);
    long long left = rank - absent[row];
    left += !loop.there && left >= row - (loop.at - begin);
    long long low = begin, end = indptr[row + 1];
    while (low < end) {
      const long long middle = low + (end - low) / 2;
      if (indices[middle] - (middle - begin) <= left) low = middle + 1;
      else end = middle;
    }
    tails[i] = row;
    heads[i] = left + (low - begin);
  }
}
