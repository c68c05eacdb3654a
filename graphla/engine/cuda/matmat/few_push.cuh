// C[r, j] = ⊕_k F[r, k] ⊗ B[k, j] for a matrix F of few rows, by pushing: every product goes to its cell.
//
// The products are shared out evenly, PUSH_PRODUCTS to a block; a thread finds the entry of F that owns its product by
// a search in `ends`, the running count of products. Entries of F come row after row, so the cells that are written
// at one time lie in few rows of C and stay in the cache. `out` holds the identity at first, `present` is false. Any
// term will do for `any`: then cells are stored once, without an atomic.
//
// few_cell_flags: a thread owns an entry of the mask. few_cell_count, few_cell_fill: a block owns CELLS neighbours of a
// row, 16 to a thread.
//
// compiled: few_push<S, Side, Mask> with S = plus_times FP32 | min_plus FP32 | plus_first FP64 | any_pair BOOL |
//   max_min INT16 | min_plus INT64 | lor_land BOOL | plus_times FP64;
//   Side = VectorFirst | MatrixFirst; Mask = NoMask | Inside | Outside; hot
// compiled: few_push<S, VectorFirst, NoMask> with S = plus_times FC64
// compiled: few_push_shares<Offset> with Offset = int | long long
// compiled: few_cell_flags<Offset> with Offset = int | long long
// compiled: few_cell_count
// compiled: few_cell_fill<C> with C = float | bool | double | Complex<double>
#pragma once

#include "few_product.cuh"
#include "few_rows.py"  // CELLS, FEW_THREADS, PUSH_PRODUCTS
#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "headers/views.cuh"

constexpr int FEW_PUSH_EACH = PUSH_PRODUCTS / FEW_THREADS;
static_assert(CELLS == 16 * FEW_THREADS, "a block takes CELLS cells");

template <class S, class Side>
struct FewPushParameters {
  const int* rows;
  const int* few_indices;
  const typename Side::template Vector<S>* few_values;
  const long long* ends;
  const long long* shifts;
  const int* firsts;
  const int* indices;
  const typename Side::template Matrix<S>* values;
  const bool* flags;
  bool* present;
  typename S::C* out;
  long long products;
  long long width;
  int first_row;
};

// The first entry whose products end behind product e.
__device__ __forceinline__ int owner_of_product(const long long* ends, int low, int high, long long e) {
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (ends[middle] <= e) low = middle + 1;
    else high = middle;
  }
  return low;
}

template <class Offset>
struct FewPushSharesParameters {
  const Offset* begins;
  const long long* upto;
  int entries;
  long long products;
  int shares;
  long long* shifts;
  int* firsts;
};

// Product e of entry p stands at e + shifts[p]; firsts[k] is the entry that owns the first product of share k.
template <class Offset>
__global__ void few_push_shares(FewPushSharesParameters<Offset> given) {
  for (const int p : grid_range(given.entries)) given.shifts[p] = given.begins[p] - given.upto[p];
  for (const int k : grid_range(given.shares)) {
    const long long first = static_cast<long long>(k) * PUSH_PRODUCTS;
    const long long e = first < given.products ? first : given.products - 1;
    given.firsts[k] = owner_of_product(given.upto + 1, 0, given.entries, e);
  }
}

template <class S, class Side, class Mask>
__device__ __forceinline__ void put_product(
    const FewPushParameters<S, Side>& given, typename Side::template Matrix<S> b, typename Side::template Vector<S> x,
    int r, int k, int j) {
  const long long cell = r * given.width + j;
  if (!Mask::allows(given.flags, cell)) return;
  const bool first = !load_racing(given.present + cell);
  if (first) store_racing(given.present + cell, true);
  const typename S::C term = few_product<S, Side>(b, x, j, k, given.first_row + r);
  if constexpr (!S::is_any) join<S>(given.out + cell, term);
  else if (first) store_racing(given.out + cell, term);
}

