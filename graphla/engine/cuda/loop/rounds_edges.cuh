// What a loop over arrays of fixed size gets and leaves: entries go into cells, and entries are counted.
//
//   round_enter: values[cell of e] = given[e], flags[cell of e] = true     for each entry e of a vector or a matrix
//   round_place: values[cell[k]] = bits[k], flags[cell[k]] = true          for a few entries that come with the launch
//   round_count: counts[s] = entries of slot s, for each slot whose flags a loop leaves
//
// round_enter: a thread takes an entry, and looks for its row among the row pointers. round_count: a thread takes 16
// cells of a slot whose cells all belong to entries, else a cell.
//
// compiled: round_enter<Offset, Index, Word> with Offset = int | long long; Index = int | long long;
//   Word = unsigned char | unsigned short | unsigned | unsigned long long
// compiled: round_place<Word> with Word = unsigned char | unsigned short | unsigned | unsigned long long
// compiled: round_count
#pragma once

#include "headers/primitives.cuh"
#include "rounds.py"         // MOST_SLOTS
#include "rounds_arrays.py"  // COUNTED_AT_ONCE, MOST_PLACED

using Wide = unsigned long long;

template <class Offset, class Index, class Word>
struct RoundEnterParameters {
  const Offset* indptr;
  const Index* indices;
  const Word* given;
  Word* values;
  bool* flags;
  int count;
  int rows;  // 1 of a vector, which has no row pointers
  int row_stride;
  int column_stride;
  bool flagged;
};

// The row of entry e: the last one that begins at e or before.
template <class Offset>
__device__ __forceinline__ int row_of_entry(const Offset* indptr, int rows, int e) {
  int low = 0, high = rows;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (indptr[middle] <= e) low = middle;
    else high = middle;
  }
  return low;
}

template <class Offset, class Index, class Word>
__global__ void round_enter(RoundEnterParameters<Offset, Index, Word> given) {
  for (const int e : grid_range(given.count)) {
    const int row = row_of_entry(given.indptr, given.rows, e);
    const long long cell =
        static_cast<long long>(row) * given.row_stride + static_cast<long long>(given.indices[e]) * given.column_stride;
    given.values[cell] = given.given[e];
    if (given.flagged) given.flags[cell] = true;
  }
}

template <class Word>
struct RoundPlaceParameters {
  Word* values;
  bool* flags;
  int cell[MOST_PLACED];
  Wide bits[MOST_PLACED];
  int count;
  bool flagged;
};

template <class Word>
__global__ void round_place(const __grid_constant__ RoundPlaceParameters<Word> given) {
  for (const int k : grid_range(given.count)) {
    given.values[given.cell[k]] = static_cast<Word>(given.bits[k]);
    if (given.flagged) given.flags[given.cell[k]] = true;
  }
}

struct RoundCountParameters {
  const bool* flags[MOST_SLOTS];
  int cells[MOST_SLOTS];
  int width[MOST_SLOTS];
  int stride[MOST_SLOTS];
  Wide* counts;
  int slots;
};

// The flags of cells that all belong to entries, 16 at a time.
__device__ __forceinline__ int count_packed(const bool* flags, int cells) {
  int count = 0;
  for (const int group : grid_range(cells / COUNTED_AT_ONCE)) {
    const auto held = load_pack<2>(reinterpret_cast<const Wide*>(flags) + group * 2);
    count += __popcll(held[0]) + __popcll(held[1]);
  }
  for (const int rest : grid_range(cells % COUNTED_AT_ONCE)) count += flags[cells - 1 - rest] ? 1 : 0;
  return count;
}

__device__ __forceinline__ int count_columns(const bool* flags, int cells, int width, int stride) {
  int count = 0;
  for (const int cell : grid_range(cells)) count += cell % stride < width && flags[cell] ? 1 : 0;
  return count;
}

__global__ void round_count(const __grid_constant__ RoundCountParameters given) {
  for (int slot = 0; slot < given.slots; ++slot) {
    const bool* const flags = given.flags[slot];
    const int cells = given.cells[slot], width = given.width[slot], stride = given.stride[slot];
    const int mine = width == stride ? count_packed(flags, cells) : count_columns(flags, cells, width, stride);
    const Wide total = block_reduce(static_cast<Wide>(mine));
    if (threadIdx.x == 0 && total) atomicAdd(given.counts + slot, total);
    __syncthreads();
  }
}
