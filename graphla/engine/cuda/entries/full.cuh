// A full matrix F beside a compressed one, A: only the cells of the latter are read. Blocks share the entries evenly.
//
// combine_beside_full: the values F[i, j] ∘ A[i, j], or A[i, j] ∘ F[i, j], in the order of A's entries.
// accumulate_into_full: F[i, j] = F[i, j] ∘ A[i, j].
//
// compiled: combine_beside_full<P, Op, LEFT> with P = int | long long; Op = binary.truediv FP64 | binary.lt INT8 |
//   binary.plus FP32; LEFT = true | false; hot
// compiled: accumulate_into_full<P, Op> with P = int | long long; Op = binary.plus FP64 | binary.lor BOOL; hot
#pragma once

#include "full.py"  // FULL_THREADS, FULL_TILE
#include "headers/primitives.cuh"
#include "headers/share.cuh"

// LEFT: the full matrix has the left operands.
template <class Op, bool LEFT>
struct Sides {
  using Full = typename Op::A;
  using Entry = typename Op::B;
  static __device__ __forceinline__ typename Op::C apply(Full f, Entry a) { return Op::apply(f, a); }
};
template <class Op>
struct Sides<Op, false> {
  using Full = typename Op::B;
  using Entry = typename Op::A;
  static __device__ __forceinline__ typename Op::C apply(Full f, Entry a) { return Op::apply(a, f); }
};

template <class P, class Full, class Entry, class Out>
struct BesideFullParameters {
  const P* indptr;
  const int* indices;
  const Entry* values;
  const Full* full;
  Out* out;
  int rows;
  long long columns;
  long long entries;
};

// visit(e, cell) for the entries of this block.
template <class P, class Visit>
__device__ __forceinline__ void visit_cells(
    const P* indptr, const int* indices, int rows, long long columns, long long entries, Visit visit) {
  const Share mine = share_of(indptr, rows, entries, FULL_TILE);
  for (const long long e : block_range(mine.begin, mine.end)) {
    const int row = mine.first + row_of(indptr + mine.first, mine.many, static_cast<P>(e));
    visit(e, row * columns + indices[e]);
  }
}

template <class P, class Op, bool LEFT>
__global__ __launch_bounds__(FULL_THREADS) void combine_beside_full(
    const __grid_constant__
        BesideFullParameters<P, typename Sides<Op, LEFT>::Full, typename Sides<Op, LEFT>::Entry, typename Op::C>
            given) {
  visit_cells(
      given.indptr, given.indices, given.rows, given.columns, given.entries, [&given](long long e, long long cell) {
        given.out[e] = Sides<Op, LEFT>::apply(given.full[cell], given.values[e]);
      });
}

// `out` is F.
template <class P, class Op>
__global__ __launch_bounds__(FULL_THREADS) void accumulate_into_full(
    const __grid_constant__ BesideFullParameters<P, typename Op::A, typename Op::B, typename Op::C> given) {
  visit_cells(given.indptr, given.indices, given.rows, given.columns, given.entries,
              [&given](long long e, long long cell) { given.out[cell] = Op::apply(given.out[cell], given.values[e]); });
}
