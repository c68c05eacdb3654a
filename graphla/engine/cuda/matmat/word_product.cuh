// C[r, i] = ∨_k F[r, k] ∧ B[k, i] for 64 rows r at once: out[i] = OR of words[k] over the arcs, where the mask allows.
//
// word_pull: a block owns a stretch of arcs and a plane of 64 rows; a thread walks an equal part of it. A row ends as
// soon as it has every bit that the mask allows and that it lacks yet; a row that is cut is joined by atomics.
// word_queue: a thread owns a column of F; those with entries and arcs become a queue with its own running sum of arcs.
// word_push: a block owns PUSH_PRODUCTS arcs of the queue. Words that are written are zero at first.
//
// compiled: word_pull<Mask, Offset> with Mask = NoMask | Inside | Outside; Offset = int | long long; hot
// compiled: word_queue<Offset> with Offset = int | long long
// compiled: word_push<Mask> with Mask = NoMask | Inside | Outside; hot
#pragma once

#include "few_rows.py"  // FEW_THREADS, PUSH_PRODUCTS
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"
#include "headers/views.cuh"
#include "matvec/pull_even.py"  // EVEN_STRETCH
#include "word_parts.py"        // WORD_THREADS

using Bits = unsigned long long;

constexpr int WORD_TOGETHER = 4;  // words of a thread whose loads are under way together
constexpr int WORD_PART = EVEN_STRETCH / WORD_THREADS;

// The bits that a mask lets a column take.
template <class Mask>
__device__ __forceinline__ Bits allowed_bits(const Bits* mask, long long place, Bits every) {
  if constexpr (!Mask::any) return every;
  else if constexpr (is_same<Mask, Inside>) return load_constant(mask + place);
  else return ~load_constant(mask + place) & every;
}

template <class Offset>
struct WordPullParameters {
  const int* filled;
  const Offset* indptr;
  const int* first_row;
  const int* indices;
  const Bits* words;
  const Bits* mask;
  Bits* out;
  Offset arcs;
  int inner;  // columns of F
  int columns;
  Bits last;  // the rows of the last plane
};

// OR of the words of the arcs from … to - 1, until every wanted bit is met.
__device__ __forceinline__ Bits pull_words(const Bits* words, const int* staged, int from, int to, Bits want) {
  Bits got = 0;
  for (int q = from; q < to && (want & ~got); q += WORD_TOGETHER) {
    Bits word[WORD_TOGETHER];
#pragma unroll
    for (int step = 0; step < WORD_TOGETHER; ++step) {
      const int at = q + step < to ? q + step : to - 1;
      word[step] = load_constant(words + staged[at + at / WORD_PART]);
    }
#pragma unroll
    for (int step = 0; step < WORD_TOGETHER; ++step) got |= word[step];
  }
  return got & want;
}

template <class Mask, class Offset>
__global__ __launch_bounds__(WORD_THREADS) void word_pull(WordPullParameters<Offset> given) {
  __shared__ int staged[EVEN_STRETCH + WORD_THREADS];  // a place is left out after each part: no bank is shared
  const Offset base = static_cast<Offset>(blockIdx.x) * EVEN_STRETCH;
  const int arcs = static_cast<int>(given.arcs - base < EVEN_STRETCH ? given.arcs - base : EVEN_STRETCH);
  for (int q = threadIdx.x; q < arcs; q += WORD_THREADS)
    staged[q + q / WORD_PART] = load_once(given.indices + base + q);
  __syncthreads();
  const int from = static_cast<int>(threadIdx.x) * WORD_PART;
  const int to = from + WORD_PART < arcs ? from + WORD_PART : arcs;
  if (from >= to) return;
  const Bits* words = given.words + blockIdx.y * static_cast<long long>(given.inner);
  const Bits every = blockIdx.y == gridDim.y - 1 ? given.last : ~static_cast<Bits>(0);
  const int first = given.first_row[blockIdx.x], rows = given.first_row[blockIdx.x + 1] - first + 1;
  int row = first + row_of(given.indptr + first, rows, static_cast<Offset>(base + from));
  for (int q = from; q < to; ++row) {
    const Offset begins = given.indptr[row], ends = given.indptr[row + 1];
    const int stop = ends - base < to ? static_cast<int>(ends - base) : to;
    const bool whole = begins >= base + from && ends <= base + to;
    const long long place = blockIdx.y * static_cast<long long>(given.columns) + given.filled[row];
    Bits want = allowed_bits<Mask>(given.mask, place, every);
    if (want && !whole) want &= ~load_racing(given.out + place);
    const Bits got = want ? pull_words(words, staged, q, stop, want) : 0;
    if (got && whole) given.out[place] = got;
    else if (got) atomicOr(given.out + place, got);
    q = stop;
  }
}

template <class Offset>
struct WordQueueParameters {
  const Bits* words;
  const Offset* indptr;
  int* vertex;
  long long* before;
  long long* shift;
  Wide* packed;
  Bits* out;
  long long cleared;  // words of the product, which are zero when the push begins
  int columns;
  int planes;
};

