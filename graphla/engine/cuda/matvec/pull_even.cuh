// w[i] = ⊕_k M[i, k] ⊗ v[k] with every row wanted: each block takes the same number of arcs.
//
// The products of a stretch of arcs, read in whole lines, stand in shared memory; teams of lanes, as large as the
// number of rows in the stretch allows, add up its rows. A row that reaches into another stretch is joined by an
// atomic. `filled` lists the rows that have arcs and `indptr` is that of these rows; `first_row` where each stretch
// begins. Where v has gaps, they are holes in it, in the products and in
// the result; of rows that stretches share flags tell whether one has found an entry.
//
// compiled: pull_even<S, Side, Offset, Whole> with S = plus_times FP32 | min_plus FP32 | max_min INT16 |
//   plus_times FP64; Side = MatrixFirst | VectorFirst; Offset = int | long long; hot
// compiled: pull_even<S, Side, Offset, Holes> with S = plus_times FP32 | min_plus FP32 | plus_times FP64;
//   Side = MatrixFirst | VectorFirst; Offset = int | long long; hot
// compiled: pull_even<S, MatrixFirst, int, Whole> with S = plus_times FC64
// compiled: begin_even<S, Side> with S = plus_times FP32 | max_min INT16; Side = MatrixFirst | VectorFirst; hot
// compiled: end_holes<C> with C = float | double
// compiled: begin_holes<S, Side> with S = plus_times FP32 | plus_times FP64; Side = MatrixFirst | VectorFirst; hot
#pragma once

#include "board.cuh"
#include "headers/gaps.cuh"
#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "headers/views.cuh"
#include "pull_even.py"  // EVEN_STRETCH, EVEN_THREADS

constexpr int EVEN_EACH = EVEN_STRETCH / EVEN_THREADS, EVEN_LOOPS = 16;

// Flags of a row where the vector has gaps: several stretches may share it, and then whether one has found an entry.
constexpr unsigned char SHARED = 2, FOUND = 1;

// Write the sum of row i, or join it to what other stretches find; an `outer` row of a stretch is flagged.
template <class S, class Entries>
__device__ __forceinline__ void put(
    typename S::C* out, bool* flags, int i, typename S::C total, bool alone, bool outer) {
  if (alone) out[i] = total;
  else if (Entries::has(total)) join<S>(out + i, total);
  if constexpr (!Entries::all)
    if (outer && Entries::has(total)) atomicOr(word_around(flags + i), FOUND * 1u << bit_in_word(flags + i));
}

template <class S, class Side, class Offset, class Entries>
struct Stretch {
  using C = typename S::C;
  static_assert(Entries::all || Side::template reads_vector<S>, "its loads tell the holes");
  Offset base, limit;

  // The products of the stretch into shared memory; the loads of a thread are under way together.
  __device__ __forceinline__ void multiply(const int* indices, const typename Side::template Matrix<S>* values,
                                           const typename Side::template Vector<S>* vector, C* terms) const {
    int k[EVEN_EACH];
    typename Side::template Matrix<S> a[EVEN_EACH];
#pragma unroll
    for (int step = 0; step < EVEN_EACH; ++step) {
      const Offset q = base + step * EVEN_THREADS + threadIdx.x;
      k[step] = q < limit ? load_once(indices + q) : 0;
      a[step] = typename Side::template Matrix<S>();
      if constexpr (Side::template reads_matrix<S>)
        if (q < limit) a[step] = load_once(values + q);
    }
#pragma unroll
    for (int step = 0; step < EVEN_EACH; ++step) {
      typename Side::template Vector<S> x{};
      if constexpr (Side::template reads_vector<S>) x = load_constant(vector + k[step]);
      terms[step * EVEN_THREADS + threadIdx.x] =
          Entries::keep(Side::template product<S>(a[step], x, 0, k[step]), Entries::has(x));
    }
  }
};

// The most lanes, a power of two up to 32, that leave each row a team.
__device__ __forceinline__ int lanes_a_row(int rows) {
  int team = 1;
  while (team < 32 && 2 * team * rows <= EVEN_THREADS) team *= 2;
  return team;
}

// The rows of a stretch whose parts in it are longer than `above` and not longer than `most`, by teams of `team` lanes.
template <class S, class Entries, class Offset>
__device__ __forceinline__ void add_rows(
    const typename S::C* terms, const int* filled, const Offset* indptr, int rows, Offset base, Offset limit, int team,
    int above, int most, typename S::C* out, bool* flags) {
  const int lane = threadIdx.x % team;
  for (int done = 0; done < rows; done += EVEN_THREADS / team) {
    const int row = done + threadIdx.x / team;
    const Offset begins = row < rows ? indptr[row] : limit, ends = row < rows ? indptr[row + 1] : limit;
    const int from = static_cast<int>((begins > base ? begins : base) - base);
    const int to = static_cast<int>((ends < limit ? ends : limit) - base);
    const bool mine = to - from > above && to - from <= most;
    if (!__any_sync(WHOLE_WARP, mine)) continue;
    typename S::C total = Entries::template none<S>();
    if (mine)
      for (int p = from + lane; p < to; p += team) total = Entries::template add<S>(total, terms[p]);
    for (int distance = team / 2; distance; distance /= 2)
      total = Entries::template add<S>(total, shuffle_xor(total, distance));
    const bool alone = begins >= base && ends <= limit, outer = row == 0 || row == rows - 1;
    if (lane == 0 && mine) put<S, Entries>(out, flags, filled[row], total, alone, outer);
  }
}

