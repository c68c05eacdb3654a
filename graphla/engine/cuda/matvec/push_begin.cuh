// What a push finds when it begins: values at the identity, and `ends`, the running count of the arcs that leave the
// entries, with `shifts`, from an arc in that count to its place in the matrix, and `firsts`, the entry that owns the
// first of each PUSH_ARCS arcs.
//
// Up to BOARD_CHUNKS blocks count a chunk of the entries each, in the order in which they come; a block adds what
// those before it counted. All blocks fill.
//
// compiled: push_begin<C, Offset> with C = float | bool | long long; Offset = int | long long; hot
// compiled: push_begin<C, int> with C = Complex<float> | Complex<double>
#pragma once

#include "board.cuh"
#include "headers/primitives.cuh"

constexpr int BEGIN_THREADS = 1024;

// The arcs of all chunks before this one, once those have been counted: a count is held as itself and one more.
__device__ __forceinline__ long long counted_before(const Board* board, int chunk) {
  unsigned long long held = 1;
  if (static_cast<int>(threadIdx.x) < chunk)
    while (!(held = load_fresh(board->chunks + threadIdx.x))) emulator_yield();
  return static_cast<long long>(block_reduce(held - 1));
}

// A chunk of `rounds` times as many entries as there are threads.
template <class Offset>
__device__ __forceinline__ void count_chunk(const Offset* start, const int* places, int entries, int rounds, int chunk,
                                            long long* ends, long long* shifts, int* firsts, Board* board) {
  const int first = chunk * rounds * BEGIN_THREADS + threadIdx.x;
  long long total = 0;
  for (int round = 0; round < rounds; ++round) {
    const int p = first + round * BEGIN_THREADS, place = p < entries ? places[p] : 0;
    const long long arcs = p < entries ? start[place + 1] - start[place] : 0;
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
    shifts[p] = start[places[p]] - begin;
    for (long long share = (begin + PUSH_ARCS - 1) / PUSH_ARCS; share * PUSH_ARCS < end; ++share) firsts[share] = p;
  }
}

template <class C, class Offset>
__global__ __launch_bounds__(BEGIN_THREADS) void push_begin(
    const Offset* start, const int* places, int entries, int rounds, long long* ends, long long* shifts, int* firsts,
    C* values, C identity, int size, Board* board) {
  __shared__ int chunk;
  if (entries) {
    if (threadIdx.x == 0) chunk = static_cast<int>(atomicAdd(&board->arrived, 1ull));
    __syncthreads();
    if (static_cast<long long>(chunk) * rounds * BEGIN_THREADS < entries)
      count_chunk(start, places, entries, rounds, chunk, ends, shifts, firsts, board);
  }
  for (const int p : grid_range(size)) values[p] = identity;
}
