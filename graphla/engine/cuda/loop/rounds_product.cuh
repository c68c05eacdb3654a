// y = M ⊕.⊗ x in a round over arrays of fixed size, x and y with `stride` cells for each vertex and a flag for each
// cell; the device alone decides whether a round pushes or pulls, so that a round is always the same launches.
//
// round_begin: a thread owns 16 cells of x. Flags become bits of words of ≤ 32 columns, and words with a bit a queue
// that carries the running count of its arcs. round_open: all blocks compare the products of a push with the arcs of a
// pull; cells of y, or of what a pull leaves, get the identity; a pull gets words of x and of the mask. round_push: a
// warp owns 32 arcs of the queue at a time, and as many lanes as a word has columns an arc. round_pull: few_walk.cuh.
// round_collect: a thread owns a cell of a row that was pulled. The last one clears the counters for the next round.
//
// compiled: round_begin<Offset> with Offset = int | long long; hot
// compiled: round_open<S, Entries, Mask> with S = plus_times FP32 | any_pair BOOL | min_plus INT64;
//   Entries = Full | Words | Words; Mask = NoMask | Inside | NoMask
// compiled: round_push<S, Side, Mask> with S = plus_times FP32 | any_pair BOOL | min_plus INT64;
//   Side = VectorFirst | MatrixFirst; Mask = NoMask | Outside; hot
// compiled: round_push<S, VectorFirst, Inside> with S = any_secondi BOOL INT32 | max_min INT16 | lor_land BOOL
// compiled: round_pull<S, VectorFirst, Words, Mask, int, 4, T> with S = plus_times FP32;
//   Mask = NoMask | Inside | Outside; T = 8 | 1; hot on sm_90
// compiled: round_pull<S, MatrixFirst, Full, NoMask, long long, 4, 8> with S = min_plus FP32
// compiled: round_pull<S, VectorFirst, Words, Outside, int, 1, 1> with S = any_pair BOOL | min_plus FP64; hot on sm_90
// compiled: round_collect<C> with C = float | bool | double
#pragma once

#include "headers/arc_queue.cuh"
#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "headers/views.cuh"
#include "matmat/few_product.cuh"
#include "matmat/few_walk.cuh"
#include "rounds_product.py"  // ENTRIES, FLAGS_EACH, PRODUCTS, PUSH, PUSHES, QUEUED

// The flags of cells cell … cell + FLAGS_EACH - 1, a bit each; those past the last one are not set.
__device__ __forceinline__ unsigned flag_bits(const bool* flags, int cell, int cells) {
  unsigned bits = 0;
  if (cells - cell >= FLAGS_EACH) {
    const auto held = load_pack<FLAGS_EACH>(reinterpret_cast<const unsigned char*>(flags) + cell);
#pragma unroll
    for (int k = 0; k < FLAGS_EACH; ++k) bits |= (held[k] ? 1u : 0u) << k;
  } else {
    for (int k = 0; cell + k < cells; ++k) bits |= (flags[cell + k] ? 1u : 0u) << k;
  }
  return bits;
}

// All threads of the grid call this.
__device__ __forceinline__ void clear_flags(bool* flags, int cells) {
  Wide* const packs = reinterpret_cast<Wide*>(flags);
  for (const int pack : grid_range(cells / 8)) packs[pack] = 0;
  for (const int rest : grid_range(cells % 8)) flags[cells - 1 - rest] = false;
}

// Columns of a word, and words of a vertex.
__device__ __forceinline__ int columns_of_word(int stride) { return stride < 32 ? stride : 32; }
__device__ __forceinline__ int words_of_vertex(int stride) { return stride < 32 ? 1 : stride / 32; }

template <class Offset>
struct RoundBeginParameters {
  const bool* flags;
  const Offset* indptr;
  int* item;  // vertex * words + word
  unsigned* word;
  long long* before;
  long long* shift;
  Wide* state;
  int size;
  int stride;
};

// The words of this thread's FLAGS_EACH cells: `count` of them, from `first` on; those of 32 columns take two threads.
struct FlagWords {
  unsigned bits;
  int first;
  int count;
  int columns;

  __device__ __forceinline__ FlagWords(const bool* flags, int cell, int cells, int columns)
      : bits(flag_bits(flags, cell, cells)),
        first(cell / columns),
        count(FLAGS_EACH / columns),
        columns(columns) {
    if (columns <= FLAGS_EACH) return;
    bits |= __shfl_down_sync(WHOLE_WARP, bits, 1) << FLAGS_EACH;
    count = lane_index() % 2 == 0;
  }
  __device__ __forceinline__ unsigned word(int k) const {
    return columns == 32 ? bits : bits >> (k * columns) & ((1u << columns) - 1);
  }
};