// Entry e of the queue: its column, its arcs' first number in the queue, and the way from there to the matrix.
template <class Offset>
__global__ __launch_bounds__(FEW_THREADS) void word_queue(WordQueueParameters<Offset> given) {
  __shared__ Wide begin;
  for (const long long place : grid_range(given.cleared)) given.out[place] = 0;
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  Bits any = 0;
  for (int plane = 0; j < given.columns && plane < given.planes; ++plane)
    any |= given.words[plane * static_cast<long long>(given.columns) + j];
  const long long arcs = any ? static_cast<long long>(given.indptr[j + 1] - given.indptr[j]) : 0;
  const Prefix<Wide> mine = block_exclusive_sum(arcs ? static_cast<Wide>(1) << ARC_BITS | static_cast<Wide>(arcs) : 0);
  if (threadIdx.x == 0 && mine.total) begin = atomicAdd(given.packed, mine.total);
  __syncthreads();
  if (!arcs) return;
  const Wide place = begin + mine.before;
  const int entry = static_cast<int>(place >> ARC_BITS);
  const long long first = static_cast<long long>(place & ARC_MASK);
  given.vertex[entry] = j;
  given.before[entry] = first;
  given.shift[entry] = static_cast<long long>(given.indptr[j]) - first;
}

struct WordPushParameters {
  const int* vertex;
  const long long* before;
  const long long* shift;
  const Wide* packed;
  const int* indices;
  const Bits* words;
  const Bits* mask;
  Bits* out;
  int inner;
  int columns;
  int planes;
};

// The last place of a rising list at which it is not beyond an arc.
template <class I>
__device__ __forceinline__ int owner_of_arc(const I* before, int low, int high, I arc) {
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (before[middle] <= arc) low = middle;
    else high = middle;
  }
  return low;
}

// Arcs from the columns k to i: each step is done for all of a thread's arcs before the next one.
template <class Mask>
__device__ __forceinline__ void push_plane(
    const WordPushParameters& given, int plane, const int (&k)[WORD_TOGETHER], const int (&i)[WORD_TOGETHER]) {
  const long long from = plane * static_cast<long long>(given.inner);
  const long long to = plane * static_cast<long long>(given.columns);
  Bits more[WORD_TOGETHER];
#pragma unroll
  for (int step = 0; step < WORD_TOGETHER; ++step) more[step] = k[step] < 0 ? 0 : given.words[from + k[step]];
#pragma unroll
  for (int step = 0; step < WORD_TOGETHER; ++step)
    if (more[step]) more[step] &= allowed_bits<Mask>(given.mask, to + i[step], ~static_cast<Bits>(0));
#pragma unroll
  for (int step = 0; step < WORD_TOGETHER; ++step)
    if (more[step]) more[step] &= ~load_racing(given.out + to + i[step]);
#pragma unroll
  for (int step = 0; step < WORD_TOGETHER; ++step)
    if (more[step]) atomicOr(given.out + to + i[step], more[step]);
}

template <class Mask>
__global__ __launch_bounds__(FEW_THREADS) void word_push(WordPushParameters given) {
  static_assert(PUSH_PRODUCTS == WORD_TOGETHER * FEW_THREADS, "a block takes PUSH_PRODUCTS arcs");
  __shared__ int bounds[2], before[PUSH_PRODUCTS];
  const Wide packed = *given.packed;
  const int entries = static_cast<int>(packed >> ARC_BITS);
  const long long arcs = static_cast<long long>(packed & ARC_MASK);
  const long long base = static_cast<long long>(blockIdx.x) * PUSH_PRODUCTS;
  if (base >= arcs) return;
  const int many = static_cast<int>(arcs - base < PUSH_PRODUCTS ? arcs - base : PUSH_PRODUCTS);
  if (threadIdx.x < 2)
    bounds[threadIdx.x] = owner_of_arc(given.before, 0, entries, threadIdx.x == 0 ? base : base + many - 1);
  __syncthreads();
  const int low = bounds[0], owners = bounds[1] + 1 - low;  // every entry has an arc
  for (int e = threadIdx.x; e < owners; e += FEW_THREADS) before[e] = static_cast<int>(given.before[low + e] - base);
  __syncthreads();
  int k[WORD_TOGETHER], i[WORD_TOGETHER];
#pragma unroll
  for (int step = 0; step < WORD_TOGETHER; ++step) {
    const int a = step * FEW_THREADS + static_cast<int>(threadIdx.x);
    const int entry = low + owner_of_arc(before, 0, owners, a < many ? a : many - 1);
    k[step] = a < many ? given.vertex[entry] : -1;
    i[step] = a < many ? given.indices[base + a + given.shift[entry]] : 0;
  }
  for (int plane = 0; plane < given.planes; ++plane) push_plane<Mask>(given, plane, k, i);
}
