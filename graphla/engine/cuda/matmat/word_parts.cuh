// Matrices of few rows whose structure is packed: bit r % 64 of words[r / 64, j] tells whether entry (r, j) exists.
//
// word_spread: a thread owns an entry of a compressed matrix. word_write, word_measure, word_settle: a thread owns a
// column. word_count, word_fill: a warp owns FILL_VERTICES columns and 32 rows; lane r counts, and then remembers where
// the next entry of row r goes.
//
// compiled: word_spread<Offset> with Offset = int | long long
// compiled: word_write
// compiled: word_measure<Offset> with Offset = int | long long
// compiled: word_count
// compiled: word_settle<C> with C = bool | int | double
// compiled: word_fill<C, Offset> with C = bool | int | double; Offset = int | long long
#pragma once

#include "few_rows.py"  // FILL_VERTICES
#include "headers/primitives.cuh"
#include "word_parts.py"  // WORD_LAYERS

using Bits = unsigned long long;
using Number = unsigned long long;

template <class Offset>
struct WordSpreadParameters {
  const Offset* indptr;
  const int* indices;
  Bits* words;
  Offset entries;
  int rows;
  int columns;
};

// The words are zero at first.
template <class Offset>
__global__ void word_spread(WordSpreadParameters<Offset> given) {
  for (const Offset p : grid_range(given.entries)) {
    const int r = row_of(given.indptr, given.rows, p);
    atomicOr(given.words + r / 64 * static_cast<long long>(given.columns) + given.indices[p],
             static_cast<Bits>(1) << r % 64);
  }
}

struct WordWriteParameters {
  const Bits* found;
  const Bits* other;
  const Bits* mask;
  const Bits* old;
  Bits* out;
  Bits* written;
  int columns;
  int planes;
  Bits last;   // the rows of the last plane
  int masked;  // 0: no mask; 1: where it has a bit; 2: where it has none
  int finds;   // 0: every cell; 1: the bits of found; 2: those of other, too; 3: those of both
  bool keeps_inside;
  bool keeps_outside;
  bool lists;  // what is written, too
};

// The bits of a word that a step writes to, were there no mask.
__device__ __forceinline__ Bits found_bits(const WordWriteParameters& given, long long i) {
  if (!given.finds) return ~static_cast<Bits>(0);
  const Bits word = given.found[i];
  if (given.finds == 1) return word;
  return given.finds == 2 ? word | given.other[i] : word & given.other[i];
}

// out = found inside of the mask, and the old bits that are kept there or outside of it.
__global__ void word_write(WordWriteParameters given) {
  const long long size = static_cast<long long>(given.columns) * given.planes;
  for (const long long i : grid_range(size)) {
    const Bits all = i >= size - given.columns ? given.last : ~static_cast<Bits>(0);
    const Bits word = given.masked ? given.mask[i] : 0;
    const Bits allowed = (given.masked == 1 ? word : ~word) & all;
    const Bits written = found_bits(given, i) & allowed;
    const Bits kept = (given.keeps_inside ? allowed : 0) | (given.keeps_outside ? ~allowed : 0);
    given.out[i] = written | (kept ? given.old[i] & kept : 0);
    if (given.lists) given.written[i] = written;
  }
}

template <class Offset>
struct WordMeasureParameters {
  const Bits* words;
  const Offset* indptr;
  Number* numbers;
  int columns;
  int planes;
  bool counts_arcs;
};

// numbers[0]: entries; numbers[1]: columns that have any; numbers[2]: entries of the rows of another matrix there.
template <class Offset>
__global__ void word_measure(WordMeasureParameters<Offset> given) {
  Number entries = 0, filled = 0, arcs = 0;
  for (const int j : grid_range(given.columns)) {
    int here = 0;
    for (int plane = 0; plane < given.planes; ++plane)
      here += __popcll(given.words[plane * static_cast<long long>(given.columns) + j]);
    entries += here;
    filled += here != 0;
    if (given.counts_arcs && here) arcs += given.indptr[j + 1] - given.indptr[j];
  }
  entries = block_reduce(entries);
  filled = block_reduce(filled);
  arcs = block_reduce(arcs);
  if (threadIdx.x != 0 || !entries) return;
  atomicAdd(given.numbers, entries);
  atomicAdd(given.numbers + 1, filled);
  if (arcs) atomicAdd(given.numbers + 2, arcs);
}

template <class C>
struct WordSettleParameters {
  const Bits* words;
  const Bits* layers[WORD_LAYERS];
  const C* numbers;
  C* cells;
  int many;
  int columns;
  int planes;
};

