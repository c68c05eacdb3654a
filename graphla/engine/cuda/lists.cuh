// Lists of positions, flags and row lengths: casts, gathers, counts, and what arranges rows. A thread owns an element;
// of a list of flags a block owns LIST_TILE.
//
// CuPy has all of these, and compiles one for each combination of dtypes: 0.1 s each, and reductions of flags three
// seconds. All are templates, so that a module holds only those that are asked for.
//
// compiled: convert<A, B> with A = int | long long | bool; B = long long | int
// compiled: convert<A, B> with A = int | long long; B = float | double
// compiled: convert<A, B> with A = float; B = double
// compiled: convert<A, B> with A = double; B = float
// compiled: scale<B> with B = float | double
// compiled: divide<T> with T = float | double
// compiled: gather<T, I> with T = unsigned char | int | long long | Wide; I = int | long long
// compiled: check_positions<I> with I = signed char | int | long long | unsigned long long; hot
// compiled: count_repeats<I> with I = long long
// compiled: scatter<T, I> with T = unsigned char | int | long long | Wide; I = int | long long; hot
// compiled: scatter_checked<T, I> with T = unsigned char | int | long long | Wide; I = long long; hot
// compiled: flag_true<T> with T = unsigned char | int | long long | float | double
// compiled: both_true
// compiled: choose_flagged<T> with T = unsigned char | int | long long | Wide; hot
// compiled: copy_flagged<T> with T = unsigned char | int | long long | Wide; hot
// compiled: count_places<I> with I = int | long long; hot
// compiled: add_places<I> with I = int | long long; hot
// compiled: compare_entries<I> with I = int | long long; hot
// compiled: number_cells<I> with I = int | long long; hot
// compiled: split_cells<I> with I = int | long long; hot
// compiled: find_ends<I> with I = int | long long
// compiled: flag_first<I> with I = int | long long
// compiled: fill_all<T> with T = unsigned char | unsigned short | int | long long | Wide
// compiled: count_up<T> with T = int | long long
// compiled: measure_rows<P> with P = int | long long
// compiled: find_spans<P, I> with P = int | long long; I = int | long long
// compiled: number_rows<P, R> with P = int | long long; R = int | long long; hot
// compiled: point_rows<R, P> with R = int | long long; P = int | long long
// compiled: sum_chunks<A> with A = int | long long; hot
// compiled: scan_chunks<A> with A = int | long long; hot
// compiled: count_true<bool>
// compiled: count_above<T> with T = int | long long
// compiled: count_infinite<T> with T = float | double
// compiled: count_tiles<bool>
// compiled: list_tiles<I> with I = int | long long
// compiled: list_at_once<T, I> with T = unsigned char | int | long long | Wide; I = int; hot
// compiled: flag_other<T> with T = signed char | int | unsigned | long long | unsigned long long | float | double
// compiled: count_filled<P> with P = int | long long
// compiled: count_arcs<P, I> with P = int | long long; I = int | long long
// compiled: count_falls<I> with I = int | long long
// compiled: count_differing<T> with T = bool | int | long long | float | double
#pragma once

#include "headers/share.cuh"
#include "headers/subnormal.cuh"
#include "headers/wide.cuh"
#include "lists.py"  // LIST_THREADS, LIST_EACH, LIST_TILE, SCAN_THREADS

using Number = unsigned long long;

// A block's sum goes to the total by one atomic.
__device__ __forceinline__ void add_to_total(Number mine, Number* total) {
  const Number all = block_reduce(mine);
  if (threadIdx.x == 0 && all) atomicAdd(total, all);
}

// The value of a place; a truth where there is no entry may be any byte.
template <class A>
__device__ __forceinline__ A load_value(const A* place) {
  if constexpr (is_same<A, bool>) return *reinterpret_cast<const unsigned char*>(place) != 0;
  else return *place;
}

// out[i] = given[i stride].
template <class A, class B>
__global__ void convert(const A* given, long long stride, long long count, B* out) {
  for (const long long i : grid_range(count)) out[i] = convert_value<B>(load_value(given + i * stride));
}

// out[i] = factor given[i].
template <class B>
__global__ void scale(const double* given, double factor, long long count, B* out) {
  for (const long long i : grid_range(count)) out[i] = static_cast<B>(factor * given[i]);
}

// out[i] = given[i] / divisor, in FP64.
template <class T>
__global__ void divide(const T* given, double divisor, long long count, T* out) {
  for (const long long i : grid_range(count)) out[i] = static_cast<T>(given[i] / divisor);
}