template <class S, class Side, class Offset>
struct EvenParameters {
  const int* filled;
  const Offset* indptr;
  const int* first_row;
  const int* indices;
  const typename Side::template Matrix<S>* values;
  const typename Side::template Vector<S>* vector;
  const typename Side::template Vector<S>* hubs;
  int hub_count;
  typename S::C* out;
  bool* flags;  // of rows that stretches share, where the vector has gaps
  Offset arcs;
};

template <class S, class Side, class Offset, class Entries>
__global__ __launch_bounds__(EVEN_THREADS, 5) void pull_even(
    const __grid_constant__ EvenParameters<S, Side, Offset> given) {
  __shared__ typename S::C terms[EVEN_STRETCH];
  const Offset base = static_cast<Offset>(blockIdx.x) * EVEN_STRETCH;
  const Offset limit = given.arcs - base < EVEN_STRETCH ? given.arcs : base + EVEN_STRETCH;
  Stretch<S, Side, Offset, Entries>{base, limit}.multiply(given.indices, given.values, given.vector, terms);
  __syncthreads();
  const int first = given.first_row[blockIdx.x], rows = given.first_row[blockIdx.x + 1] - first + 1;
  const int* const filled = given.filled + first;
  const Offset* const indptr = given.indptr + first;
  const int team = lanes_a_row(rows), most = team < 32 ? EVEN_LOOPS * team : EVEN_STRETCH;
  add_rows<S, Entries>(terms, filled, indptr, rows, base, limit, team, 0, most, given.out, given.flags);
  if (team < 32)
    add_rows<S, Entries>(terms, filled, indptr, rows, base, limit, 32, most, EVEN_STRETCH, given.out, given.flags);
}

// What a pull of all rows finds: rows that several stretches share at the identity, `has` as a copy of the rows that
// have arcs, and the values of the hubs side by side.
template <class S, class Side>
__global__ void begin_even(const int* shared_rows, int shared_count, typename S::C* out, const bool* present, int size,
                           bool* has, const int* hub, int hub_count, const typename Side::template Vector<S>* vector,
                           typename Side::template Vector<S>* hubs) {
  for (const int p : grid_range(shared_count))
    if (p == 0 || shared_rows[p] != shared_rows[p - 1]) out[shared_rows[p]] = S::identity();
  for (const int h : grid_range(hub_count)) hubs[h] = vector[hub[h]];
  copy_flags(present, size, has);
}

template <class S, class Side>
struct HoleParameters {
  const bool* has;
  const typename Side::template Vector<S>* vector;
  int size;
  typename Side::template Vector<S>* whole;
  const int* hub;
  int hub_count;
  typename Side::template Vector<S>* hubs;
  const bool* shared;  // rows that several stretches share
  int rows;
  typename S::C* out;
  bool* flags;
};

// The same where v has gaps, which become holes: `whole` has those, `hubs` the values of the hubs, and each row of
// `out` is one, but those that several stretches share, which `flags` tells.
template <class S, class Side>
__global__ void begin_holes(const __grid_constant__ HoleParameters<S, Side> given) {
  using C = typename S::C;
  for (const int h : grid_range(given.hub_count))
    given.hubs[h] = Holes::keep(given.vector[given.hub[h]], given.has[given.hub[h]]);
  for (const int k : grid_range(given.size)) given.whole[k] = Holes::keep(given.vector[k], given.has[k]);
  for (const int i : grid_range(given.rows)) {
    const bool shared = given.shared[i];
    given.out[i] = shared ? S::identity() : Holes::none<S>();
    reinterpret_cast<unsigned char*>(given.flags)[i] = shared ? SHARED : 0;
  }
}

// Which rows have found an entry, and how many.
template <class C>
__global__ void end_holes(const C* out, int rows, Board* board) {
  bool* const present = board->present();
  unsigned char* const flags = reinterpret_cast<unsigned char*>(present);
  int count = 0;
  for (const int i : grid_range(rows)) {
    const unsigned char flag = flags[i];
    const bool there = flag & FOUND || (flag == 0 && Holes::has(out[i]));
    present[i] = there;
    count += there;
  }
  count = __reduce_add_sync(WHOLE_WARP, count);
  if (lane_index() == 0 && count) atomicAdd(&board->count, static_cast<unsigned long long>(count));
}