template <class Offset>
__global__ void round_begin(RoundBeginParameters<Offset> given) {
  __shared__ Wide first;
  const int columns = columns_of_word(given.stride), words = words_of_vertex(given.stride);
  const int cells = given.size * given.stride, tile = static_cast<int>(blockDim.x) * FLAGS_EACH;
  Wide entries = 0, products = 0;
  for (long long base = static_cast<long long>(blockIdx.x) * tile; base < cells;
       base += static_cast<long long>(gridDim.x) * tile) {
    const long long cell = base + static_cast<int>(threadIdx.x) * FLAGS_EACH;
    const FlagWords mine(given.flags, cell < cells ? static_cast<int>(cell) : cells, cells, columns);
    if (!__syncthreads_or(mine.bits != 0)) continue;
    Wide packed = 0;
    for (int k = 0; k < mine.count; ++k) {
      const unsigned word = mine.word(k);
      if (!word) continue;
      const int vertex = (mine.first + k) / words;
      const Wide arcs = static_cast<Wide>(given.indptr[vertex + 1] - given.indptr[vertex]);
      entries += __popc(word);
      products += arcs * __popc(word);
      if (arcs) packed += (static_cast<Wide>(1) << ARC_BITS) | arcs;
    }
    const Prefix<Wide> place = block_exclusive_sum(packed);
    if (threadIdx.x == 0) first = place.total ? atomicAdd(given.state + QUEUED, place.total) : 0;
    __syncthreads();
    Wide at = first + place.before;
    for (int k = 0; k < mine.count; ++k) {
      const unsigned word = mine.word(k);
      const int vertex = (mine.first + k) / words;
      if (!word) continue;
      const Offset begin = given.indptr[vertex];
      const Wide arcs = static_cast<Wide>(given.indptr[vertex + 1] - begin);
      if (!arcs) continue;
      const long long e = static_cast<long long>(at >> ARC_BITS), before = static_cast<long long>(at & ARC_MASK);
      given.item[e] = mine.first + k;
      given.word[e] = word;
      given.before[e] = before;
      given.shift[e] = static_cast<long long>(begin) - before;
      at += (static_cast<Wide>(1) << ARC_BITS) | arcs;
    }
    __syncthreads();
  }
  entries = block_reduce(entries);
  products = block_reduce(products);
  if (threadIdx.x == 0 && entries) {
    atomicAdd(given.state + ENTRIES, entries);
    atomicAdd(given.state + PRODUCTS, products);
  }
}

template <class S>
struct RoundOpenParameters {
  Wide* state;
  typename S::C* y;
  bool* found;
  typename S::C* out;
  unsigned* met;
  const bool* present;  // of x
  unsigned* has;
  const bool* allowed;
  unsigned* mask;
  double arcs;    // of the matrix
  double pulled;  // the cost of an arc of a pull, relative to a pushed product
  double probes;  // cells of x, if a pull often stops at the first entry
  int direction;
  int origin;  // vertices of x
  int size;    // vertices of y
  int stride;
  int rows;  // that have arcs
  bool flags;
};

// Whether a push costs less than a pull, which may stop at the first entry of a row.
template <class S>
__device__ __forceinline__ bool chooses_push(const RoundOpenParameters<S>& given) {
  if (given.direction) return given.direction == PUSH;
  const double entries = static_cast<double>(given.state[ENTRIES]);
  double arcs = given.arcs;
  if (given.probes * given.rows < arcs * entries) arcs = given.probes * given.rows / entries;
  return static_cast<double>(given.state[PRODUCTS]) < arcs * given.pulled;
}

// Words of flags, a bit for each column; all threads of a warp call this with neighbouring cells.
__device__ __forceinline__ void pack_flags(const bool* flags, unsigned* out, int cell, int size, int stride) {
  const int columns = columns_of_word(stride), words = words_of_vertex(stride), cells = size * stride;
  unsigned word = __ballot_sync(WHOLE_WARP, cell < cells && flags[cell]) >> (lane_index() & ~(columns - 1));
  if (columns < 32) word &= (1u << columns) - 1;
  const int item = cell / columns;
  if (cell < cells && lane_index() % columns == 0)
    out[static_cast<long long>(item % words) * size + item / words] = word;
}

// What a pull reads: the words of x and of the mask; and the identity where its sums go.
template <class S, class Entries, class Mask>
__device__ __forceinline__ void open_pull(const RoundOpenParameters<S>& given) {
  const int step = static_cast<int>(gridDim.x * blockDim.x), start = static_cast<int>(blockIdx.x * blockDim.x);
  const int most = given.origin > given.size ? given.origin : given.size;
  for (int base = start; base < most * given.stride; base += step) {
    const int cell = base + static_cast<int>(threadIdx.x);
    if constexpr (!Entries::all) pack_flags(given.present, given.has, cell, given.origin, given.stride);
    if constexpr (Mask::any) pack_flags(given.allowed, given.mask, cell, given.size, given.stride);
  }
  const int rows = given.rows * words_of_vertex(given.stride);
  for (const int row : grid_range(rows)) given.met[row] = 0;
  for (const int cell : grid_range(given.rows * given.stride)) given.out[cell] = S::identity();
}