template <class T, class I>
__global__ void gather(const T* given, const I* places, long long count, T* out) {
  for (const long long i : grid_range(count)) out[i] = given[places[i]];
}

// out[i] = places[i] in int64, counted from the end if it is negative, or 0 if it is outside [0, size). Counted are the
// positions that are outside, and, at falls, those that are not greater than the one before.
template <class I>
__global__ void check_positions(
    const I* places, long long size, long long count, long long* out, Number* outside, Number* falls) {
  constexpr bool SIGNED = static_cast<I>(-1) < static_cast<I>(0);
  const auto place_at = [places, size](long long i) {
    const long long place = static_cast<long long>(places[i]);
    return SIGNED && place < 0 ? place + size : place;
  };
  Number beyond = 0, falling = 0;
  for (const long long i : grid_range(count)) {
    const long long place = place_at(i);
    const bool inside = place >= 0 && place < size;
    out[i] = inside ? place : 0;
    beyond += !inside;
    falling += i > 0 && place <= place_at(i - 1);
  }
  add_to_total(beyond, outside);
  add_to_total(falling, falls);
}

// How many positions stand in the list before; a bit of `seen` is set for each.
template <class I>
__global__ void count_repeats(const I* places, unsigned* seen, long long count, Number* repeats) {
  Number mine = 0;
  for (const long long i : grid_range(count)) {
    const unsigned bit = 1u << (places[i] & 31);
    mine += (atomicOr(seen + (places[i] >> 5), bit) & bit) != 0;
  }
  add_to_total(mine, repeats);
}

// out[places[i]] = values[i]
template <class T, class I>
__global__ void scatter(const T* values, const I* places, long long count, T* out) {
  for (const long long i : grid_range(count)) out[places[i]] = values[i];
}

// The same if positions have no fault: none is out of bounds, and none occurs twice.
template <class T, class I>
__global__ void scatter_checked(const T* values, const I* places, long long count, const Number* faults, T* out) {
  if (faults[0] || faults[1]) return;
  for (const long long i : grid_range(count)) out[places[i]] = values[i];
}

// Whether there is a value, and it is not 0; if all are there, `present` is not read.
template <class T>
__global__ void flag_true(const T* values, const bool* present, bool all, long long count, bool* out) {
  for (const long long i : grid_range(count)) out[i] = (all || present[i]) && is_true(values[i]);
}

// Whether a flag is true and the other one, or its complement; and how many these are.
__global__ void both_true(
    const bool* flags, const bool* others, long long count, bool complement, bool* out, Number* total) {
  Number mine = 0;
  for (const long long i : grid_range(count)) {
    out[i] = flags[i] && others[i] != complement;
    mine += out[i];
  }
  add_to_total(mine, total);
}

// The values of `yes` where flags are true, of `no` elsewhere.
template <class T>
__global__ void choose_flagged(const bool* flags, const T* yes, const T* no, long long count, T* out) {
  for (const long long i : grid_range(count)) out[i] = flags[i] ? yes[i] : no[i];
}

// The values where flags are true.
template <class T>
__global__ void copy_flagged(const T* values, const bool* flags, long long count, T* out) {
  for (const long long i : grid_range(count))
    if (flags[i]) out[i] = values[i];
}

// Of each entry but the first: whether it stands before the one before it, in rows or within a row; and whether it is
// the same.
template <class I>
__global__ void compare_entries(const I* rows, const I* columns_of, long long count, Number* totals) {
  Number falls = 0, repeats = 0;
  for (const long long i : grid_range(count - 1)) {
    const bool same = rows[i + 1] == rows[i];
    falls += rows[i + 1] < rows[i] || (same && columns_of[i + 1] < columns_of[i]);
    repeats += same && columns_of[i + 1] == columns_of[i];
  }
  add_to_total(falls, totals);
  add_to_total(repeats, totals + 1);
}

template <class I>
__global__ void number_cells(const I* rows, const I* columns_of, long long width, long long count, long long* cells) {
  for (const long long i : grid_range(count)) cells[i] = rows[i] * width + columns_of[i];
}

template <class I>
__global__ void split_cells(const long long* cells, long long width, long long count, I* rows, I* columns_of) {
  for (const long long i : grid_range(count)) {
    const long long row = cells[i] / width;
    rows[i] = static_cast<I>(row);
    columns_of[i] = static_cast<I>(cells[i] - row * width);
  }
}

