// C = A ∪ B, A ∩ B or A ∖ B by rows of sorted columns: one walk over the entries of both, row after row, in equal
// shares.
//
// A step of the walk takes one entry, A's first where columns are equal, and decides for itself whether C has an entry
// there. A block owns MERGE_TILE steps whose columns it holds in shared memory, a thread MERGE_STEPS of them.
//
// compiled: merge_borders<P> with P = int | long long
// compiled: merge_count<Rule, P> with Rule = Either | Both | LeftInside | LeftOutside; P = int | long long; hot
// compiled: merge_fill<Rule, P, Q, Op, FromLeft, FromRight, Passing<Op>> with Rule = Either | Both | LeftInside |
//   LeftOutside; P = int | long long; Q = int | long long; Op = binary.plus FP32 | binary.lt INT8;
//   FromLeft = unary.identity FP32 | unary.identity INT8; FromRight = unary.identity FP32 | unary.identity INT8; hot
// compiled: merge_count<MaskDecides, P> with P = int | long long; hot
// compiled: merge_fill<MaskDecides, P, P, Op, FromLeft, FromRight, Passing<Op>> with P = int | long long;
//   Op = binary.first FP32; FromLeft = unary.identity FP32; FromRight = unary.identity FP32; hot
// compiled: merge_places<P, V> with P = int | long long; V = unsigned char | int | long long | Wide; hot
// compiled: merge_fill<Rule, P, P, Op, FromLeft, FromRight, Meeting<Op>> with Rule = Either; P = int;
//   Op = binary.minus INT64; FromLeft = unary.identity INT64; FromRight = unary.identity INT64; hot
#pragma once

#include "alone.cuh"
#include "headers/primitives.cuh"
#include "headers/wide.cuh"
#include "merge.py"  // MERGE_STEPS, MERGE_THREADS, MERGE_TILE

// Whether a step makes an entry of C, given that the other side has one there too; whether values of B are read.
struct Either {
  static constexpr bool reads_b = true, asks = false;
  static __device__ __forceinline__ bool left(bool) { return true; }
  static __device__ __forceinline__ bool right(bool equal) { return !equal; }
};
struct Both {
  static constexpr bool reads_b = true, asks = false;
  static __device__ __forceinline__ bool left(bool equal) { return equal; }
  static __device__ __forceinline__ bool right(bool) { return false; }
};
struct LeftInside : Both { static constexpr bool reads_b = false; };
struct LeftOutside {
  static constexpr bool reads_b = false, asks = false;
  static __device__ __forceinline__ bool left(bool equal) { return !equal; }
  static __device__ __forceinline__ bool right(bool) { return false; }
};
// B is a mask with a value at some entries: A's entries outside it, and its own where `flags` are up.
struct MaskDecides {
  static constexpr bool reads_b = true, asks = true;
  static __device__ __forceinline__ bool left(bool equal) { return !equal; }
  static __device__ __forceinline__ bool right(bool) { return true; }
};

// The next entry of each side.
struct Walk { long long a, b; };

__device__ __forceinline__ long long least(long long x, long long y) { return y < x ? y : x; }
__device__ __forceinline__ long long most(long long x, long long y) { return x < y ? y : x; }

template <class P>
struct TwoMatrices {
  const P* left_indptr;
  const int* left_indices;
  const P* right_indptr;
  const int* right_indices;

  __device__ __forceinline__ Walk row(int number) const { return {left_indptr[number], right_indptr[number]}; }
  __device__ __forceinline__ long long begin(int number) const { return row(number).a + row(number).b; }
  // The last row of [first, last] that begins at a step or before it.
  __device__ __forceinline__ int row_at(int first, int last, long long step) const {
    while (first < last) {
      const int middle = last - (last - first) / 2;
      if (begin(middle) <= step) first = middle;
      else last = middle - 1;
    }
    return first;
  }
};

// The walk at a step, among the entries from `from` up to `upto` of one row; columns are a[place - a0] and b[place -
// b0].
__device__ __forceinline__ Walk walk_to(
    long long step, Walk from, Walk upto, const int* a, long long a0, const int* b, long long b0) {
  const long long share = step - from.a - from.b, a_all = upto.a - from.a, b_all = upto.b - from.b;
  long long low = share > b_all ? share - b_all : 0, high = share < a_all ? share : a_all;
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (a[from.a + middle - a0] <= b[from.b + share - 1 - middle - b0]) low = middle + 1;
    else high = middle;
  }
  return {from.a + low, from.b + share - low};
}

