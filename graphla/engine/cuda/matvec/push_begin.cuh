// Prepares a push: sets values to the identity, and computes `ends`, the inclusive prefix sum of the arcs that leave
// the entries, `shifts`, from an arc in that order to its position in the matrix, and `firsts`, the entry that owns the
// first of each PUSH_ARCS arcs.
//
// Up to BOARD_CHUNKS blocks count a chunk of the entries each, in the order in which they start; a block adds the
// counts of the chunks before its own. All blocks write the identity.
//
// compiled: push_begin<C, Offset> with C = float | bool | long long; Offset = int | long long; hot
// compiled: push_begin<C, int> with C = Complex<float> | Complex<double>
#pragma once

#include "board.cuh"
#include "headers/primitives.cuh"
#include "push.py"  // BEGIN_THREADS

// The arcs of all chunks before this one, once they are counted: a count is stored plus one, so that 0 means not yet.
__device__ __forceinline__ long long counted_before(const Board* board, int chunk) {
  unsigned long long held = 1;
  if (static_cast<int>(threadIdx.x) < chunk)
    while (!(held = load_fresh(board->chunks + threadIdx.x))) emulator_yield();
  return static_cast<long long>(block_reduce(held - 1));
}

// A chunk of `rounds` times as many entries as there are threads.
template <class Offset>
__device__ __forceinline__ void count_chunk(const Offset* indptr, const int* places, int entries, int rounds, int chunk,
                                            long long* ends, long long* shifts, int* firsts, Board* board) {
  const int first = chunk * rounds * BEGIN_THREADS + threadIdx.x;
  long long total = 0;
  for (int round = 0; round < rounds; ++round) {
    const int p = first + round * BEGIN_THREADS, place = p < entries ? places[p] : 0;
    const long long arcs = p < entries ? indptr[place + 1] - indptr[place] : 0;
    const Prefix<long long> here = block_exclusive_sum(arcs);
    if (p < entries) {
      shifts[p] = total + here.before;
      ends[p] = total + here.before + arcs;
    }
    total += here.total;
  }
  if (threadIdx.x == 0) atomicExch(board->chunks + chunk, static_cast<unsigned long long>(total) + 1);
  const long long before = counted_before(board, chunk);
  for (int round = 0; round < rounds; ++round) {
    const int p = first + round * BEGIN_THREADS;
    if (p >= entries) break;
    const long long begin = before + shifts[p], end = ends[p] += before;
    shifts[p] = indptr[places[p]] - begin;
    for (long long share = (begin + PUSH_ARCS - 1) / PUSH_ARCS; share * PUSH_ARCS < end; ++share) firsts[share] = p;
  }
}

template <class C, class Offset>
struct BeginParameters {
  const Offset* indptr;
  const int* places;  // indices of the entries
  int entries;
  int rounds;
  long long* ends;
  long long* shifts;
  int* firsts;
  C* values;
  C identity;
  int size;
  Board* board;
};

template <class C, class Offset>
__global__ __launch_bounds__(BEGIN_THREADS) void push_begin(const __grid_constant__ BeginParameters<C, Offset> given) {
  __shared__ int chunk;
  const int entries = given.entries, rounds = given.rounds;
  if (entries) {
    if (threadIdx.x == 0) chunk = static_cast<int>(atomicAdd(&given.board->arrived, 1ull));
    __syncthreads();
    if (static_cast<long long>(chunk) * rounds * BEGIN_THREADS < entries)
      count_chunk(given.indptr, given.places, entries, rounds, chunk, given.ends, given.shifts, given.firsts,
                  given.board);
  }
  for (const int p : grid_range(given.size)) given.values[p] = given.identity;
}