template <class S, class Side, class Mask>
__global__ __launch_bounds__(FEW_THREADS) void few_push(FewPushParameters<S, Side> given) {
  using M = typename Side::template Matrix<S>;
  const long long base = static_cast<long long>(blockIdx.x) * PUSH_PRODUCTS;
  const int low = given.firsts[blockIdx.x], high = given.firsts[blockIdx.x + 1];
  int from[FEW_PUSH_EACH], j[FEW_PUSH_EACH];
  M b[FEW_PUSH_EACH];
#pragma unroll
  for (int step = 0; step < FEW_PUSH_EACH; ++step) {
    const long long e = base + step * FEW_THREADS + threadIdx.x;
    from[step] = e < given.products ? owner_of_product(given.ends, low, high, e) : -1;
    const long long q = from[step] < 0 ? 0 : e + given.shifts[from[step]];
    j[step] = from[step] < 0 ? 0 : given.indices[q];
    b[step] = from[step] < 0 ? M() : value_at<Side::template reads_matrix<S>>(given.values, q);
  }
#pragma unroll
  for (int step = 0; step < FEW_PUSH_EACH; ++step) {
    const int p = from[step];
    if (p < 0) continue;
    const auto x = value_at<Side::template reads_vector<S>>(given.few_values, p);
    put_product<S, Side, Mask>(given, b[step], x, given.rows[p], given.few_indices[p], j[step]);
  }
}

template <class Offset>
struct FewCellFlagsParameters {
  const Offset* indptr;
  const int* indices;
  bool* flags;
  Offset first;
  Offset last;
  long long width;
  int rows;
};

// The cells of a mask's entries first … last - 1.
template <class Offset>
__global__ void few_cell_flags(FewCellFlagsParameters<Offset> given) {
  for (const Offset e : grid_range(static_cast<Offset>(given.last - given.first))) {
    const Offset p = given.first + e;
    given.flags[row_of(given.indptr, given.rows, p) * given.width + given.indices[p]] = true;
  }
}

// The cells of this thread that hold an entry, a bit each.
__device__ __forceinline__ unsigned cells_here(const bool* present, long long width, int at) {
  if (at >= width) return 0;
  const auto cells = load_pack<16>(reinterpret_cast<const unsigned char*>(present) + blockIdx.y * width + at);
  unsigned bits = 0;
#pragma unroll
  for (int c = 0; c < 16; ++c) bits |= (cells[c] ? 1u : 0u) << c;
  return bits;
}

struct FewCellCountParameters {
  const bool* present;
  int* counts;
  long long width;
};

// counts[row, part]; the width is a multiple of 16, and cells past the last column hold nothing.
__global__ __launch_bounds__(FEW_THREADS) void few_cell_count(FewCellCountParameters given) {
  const unsigned bits = cells_here(given.present, given.width, (blockIdx.x * FEW_THREADS + threadIdx.x) * 16);
  const int count = block_reduce(__popc(bits));
  if (threadIdx.x == 0) given.counts[blockIdx.y * gridDim.x + blockIdx.x] = count;
}

template <class C>
struct FewCellFillParameters {
  const bool* present;
  const C* out;
  const long long* begins;
  int* indices;
  C* values;
  long long width;
};

template <class C>
__global__ __launch_bounds__(FEW_THREADS) void few_cell_fill(FewCellFillParameters<C> given) {
  const int at = (blockIdx.x * FEW_THREADS + threadIdx.x) * 16;
  const unsigned bits = cells_here(given.present, given.width, at);
  long long place = given.begins[blockIdx.y * gridDim.x + blockIdx.x] + block_exclusive_sum(__popc(bits)).before;
  for (unsigned left = bits; left; left &= left - 1) {
    const int column = at + __ffs(static_cast<int>(left)) - 1;
    given.indices[place] = column;
    given.values[place] = given.out[blockIdx.y * given.width + column];
    ++place;
  }
}