// Where the tiles begin: row, place in A, place in B.
template <class P>
__global__ void merge_borders(
    const P* left_indptr, const int* left_indices, const P* right_indptr, const int* right_indices, int rows, int tiles,
    int* row_of, long long* a_of, long long* b_of) {
  const int tile = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile > tiles) return;
  const TwoMatrices<P> of{left_indptr, left_indices, right_indptr, right_indices};
  const long long all = of.begin(rows), wanted = static_cast<long long>(tile) * MERGE_TILE;
  const long long step = wanted < all ? wanted : all;
  const int row = row_of[tile] = of.row_at(0, rows, step);
  const Walk at =
      row == rows ? of.row(rows) : walk_to(step, of.row(row), of.row(row + 1), left_indices, 0, right_indices, 0);
  a_of[tile] = at.a;
  b_of[tile] = at.b;
}

// A tile of the walk: its columns in shared memory, with one neighbour at each end.
template <class P>
struct MergeTile {
  TwoMatrices<P> of;
  int first_row, last_row;
  long long a0, a1, b0, b1;
  const int *a, *b;  // of the places from a0 - 1 and from b0 on

  __device__ __forceinline__ MergeTile(
      const TwoMatrices<P>& both, int rows, const int* row_of, const long long* a_of, const long long* b_of, int* held)
      : of(both),
        first_row(row_of[blockIdx.x]),
        last_row(row_of[blockIdx.x + 1]),
        a0(a_of[blockIdx.x]),
        a1(a_of[blockIdx.x + 1]),
        b0(b_of[blockIdx.x]),
        b1(b_of[blockIdx.x + 1]),
        a(held),
        b(held + (a1 - a0) + 2) {
    const long long a_all = of.left_indptr[rows], b_all = of.right_indptr[rows];
    const int of_a = static_cast<int>(a1 - a0) + 2, of_b = static_cast<int>(b1 - b0) + 1;
    for (const int i : block_range(0, of_a))
      if (a0 - 1 + i >= 0 && a0 - 1 + i < a_all) held[i] = of.left_indices[a0 - 1 + i];
    for (const int i : block_range(0, of_b))
      if (b0 + i < b_all) held[of_a + i] = of.right_indices[b0 + i];
    __syncthreads();
  }
  __device__ __forceinline__ long long begin() const { return a0 + b0; }
  __device__ __forceinline__ int steps() const { return static_cast<int>(a1 - a0 + b1 - b0); }

  // visit(s, at, in A?, in B?) for each step s of this thread that makes an entry.
  template <class Rule, class Visit>
  __device__ __forceinline__ void walk(Visit visit) const {
    const int first = threadIdx.x * MERGE_STEPS, all = steps(),
              last = first + MERGE_STEPS < all ? first + MERGE_STEPS : all;
    if (first >= last) return;
    int row = of.row_at(first_row, last_row, begin() + first);
    Walk from = of.row(row), upto = of.row(row + 1);
    Walk at = walk_to(begin() + first, {most(from.a, a0), most(from.b, b0)}, {least(upto.a, a1), least(upto.b, b1)}, a,
                      a0 - 1, b, b0);
    for (int s = first; s < last; ++s) {
      if (at.a == upto.a && at.b == upto.b) {
        row = of.row_at(row + 1, last_row, begin() + s);
        from = of.row(row);
        upto = of.row(row + 1);
      }
      const bool has_a = at.a < upto.a, has_b = at.b < upto.b;
      const int x = has_a ? a[at.a - a0 + 1] : 0, y = has_b ? b[at.b - b0] : 0;
      if (has_a && (!has_b || x <= y)) {
        const bool equal = has_b && x == y;
        if (Rule::left(equal)) visit(s, at, true, equal);
        ++at.a;
      } else {
        if (Rule::right(at.a > from.a && a[at.a - a0] == y)) visit(s, at, false, true);
        ++at.b;
      }
    }
  }
};

template <class P>
struct MergeCountParameters {
  const P* left_indptr;
  const int* left_indices;
  const P* right_indptr;
  const int* right_indices;
  int rows;
  const int* row_of;  // where each tile begins
  const long long* a_of;
  const long long* b_of;
  const bool* flags;  // of entries of B
  int* counts;
};

// counts[tile] = entries of C that a tile makes.
template <class Rule, class P>
__global__ __launch_bounds__(
    MERGE_THREADS, 6) void merge_count(  // without the 6, sm_80 keeps to 32 registers and spills
    const __grid_constant__ MergeCountParameters<P> given) {
  __shared__ int held[MERGE_TILE + 3];
  const TwoMatrices<P> of{given.left_indptr, given.left_indices, given.right_indptr, given.right_indices};
  const MergeTile<P> tile(of, given.rows, given.row_of, given.a_of, given.b_of, held);
  int mine = 0;
  tile.template walk<Rule>([&](int, Walk at, bool in_a, bool) { mine += !Rule::asks || in_a || given.flags[at.b]; });
  const int all = block_reduce(mine);
  if (threadIdx.x == 0) given.counts[blockIdx.x] = all;
}

template <class P, class V>
struct MergePlacesParameters {
  const P* left_indptr;
  const int* left_indices;
  const V* left_values;
  const P* right_indptr;
  const int* right_indices;
  int rows;
  const int* row_of;  // where each tile begins
  const long long* a_of;
  const long long* b_of;
  bool* flags;  // of entries of B
  V* out;
};