// The largest number, and the complement of the least, as unsigned ones in the same order.
template <class I>
__global__ void find_ends(const I* numbers, long long count, Number* ends) {
  const auto rank = [](I x) { return static_cast<Number>(static_cast<long long>(x)) ^ 1ULL << 63; };
  Number most = 0, least = ~0ULL;
  for (const long long i : grid_range(count)) {
    const Number mine = rank(numbers[i]);
    most = mine > most ? mine : most;
    least = mine < least ? mine : least;
  }
  most = block_reduce(most, Number(), Most());
  least = block_reduce(least, ~Number(), Least());
  if (threadIdx.x == 0) {
    atomicMax(ends, most);
    atomicMax(ends + 1, ~least);
  }
}

// Of each of the sorted keys whether the one before it is another, and how many these are.
template <class I>
__global__ void flag_first(const I* keys, long long count, bool* first, Number* total) {
  Number mine = 0;
  for (const long long i : grid_range(count)) {
    first[i] = i == 0 || keys[i] != keys[i - 1];
    mine += first[i];
  }
  add_to_total(mine, total);
}

template <class T>
__global__ void fill_all(T* out, long long count, T value) {
  for (const long long i : grid_range(count)) out[i] = value;
}

template <class T>
__global__ void count_up(T* out, long long count, long long first, long long step) {
  for (const long long i : grid_range(count)) out[i] = static_cast<T>(first + step * i);
}

template <class P>
__global__ void measure_rows(const P* indptr, long long rows, P* lengths) {
  for (const long long r : grid_range(rows)) lengths[r] = indptr[r + 1] - indptr[r];
}

// Where the chosen rows begin, and how many entries they have.
template <class P, class I>
__global__ void find_spans(const P* indptr, const I* rows, long long count, P* begins, long long* lengths) {
  for (const long long k : grid_range(count)) {
    const I r = rows[k];
    begins[k] = indptr[r];
    lengths[k] = indptr[r + 1] - indptr[r];
  }
}

// out[p] = the row of entry p; a block takes LIST_TILE entries.
template <class P, class R>
__global__ void number_rows(const P* indptr, int rows, long long entries, R* out) {
  const Share mine = share_of(indptr, rows, entries, LIST_TILE);
  for (const long long p : block_range(mine.begin, mine.end))
    out[p] = mine.first + row_of(indptr + mine.first, mine.many, static_cast<P>(p));
}

// indptr[r] = how many of the sorted row numbers are less than r, for r of [0, rows].
template <class R, class P>
__global__ void point_rows(const R* sorted, long long count, long long rows, P* indptr) {
  for (const long long r : grid_range(rows + 1)) {
    long long low = 0, high = count;
    while (low < high) {
      const long long middle = low + (high - low) / 2;
      if (sorted[middle] < r) low = middle + 1;
      else high = middle;
    }
    indptr[r] = static_cast<P>(low);
  }
}

