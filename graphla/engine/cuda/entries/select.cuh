// The entries of A that a rule keeps, in their order: a block owns SELECT_TILE of them, a warp SELECT_ROUNDS times 32.
//
// compiled: number_columns<I> with I = int | long long
// compiled: select_borders<P> with P = int | long long
// compiled: select_count<Chosen<Op>, P> with P = int | long long;
//   Op = indexunary.tril FP32 INT64 | indexunary.valuegt INT8; hot
// compiled: select_count<Rule, P> with Rule = Flagged | Mapped | Span | OutsidePart; P = int | long long; hot
// compiled: select_fill<Chosen<Op>, P, V> with P = int | long long;
//   Op = indexunary.tril FP32 INT64 | indexunary.valuegt INT8; V = float | signed char; hot
// compiled: select_fill<Rule, P, V> with Rule = Flagged | Mapped | OutsidePart; P = int | long long;
//   V = float | double | bool; hot
// compiled: select_fill<Span, P, V> with P = int | long long; V = float | double | bool; hot on sm_80 sm_100
#pragma once

#include "headers/primitives.cuh"
#include "select.py"  // SELECT_ROUNDS, SELECT_THREADS, SELECT_TILE

constexpr int SELECT_WORDS = SELECT_TILE / 32;

// An entry of a tile; its row is looked for only if a rule asks.
template <class P>
struct Entry {
  const P* indptr;
  int first_row, last_row, column;
  long long place;
  __device__ __forceinline__ int row() const {
    return first_row + row_of(indptr + first_row, last_row + 1 - first_row, static_cast<P>(place));
  }
};

// Which entries are kept; the column keeps its number, or gets another.
struct SameColumn {
  template <class E, class X>
  static __device__ __forceinline__ int column(const E& e, X) {
    return e.column;
  }
};
// op(value, i, j, thunk).
template <class Op>
struct Chosen : SameColumn {
  using First = const typename Op::A*;
  using Second = typename Op::B;
  template <class E>
  static __device__ __forceinline__ bool keeps(const E& e, First values, Second thunk) {
    return Op::apply(values[e.place], e.row(), e.column, thunk);
  }
};
struct Flagged : SameColumn {
  using First = const bool*;
  using Second = int;
  template <class E>
  static __device__ __forceinline__ bool keeps(const E& e, First flags, Second) {
    return flags[e.place];
  }
};
// Columns that have a new number, which is not negative.
struct Mapped {
  using First = const int*;
  using Second = int;
  template <class E>
  static __device__ __forceinline__ bool keeps(const E& e, First number, Second) {
    return number[e.column] >= 0;
  }
  template <class E>
  static __device__ __forceinline__ int column(const E& e, First number) {
    return number[e.column];
  }
};
// Columns of a span.
struct Span {
  using First = int;
  using Second = int;
  template <class E>
  static __device__ __forceinline__ bool keeps(const E& e, First begin, Second width) {
    return static_cast<unsigned>(e.column - begin) < static_cast<unsigned>(width);  // one comparison for both ends
  }
  template <class E>
  static __device__ __forceinline__ int column(const E& e, First begin) {
    return e.column - begin;
  }
};
// Not both the row and the column flagged.
struct OutsidePart : SameColumn {
  using First = const bool*;
  using Second = const bool*;
  template <class E>
  static __device__ __forceinline__ bool keeps(const E& e, First columns, Second rows) {
    return !(columns[e.column] && rows[e.row()]);
  }
};

// number[wanted[l]] = l.
template <class I>
__global__ void number_columns(const I* wanted, int count, int* number) {
  for (const int l : grid_range(count)) number[wanted[l]] = l;
}

// The last row that begins where a tile begins, or before.
template <class P>
__global__ void select_borders(const P* indptr, int rows, int tiles, long long entries, int* borders) {
  const int tile = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile > tiles) return;
  const long long wanted = static_cast<long long>(tile) * SELECT_TILE;
  borders[tile] = row_of(indptr, rows + 1, static_cast<P>(wanted < entries ? wanted : entries));
}

