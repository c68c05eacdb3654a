// bits[c] = the vertices of the strong component c, and those of all components that it reaches.
//
// A component is named by one of its vertices, and row[c] is the place of its bits. Components of a level have arcs to
// those of lower levels only. A block owns a component of the level, and its threads take words of the row: each is the
// union of that word of the rows of the heads. Then a warp owns a vertex, and its lanes write the bits of their words.
//
// compiled: close_rows<Offset> with Offset = int | long long; hot
// compiled: write_entries<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/primitives.cuh"

template <class Offset>
struct CloseParameters {
  int n;
  int words;
  int levels;
  const int* label;
  const int* row;
  const int* order;
  const int* begin;
  const Offset* indptr;
  const int* indices;
  unsigned long long* bits;
  long long* counts;
  unsigned* barrier;
};

template <class Offset>
struct WriteParameters {
  int n;
  int words;
  const int* label;
  const int* row;
  const bool* itself;
  const unsigned long long* bits;
  const Offset* indptr;
  int* indices;
};

// The row of a component c, whose own bits are there, gets those of its heads.
template <class Offset>
__device__ __forceinline__ void close_row(const CloseParameters<Offset>& given, int c) {
  const Offset first = given.indptr[c], last = given.indptr[c + 1];
  unsigned long long* mine = given.bits + static_cast<long long>(given.row[c]) * given.words;
  long long count = 0;
  for (const int w : block_range(0, given.words)) {
    unsigned long long word = load_fresh(mine + w);
    for (Offset k = first; k < last; ++k) {
      const long long other = given.row[load_constant(given.indices + k)];
      word |= load_fresh(given.bits + other * given.words + w);
    }
    mine[w] = word;
    count += __popcll(word);
  }
  count = block_reduce(count);
  if (threadIdx.x == 0) given.counts[given.row[c]] = count;
}

template <class Offset>
__global__ void close_rows(CloseParameters<Offset> given) {
  for (const int v : grid_range(given.n)) {
    const long long row = given.row[given.label[v]];
    atomicOr(given.bits + row * given.words + v / 64, 1ull << (v % 64));
  }
  grid_sync(given.barrier);
  for (int level = 0; level < given.levels; ++level) {
    const int last = given.begin[level + 1];
    for (int i = given.begin[level] + static_cast<int>(blockIdx.x); i < last; i += static_cast<int>(gridDim.x))
      close_row(given, given.order[i]);
    grid_sync(given.barrier);
  }
}

template <class Offset>
__global__ void write_entries(WriteParameters<Offset> given) {
  const int u = static_cast<int>((static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32);
  if (u >= given.n) return;
  const unsigned long long* bits = given.bits + static_cast<long long>(given.row[given.label[u]]) * given.words;
  const bool itself = given.itself[u];
  Offset place = given.indptr[u];
  for (int from = 0; from < given.words; from += 32) {
    const int w = from + lane_index();
    unsigned long long word = w < given.words ? bits[w] : 0;
    if (!itself && w == u / 64) word &= ~(1ull << (u % 64));
    const int count = __popcll(word), before = warp_exclusive_sum(count);
    for (Offset k = place + before; word; word &= word - 1, ++k) given.indices[k] = 64 * w + __ffsll(word) - 1;
    place += static_cast<Offset>(warp_reduce(count));
  }
}