// sums[b] = the lengths of block b's chunk, which holds `chunk` of them.
template <class A>
__global__ __launch_bounds__(SCAN_THREADS) void sum_chunks(
    const A* lengths, long long count, long long chunk, long long* sums) {
  const long long begin = blockIdx.x * chunk;
  long long mine = 0;
  for (const long long i : block_range(begin, begin + chunk < count ? begin + chunk : count)) mine += lengths[i];
  const long long all = block_reduce(mine);
  if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

// upto[0] = 0, upto[i + 1] = lengths[0] + ... + lengths[i]; a block adds what the chunks before its own hold.
template <class A>
__global__ __launch_bounds__(SCAN_THREADS) void scan_chunks(
    const A* lengths, long long count, long long chunk, const long long* sums, long long* upto) {
  const int block = static_cast<int>(blockIdx.x);
  long long before = 0;
  for (const int b : block_range(0, block)) before += sums[b];
  before = block_reduce(before);
  const long long begin = block * chunk, end = begin + chunk < count ? begin + chunk : count;
  if (block == 0 && threadIdx.x == 0) upto[0] = 0;
  for (long long i = begin; i < end; i += SCAN_THREADS) {
    const long long mine = i + threadIdx.x < end ? lengths[i + threadIdx.x] : 0;
    const Prefix<long long> place = block_exclusive_sum(mine);
    if (i + threadIdx.x < end) upto[i + threadIdx.x + 1] = before + place.before + mine;
    before += place.total;
    __syncthreads();
  }
}

template <class Flag>
__global__ void count_true(const Flag* flags, long long count, Number* total) {
  Number mine = 0;
  for (const long long i : grid_range(count)) mine += flags[i];
  add_to_total(mine, total);
}

template <class T>
__global__ void count_above(const T* values, long long count, T bound, Number* total) {
  Number mine = 0;
  for (const long long i : grid_range(count)) mine += values[i] > bound;
  add_to_total(mine, total);
}

// How many are NaN or infinite.
template <class T>
__global__ void count_infinite(const T* values, long long count, Number* total) {
  Number mine = 0;
  for (const long long i : grid_range(count)) mine += values[i] - values[i] != 0;
  add_to_total(mine, total);
}

// counts[tile] = flags that are true.
template <class Flag>
__global__ __launch_bounds__(LIST_THREADS) void count_tiles(const Flag* flags, long long count, int* counts) {
  const long long begin = static_cast<long long>(blockIdx.x) * LIST_TILE;
  int mine = 0;
  for (const long long i : block_range(begin, begin + LIST_TILE < count ? begin + LIST_TILE : count)) mine += flags[i];
  const int all = block_reduce(mine);
  if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

// The positions of flags that are true; each thread of a block takes LIST_EACH neighbours.
template <class I>
__global__ __launch_bounds__(LIST_THREADS) void list_tiles(
    const bool* flags, long long count, const long long* begins, I* out) {
  const long long first = static_cast<long long>(blockIdx.x) * LIST_TILE + threadIdx.x * LIST_EACH;
  unsigned bits = 0;
  for (int k = 0; k < LIST_EACH; ++k) bits |= (first + k < count && flags[first + k] ? 1u : 0u) << k;
  long long place = begins[blockIdx.x] + block_exclusive_sum(__popc(bits)).before;
  for (unsigned left = bits; left; left &= left - 1)
    out[place++] = static_cast<I>(first + __ffs(static_cast<int>(left)) - 1);
}

// The same and the values there, by one block, tile after tile.
template <class T, class I>
__global__ __launch_bounds__(LIST_THREADS) void list_at_once(
    const bool* flags, const T* values, long long count, I* places, T* out) {
  long long before = 0;
  for (long long begin = 0; begin < count; begin += LIST_TILE) {
    const long long first = begin + threadIdx.x * LIST_EACH;
    unsigned bits = 0;
    for (int k = 0; k < LIST_EACH; ++k) bits |= (first + k < count && flags[first + k] ? 1u : 0u) << k;
    const Prefix<int> place = block_exclusive_sum(__popc(bits));
    long long at = before + place.before;
    for (unsigned left = bits; left; left &= left - 1, ++at) {
      const long long i = first + __ffs(static_cast<int>(left)) - 1;
      places[at] = static_cast<I>(i);
      out[at] = values[i];
    }
    before += place.total;
    __syncthreads();
  }
}

template <class T>
__global__ void flag_other(const T* values, long long count, T absent, bool* present, Number* total) {
  Number mine = 0;
  for (const long long i : grid_range(count)) {
    present[i] = values[i] != absent;
    mine += present[i];
  }
  add_to_total(mine, total);
}

template <class P>
__global__ void count_filled(const P* indptr, long long rows, Number* total) {
  Number mine = 0;
  for (const long long r : grid_range(rows)) mine += indptr[r + 1] > indptr[r];
  add_to_total(mine, total);
}

template <class P, class I>
__global__ void count_arcs(const P* indptr, const I* rows, long long count, Number* total) {
  Number mine = 0;
  for (const long long k : grid_range(count)) mine += indptr[rows[k] + 1] - indptr[rows[k]];
  add_to_total(mine, total);
}

// How many positions are not greater than the one before.
template <class I>
__global__ void count_falls(const I* places, long long count, Number* total) {
  Number mine = 0;
  for (const long long i : grid_range(count - 1)) mine += places[i + 1] <= places[i];
  add_to_total(mine, total);
}

template <class I>
__global__ void count_places(const I* places, long long count, Number* counts) {
  for (const long long i : grid_range(count)) atomicAdd(counts + places[i], Number{1});
}

template <class I>
__global__ void add_places(const I* places, const double* values, long long count, double* sums) {
  for (const long long i : grid_range(count)) atomicAdd(sums + places[i], values[i]);
}

template <class T>
__global__ void count_differing(const T* left, const T* right, long long count, Number* total) {
  Number mine = 0;
  for (const long long i : grid_range(count)) mine += left[i] != right[i];
  add_to_total(mine, total);
}
