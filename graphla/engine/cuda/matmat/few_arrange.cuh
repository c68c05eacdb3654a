// A matrix of few rows, up to 32 at a time, as the values and the bits of each vertex side by side, and back.
//
//   x[k, r] = F[r, k],  bit r of has[k] = whether F[r, k] is an entry
//
// few_transpose, few_restore: a block owns 32 vertices of a full matrix. few_transpose_thin: a thread owns a vertex.
// few_spread: a thread owns an entry. few_count, few_fill: a warp owns FILL_VERTICES vertices; lane r counts, and then
// remembers where the next entry of row r goes.
//
// compiled: few_transpose<C> with C = float | bool | double | Complex<double>
// compiled: few_restore<C> with C = float | bool | double | Complex<double>
// compiled: few_transpose_thin<C, BACK> with C = float | bool | double | Complex<double>; BACK = true | false
// compiled: few_spread<C, Offset, Values> with C = float | bool | long long; Offset = int | long long;
//   Values = true | false
// compiled: few_count
// compiled: few_fill<C, Entries> with C = float | bool | double | Complex<double>; Entries = Full | Words
#pragma once

#include "few_product.cuh"
#include "few_rows.py"  // FILL_VERTICES
#include "headers/primitives.cuh"
#include "headers/views.cuh"

template <class C>
struct FewTransposeParameters {
  C* full;
  C* x;
  long long width;
  int rows;
  int stride;
};

// x[k, r] = full[r, k]; 256 threads.
template <class C>
__global__ void few_transpose(FewTransposeParameters<C> given) {
  __shared__ C tile[32][33];
  const long long base = blockIdx.x * 32LL;
  const int lane = lane_index();
  for (int r = warp_index(); r < given.rows; r += 8)
    if (base + lane < given.width) tile[r][lane] = given.full[r * given.width + base + lane];
  __syncthreads();
  for (int k = warp_index(); k < 32; k += 8)
    if (base + k < given.width && lane < given.rows) given.x[(base + k) * given.stride + lane] = tile[lane][k];
}

// full[r, k] = x[k, r]; 256 threads.
template <class C>
__global__ void few_restore(FewTransposeParameters<C> given) {
  __shared__ C tile[32][33];
  const long long base = blockIdx.x * 32LL;
  const int lane = lane_index();
  for (int k = warp_index(); k < 32; k += 8)
    if (base + k < given.width && lane < given.rows) tile[lane][k] = given.x[(base + k) * given.stride + lane];
  __syncthreads();
  for (int r = warp_index(); r < given.rows; r += 8)
    if (base + lane < given.width) given.full[r * given.width + base + lane] = tile[r][lane];
}

// The same for up to THIN_ROWS rows: a thread owns a vertex. BACK: from x to full.
template <class C, bool BACK>
__global__ void few_transpose_thin(FewTransposeParameters<C> given) {
  for (const long long k : grid_range(given.width))
    for (int r = 0; r < given.rows; ++r) {
      C* full = given.full + r * given.width + k;
      C* x = given.x + k * given.stride + r;
      if constexpr (BACK) *full = *x;
      else *x = *full;
    }
}

template <class C, class Offset>
struct FewSpreadParameters {
  const Offset* indptr;
  const int* indices;
  const C* values;
  C* x;
  unsigned* has;
  Offset first;
  Offset last;
  int rows;
  int stride;
};

// The entries first … last - 1 of a compressed matrix; without values only their bits.
template <class C, class Offset, bool Values>
__global__ void few_spread(FewSpreadParameters<C, Offset> given) {
  for (const Offset e : grid_range(static_cast<Offset>(given.last - given.first))) {
    const Offset p = given.first + e;
    const int r = row_of(given.indptr, given.rows, p), k = given.indices[p];
    if constexpr (Values) given.x[static_cast<long long>(k) * given.stride + r] = given.values[p];
    atomicOr(given.has + k, 1u << r);
  }
}

struct FewCountParameters {
  const unsigned* found;
  int* counts;
  int vertices;
  int rows;
  int parts;
};

// counts[r, part] = entries of row r among the vertices of a part.
__global__ void few_count(FewCountParameters given) {
  const int part = static_cast<int>((blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / 32);
  if (part >= given.parts) return;
  int count = 0;
  for (int chunk = 0; chunk < FILL_VERTICES; chunk += 32) {
    const int v = part * FILL_VERTICES + chunk + lane_index();
    const unsigned word = v < given.vertices ? given.found[v] : 0u;
    for (int r = 0; r < given.rows; ++r) {
      const int here = __popc(__ballot_sync(WHOLE_WARP, word >> r & 1u));
      if (lane_index() == r) count += here;
    }
  }
  if (lane_index() < given.rows) given.counts[lane_index() * given.parts + part] = count;
}

template <class C>
struct FewFillParameters {
  const unsigned* found;
  const int* filled;
  const C* out;
  const long long* begins;
  int* indices;
  C* values;
  int vertices;
  int rows;
  int parts;
  int stride;
  bool numbered;
  bool listed;
};

// The entries of row r from begins[r, part] on; if all are there, row r begins at r times the number of vertices.
// `numbered`: vertex v has the column filled[v], else v. Without `listed` the columns are not written.
template <class C, class Entries>
__global__ void few_fill(FewFillParameters<C> given) {
  const int part = static_cast<int>((blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / 32);
  if (part >= given.parts) return;
  long long next = 0;
  if (lane_index() < given.rows) {
    if constexpr (Entries::all)
      next = static_cast<long long>(lane_index()) * given.vertices + part * static_cast<long long>(FILL_VERTICES);
    else next = given.begins[lane_index() * given.parts + part];
  }
  for (int chunk = 0; chunk < FILL_VERTICES; chunk += 32) {
    const int v = part * FILL_VERTICES + chunk + lane_index();
    const bool there = v < given.vertices;
    unsigned word = there ? ~0u : 0u;
    if constexpr (!Entries::all) word = there ? given.found[v] : 0u;
    const int column = there && given.numbered ? given.filled[v] : v;
    for (int r = 0; r < given.rows; ++r) {
      const unsigned votes = __ballot_sync(WHOLE_WARP, word >> r & 1u);
      const long long place = __shfl_sync(WHOLE_WARP, next, r) + __popc(votes & lower_lanes());
      if (word >> r & 1u) {
        given.values[place] = given.out[static_cast<long long>(v) * given.stride + r];
        if (given.listed) given.indices[place] = column;
      }
      if (lane_index() == r) next += __popc(votes);
    }
  }
}