// cells[r, j] = the number of the last layer with the bit, where there is an entry and a layer has it.
template <class C>
__global__ void word_settle(const __grid_constant__ WordSettleParameters<C> given) {
  const long long columns = given.columns;
  for (const int j : grid_range(given.columns))
    for (int plane = 0; plane < given.planes; ++plane) {
      Bits left = given.words[plane * columns + j];
#pragma unroll 1
      for (int layer = given.many - 1; layer >= 0 && left; --layer) {
        const Bits here = given.layers[layer][plane * columns + j] & left;
        for (Bits rest = here; rest; rest &= rest - 1)
          given.cells[(plane * 64 + __ffsll(static_cast<long long>(rest)) - 1) * columns + j] = given.numbers[layer];
        left &= ~here;
      }
    }
}

struct WordCountParameters {
  const Bits* words;
  int* counts;
  int columns;
  int rows;
  int parts;
};

// The part of the columns that this warp owns; the rows are 32 blockIdx.y and those after it.
__device__ __forceinline__ int part_of_warp() {
  return static_cast<int>((blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / 32);
}

// The bits of a column for these 32 rows.
__device__ __forceinline__ unsigned rows_of_column(const Bits* words, int columns, int j) {
  if (j >= columns) return 0;
  return static_cast<unsigned>(words[blockIdx.y / 2 * static_cast<long long>(columns) + j] >> blockIdx.y % 2 * 32);
}

// counts[r, part] = entries of row r among the columns of a part.
__global__ void word_count(WordCountParameters given) {
  const int part = part_of_warp(), row = static_cast<int>(blockIdx.y) * 32 + lane_index();
  if (part >= given.parts) return;
  int count = 0;
  for (int chunk = 0; chunk < FILL_VERTICES; chunk += 32) {
    const unsigned word = rows_of_column(given.words, given.columns, part * FILL_VERTICES + chunk + lane_index());
    if (__ballot_sync(WHOLE_WARP, word != 0) == 0) continue;
    for (int r = 0; r < 32; ++r) {
      const int here = __popc(__ballot_sync(WHOLE_WARP, word >> r & 1u));
      if (lane_index() == r) count += here;
    }
  }
  if (row < given.rows) given.counts[static_cast<long long>(row) * given.parts + part] = count;
}

template <class C, class Offset>
struct WordFillParameters {
  const Bits* words;
  const Bits* layers[WORD_LAYERS];
  const C* numbers;
  const Offset* indptr;
  const int* base;
  const C* base_values;  // of its entries, or of all cells
  const long long* begins;
  int* indices;
  C* values;
  bool dense;
  int many;
  int columns;
  int rows;
  int parts;
};

// The value of an entry: that of the last layer with its bit, else that of the base.
template <class C, class Offset>
__device__ __forceinline__ C value_of_cell(const WordFillParameters<C, Offset>& given, int row, int j) {
  const long long i = row / 64 * static_cast<long long>(given.columns) + j;
#pragma unroll 1
  for (int layer = given.many - 1; layer >= 0; --layer)
    if (given.layers[layer][i] >> row % 64 & 1) return given.numbers[layer];
  if (given.dense) return given.base_values[row * static_cast<long long>(given.columns) + j];
  Offset low = given.indptr[row], high = given.indptr[row + 1];
  while (high - low > 1) {
    const Offset middle = low + (high - low) / 2;
    if (given.base[middle] <= j) low = middle;
    else high = middle;
  }
  return given.base_values[low];
}

// The entries of row r from begins[r, part] on.
template <class C, class Offset>
__global__ void word_fill(const __grid_constant__ WordFillParameters<C, Offset> given) {
  const int part = part_of_warp(), first = static_cast<int>(blockIdx.y) * 32;
  if (part >= given.parts) return;
  const int row = first + lane_index();
  long long next = row < given.rows ? given.begins[static_cast<long long>(row) * given.parts + part] : 0;
  for (int chunk = 0; chunk < FILL_VERTICES; chunk += 32) {
    const int j = part * FILL_VERTICES + chunk + lane_index();
    const unsigned word = rows_of_column(given.words, given.columns, j);
    if (__ballot_sync(WHOLE_WARP, word != 0) == 0) continue;
    for (int r = 0; r < 32; ++r) {
      const unsigned votes = __ballot_sync(WHOLE_WARP, word >> r & 1u);
      const long long place = __shfl_sync(WHOLE_WARP, next, r) + __popc(votes & lower_lanes());
      if (word >> r & 1u) {
        given.values[place] = value_of_cell(given, first + r, j);
        given.indices[place] = j;
      }
      if (lane_index() == r) next += __popc(votes);
    }
  }
}