template <class P>
struct SelectTile {
  const P* indptr;
  const int* indices;
  long long entries;
  const int* borders;

  __device__ __forceinline__ long long begin() const { return static_cast<long long>(blockIdx.x) * SELECT_TILE; }
  // The place of this lane's entry in a round of its warp; a word of flags a round.
  __device__ __forceinline__ int word(int round) const { return warp_index() * SELECT_ROUNDS + round; }
  __device__ __forceinline__ Entry<P> entry(int round) const {
    const long long place = begin() + word(round) * 32 + lane_index();
    return {indptr, borders[blockIdx.x], borders[blockIdx.x + 1], place < entries ? indices[place] : 0, place};
  }
  template <class Rule>
  __device__ __forceinline__ bool keeps(
      const Entry<P>& e, typename Rule::First first, typename Rule::Second second) const {
    return e.place < entries && Rule::keeps(e, first, second);
  }
};

// counts[tile] = entries that are kept.
template <class Rule, class P>
__global__ __launch_bounds__(SELECT_THREADS) void select_count(
    typename Rule::First first, typename Rule::Second second, const P* indptr, const int* indices, long long entries,
    const int* borders, int* counts) {
  const SelectTile<P> tile{indptr, indices, entries, borders};
  int mine = 0;
  for (int round = 0; round < SELECT_ROUNDS; ++round)
    mine += tile.template keeps<Rule>(tile.entry(round), first, second);
  const int all = block_reduce(mine);
  if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

template <class Rule, class P, class V>
struct SelectParameters {
  typename Rule::First first;
  typename Rule::Second second;
  const P* indptr;
  const int* indices;
  const V* values;
  long long entries;
  const int* borders;
  const long long* kept_before;  // entries that the tiles before each one keep
  P* out_indptr;
  int* out_indices;
  V* out_values;
};

// A row of the result begins after what is kept before the row's first entry.
template <class Rule, class P, class V>
__global__ __launch_bounds__(SELECT_THREADS) void select_fill(
    const __grid_constant__ SelectParameters<Rule, P, V> given) {
  __shared__ unsigned words[SELECT_WORDS + 1];
  __shared__ int before[SELECT_WORDS + 1];
  const SelectTile<P> tile{given.indptr, given.indices, given.entries, given.borders};
  for (int round = 0; round < SELECT_ROUNDS; ++round) {
    const unsigned votes =
        __ballot_sync(WHOLE_WARP, tile.template keeps<Rule>(tile.entry(round), given.first, given.second));
    if (lane_index() == 0) words[tile.word(round)] = votes;
  }
  __syncthreads();
  const Prefix<int> place = block_exclusive_sum(threadIdx.x < SELECT_WORDS ? __popc(words[threadIdx.x]) : 0);
  if (threadIdx.x <= SELECT_WORDS) before[threadIdx.x] = place.before;
  if (threadIdx.x == SELECT_WORDS) words[SELECT_WORDS] = 0;
  __syncthreads();
  const auto upto = [&](int i) {  // what is kept before entry i of the tile, in all tiles
    return given.kept_before[blockIdx.x] + before[i / 32] + __popc(words[i / 32] & ((1u << i % 32) - 1));
  };
  for (int round = 0; round < SELECT_ROUNDS; ++round) {
    const int word = tile.word(round);
    if (!(words[word] >> lane_index() & 1u)) continue;
    const Entry<P> e = tile.entry(round);
    const long long at = upto(word * 32 + lane_index());
    given.out_indices[at] = Rule::column(e, given.first);
    given.out_values[at] = given.values[e.place];
  }
  for (const int row : block_range(given.borders[blockIdx.x] + 1, given.borders[blockIdx.x + 1] + 1))
    given.out_indptr[row] = static_cast<P>(upto(static_cast<int>(given.indptr[row] - tile.begin())));
}