template <class S, class Entries, class Mask>
__global__ void round_open(RoundOpenParameters<S> given) {
  const bool pushes = chooses_push(given);
  const int cells = given.size * given.stride;
  if (blockIdx.x == 0 && threadIdx.x == 0) given.state[PUSHES] = pushes;
  if (given.flags) clear_flags(given.found, cells);
  if (!pushes) open_pull<S, Entries, Mask>(given);
  else if constexpr (!S::is_any)
    for (const int cell : grid_range(cells)) given.y[cell] = S::identity();
}

template <class S, class Side>
struct RoundPushParameters {
  const Wide* state;
  const int* item;
  const long long* before;
  const long long* shift;
  const unsigned* word;
  const int* indices;
  const typename Side::template Matrix<S>* values;
  const typename Side::template Vector<S>* x;
  const bool* allowed;
  typename S::C* y;
  bool* found;
  int stride;
};

template <class S, class Side, class Mask>
__device__ __forceinline__ void push_product(
    const RoundPushParameters<S, Side>& given, typename Side::template Matrix<S> a, int vertex, int to, int column) {
  const long long cell = static_cast<long long>(to) * given.stride + column;
  if (!Mask::allows(given.allowed, cell)) return;
  const bool first = !load_racing(given.found + cell);
  if (first) store_racing(given.found + cell, true);
  const auto x =
      value_at<Side::template reads_vector<S>>(given.x, static_cast<long long>(vertex) * given.stride + column);
  const typename S::C term = few_product<S, Side>(a, x, to, vertex, column);
  if constexpr (!S::is_any) join<S>(given.y + cell, term);
  else if (first) store_racing(given.y + cell, term);
}

template <class S, class Side, class Mask>
__global__ void round_push(RoundPushParameters<S, Side> given) {
  using M = typename Side::template Matrix<S>;
  if (!given.state[PUSHES]) return;
  const Wide packed = given.state[QUEUED];
  const int size = static_cast<int>(packed >> ARC_BITS);
  const long long arcs = static_cast<long long>(packed & ARC_MASK);
  const int columns = columns_of_word(given.stride), words = words_of_vertex(given.stride), teams = 32 / columns;
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  const long long start = static_cast<long long>(blockIdx.x) * blockDim.x + (threadIdx.x & ~31u);
  for (long long base = start; base < arcs; base += step) {
    const int low = owner_of(given.before, size, base), window = low + lane_index();
    const long long mine = window < size ? given.before[window] : arcs;
    const long long arc = base + lane_index();
    const int e = low + owner_in_window(mine, arc);
    const bool there = arc < arcs;
    const long long q = there ? arc + given.shift[e] : 0;
    const int item = there ? given.item[e] : 0, vertex = item / words;
    const unsigned word = there ? given.word[e] : 0u;
    const int to = there ? given.indices[q] : 0;
    const M a = there ? value_at<Side::template reads_matrix<S>>(given.values, q) : M();
    for (int turn = 0; turn < columns; ++turn) {
      const int from = turn * teams + lane_index() / columns, column = lane_index() % columns;
      const unsigned bits = shuffle_from(word, from);
      const int begin = shuffle_from(item % words * 32, from);
      const int k = shuffle_from(vertex, from), i = shuffle_from(to, from);
      const M b = shuffle_from(a, from);
      if (bits >> column & 1u) push_product<S, Side, Mask>(given, b, k, i, begin + column);
    }
  }
}

template <class S, class Side, class Offset>
struct RoundPullParameters {
  const Wide* state;
  FewPullParameters<S, Side, Offset> pull;
};

template <class S, class Side, class Entries, class Mask, class Offset, int V, int T>
__global__ __launch_bounds__(T == 1 ? LANE_THREADS : FEW_THREADS) void round_pull(
    RoundPullParameters<S, Side, Offset> given) {
  if (given.state[PUSHES]) return;
  pull_stretch<S, Side, Entries, Mask, Offset, V, T>(given.pull);
}

template <class C>
struct RoundCollectParameters {
  Wide* state;
  const int* filled;
  const unsigned* met;
  const C* out;
  C* y;
  bool* found;
  int rows;
  int width;
  int stride;
  bool counted;  // `met` tells which cells are entries; else all of a row are
  bool collects;
};

template <class C>
__global__ void round_collect(RoundCollectParameters<C> given) {
  if (blockIdx.x == 0 && threadIdx.x == 0) given.state[QUEUED] = given.state[ENTRIES] = given.state[PRODUCTS] = 0;
  if (given.state[PUSHES]) return;
  const int columns = columns_of_word(given.stride);
  for (const int cell : grid_range(given.rows * given.stride)) {
    const int row = cell / given.stride, column = cell % given.stride;
    if (column >= given.width) continue;
    if (given.counted) {
      const unsigned word = given.met[static_cast<long long>(column / columns) * given.rows + row];
      if (!(word >> (column % columns) & 1u)) continue;
    }
    const long long to = static_cast<long long>(given.filled[row]) * given.stride + column;
    if (given.collects) given.y[to] = given.out[cell];
    given.found[to] = true;
  }
}