// Where B has entries of A: their values, and flags that were down.
template <class P, class V>
__global__ __launch_bounds__(MERGE_THREADS) void merge_places(
    const __grid_constant__ MergePlacesParameters<P, V> given) {
  __shared__ int held[MERGE_TILE + 3];
  const TwoMatrices<P> of{given.left_indptr, given.left_indices, given.right_indptr, given.right_indices};
  const MergeTile<P> tile(of, given.rows, given.row_of, given.a_of, given.b_of, held);
  tile.template walk<Both>([&](int, Walk at, bool, bool) {
    given.flags[at.b] = true;
    given.out[at.b] = given.left_values[at.a];
  });
}

template <class P, class Q, class Op>
struct MergeParameters {
  const P* left_indptr;
  const int* left_indices;
  const typename Op::A* left_values;
  const P* right_indptr;
  const int* right_indices;
  const typename Op::B* right_values;
  int rows;
  const int* row_of;  // where each tile begins
  const long long* a_of;
  const long long* b_of;
  const bool* flags;             // of entries of B
  const long long* made_before;  // entries that the tiles before each one make
  typename Op::A a_fill;
  typename Op::B b_fill;
  Q* out_indptr;
  int* out_indices;
  typename Op::C* out_values;
};

// A row of C begins after what the steps before the row's first one make.
template <class Rule, class P, class Q, class Op, class FromLeft, class FromRight, class Alone>
__global__ __launch_bounds__(MERGE_THREADS) void merge_fill(const __grid_constant__ MergeParameters<P, Q, Op> given) {
  __shared__ int held[MERGE_TILE + 3];
  __shared__ int sources[MERGE_TILE + MERGE_THREADS];  // of a step: what it makes, from which places of the tile
  __shared__ int before[MERGE_THREADS + 1];
  __shared__ unsigned char made[MERGE_THREADS + 1];
  constexpr int SHIFT = 13, MASK = (1 << SHIFT) - 1, IN_A = 1 << 2 * SHIFT, IN_B = 2 << 2 * SHIFT;
  static_assert(MERGE_STEPS == 8 && MERGE_TILE < MASK, "a byte of steps a thread, and places that fit their bits");
  const TwoMatrices<P> of{given.left_indptr, given.left_indices, given.right_indptr, given.right_indices};
  const MergeTile<P> tile(of, given.rows, given.row_of, given.a_of, given.b_of, held);
  unsigned mine = 0;
  tile.template walk<Rule>([&](int s, Walk at, bool in_a, bool in_b) {
    if (Rule::asks && !in_a && !given.flags[at.b]) return;
    sources[s + s / MERGE_STEPS] = static_cast<int>(at.a - tile.a0) | static_cast<int>(at.b - tile.b0) << SHIFT |
                                   (in_a ? IN_A : 0) | (in_b ? IN_B : 0);
    mine |= 1u << s % MERGE_STEPS;
  });
  const Prefix<int> place = block_exclusive_sum(__popc(mine));
  before[threadIdx.x] = place.before;
  made[threadIdx.x] = static_cast<unsigned char>(mine);
  if (threadIdx.x == 0) {
    before[MERGE_THREADS] = place.total;
    made[MERGE_THREADS] = 0;
  }
  __syncthreads();
  // Entries that the steps before step s of the tile make, in this tile and in those before.
  const auto upto = [&](int s) {
    const unsigned earlier = made[s / MERGE_STEPS] & ((1u << s % MERGE_STEPS) - 1);
    return given.made_before[blockIdx.x] + before[s / MERGE_STEPS] + __popc(earlier);
  };
  for (const int s : block_range(0, tile.steps())) {
    if (!(made[s / MERGE_STEPS] >> s % MERGE_STEPS & 1)) continue;
    const int source = sources[s + s / MERGE_STEPS], from_a = source & MASK, from_b = source >> SHIFT & MASK;
    const bool in_a = source & IN_A, in_b = source & IN_B;
    const typename Op::A x = in_a ? given.left_values[tile.a0 + from_a] : given.a_fill;
    const typename Op::B y = Rule::reads_b && in_b ? given.right_values[tile.b0 + from_b] : given.b_fill;
    const long long at = upto(s);
    given.out_indices[at] = in_a ? tile.a[from_a + 1] : tile.b[from_b];
    given.out_values[at] = in_a && in_b ? Op::apply(x, y)
                           : in_a       ? Alone::template left<FromLeft>(x, y)
                                        : Alone::template right<FromRight>(x, y);
  }
  for (const int row : block_range(tile.first_row + 1, tile.last_row + 1))
    given.out_indptr[row] = static_cast<Q>(upto(static_cast<int>(tile.of.begin(row) - tile.begin())));
}
