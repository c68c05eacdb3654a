// The entries (i, j) of a mask by the longer one of rows i and j, for A Aᵀ by a ⊗ that commutes: (i, j) and (j, i) are
// the same dot product, and the row in the table should be the longer one, for the other one is walked.
//
// compiled: count_turned<L> with L = int | long long; hot
// compiled: fill_turned<L> with L = int | long long; hot
#pragma once

#include "dots.py"  // SEARCH_COST
#include "headers/primitives.cuh"

template <class L>
struct TurnParameters {
  const int* rows;
  const int* columns_of;
  long long entries;
  const L* lengths;
  int* counts;
  unsigned long long* looks;  // into tables as the entries stand, and by the longer row
  const long long* upto;
  int* columns_out;
  int* places;
};

// Counts the entries of each row, and the looks of both ways.
template <class L>
__global__ void count_turned(TurnParameters<L> given) {
  unsigned long long now = 0, turned = 0;
  for (const long long e : grid_range(given.entries)) {
    const int i = given.rows[e], j = given.columns_of[e];
    const L table = given.lengths[i], walked = given.lengths[j];
    atomicAdd(given.counts + (walked > table ? j : i), 1);
    now += table < walked / SEARCH_COST ? table * SEARCH_COST : walked;
    turned += walked < table ? walked : table;
  }
  now = block_reduce(now);
  turned = block_reduce(turned);
  if (threadIdx.x == 0) {
    atomicAdd(given.looks, now);
    atomicAdd(given.looks + 1, turned);
  }
}

// Places the entries of each row in any order, with where they come from; `counts` are zeros before.
template <class L>
__global__ void fill_turned(TurnParameters<L> given) {
  for (const long long e : grid_range(given.entries)) {
    const int i = given.rows[e], j = given.columns_of[e];
    const bool turns = given.lengths[j] > given.lengths[i];
    const int owner = turns ? j : i;
    const long long at = given.upto[owner] + atomicAdd(given.counts + owner, 1);
    given.columns_out[at] = turns ? i : j;
    given.places[at] = static_cast<int>(e);
  }
}
