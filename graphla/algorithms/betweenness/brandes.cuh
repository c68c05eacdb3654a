// paths(v) = sum of paths(u) over the arcs u -> v on shortest paths, level by level; then, from the last level on,
// dependency(v) = paths(v) * sum of share(w) over the arcs v -> w, with share(w) = (1 + dependency(w)) / paths(w).
//
// Vertices are numbered by their place in an order in which every arc on a shortest path leads from one level to a
// later one. Block 0 alone runs through levels of few vertices, with a barrier of the block between them; all blocks
// share a level of many, with a barrier of the grid around it. In a graph of low degree a thread owns a vertex, and the
// places of up to four neighbours on shortest paths stand in a row of four, which is read one level ahead; the numbers
// of the level before stand in shared memory. Else a warp owns a vertex.
//
// From several sources of a deep graph of low degree a block takes each by itself.
//
// compiled: sweep_each<Offset, T> with Offset = int | long long; T = float | double; hot
// compiled: sweep<Offset, D, Length, T, Lanes> with Offset = int | long long; D = int; Length = Hops;
//   T = float | double; Lanes = Thread | Warp; hot
// compiled: sweep<int, D, Lengths, T, Lanes> with D = int | unsigned | long long | unsigned long long | double;
//   T = float | double; Lanes = Thread | Warp
#pragma once

#include "_brandes_cuda.py"  // ROOM
#include "_paths.cuh"

template <class Offset, class D, class T>
struct SweepParameters {
  const Offset* out_indptr;
  const int* out_indices;
  const D* out_lengths;
  const Offset* in_indptr;
  const int* in_indices;
  const D* in_lengths;
  const D* distances;
  const int* order;
  const int* places;
  const int* before;
  const int* after;
  const int* starts;
  const int* runs;
  int count;
  Count<T>* paths;
  Count<T>* shares;
  T* dependency;
  unsigned* barrier;
};

// Of each source a row of every array, of n numbers, n rows of NEAR, or n + 1 starts.
template <class Offset, class T>
struct SweepEachParameters {
  const Offset* out_indptr;
  const int* out_indices;
  const Offset* in_indptr;
  const int* in_indices;
  int n;
  const int* distances;
  const int* order;
  const int* places;
  const int* before;
  const int* after;
  const int* starts;
  const int* reached;  // levels and vertices
  Count<T>* paths;
  Count<T>* shares;
  T* dependency;
};

// What a thread reads of a vertex before its level is due.
template <class T>
struct Ahead {
  Pack<int, NEAR> row;
  Count<T> own;
};

// Numbers of the vertices from `first` on.
template <class T>
struct Window {
  const Count<T>* counts;
  int first;
  __device__ __forceinline__ Count<T> operator[](int place) const { return counts[place - first]; }
};

// The sum of the numbers at up to four places; those of most rows have the same power.
template <class T>
__device__ __forceinline__ Count<T> sum_row(const Window<T>& counts, const Pack<int, NEAR>& row) {
  Count<T> found[NEAR];
  found[0] = counts[row[0]];
  bool same = true;
#pragma unroll
  for (int j = 1; j < NEAR; ++j) {
    found[j] = row[j] >= 0 ? counts[row[j]] : Count<T>{0, found[0].power};
    same &= found[j].power == found[0].power;
  }
#pragma unroll
  for (int j = 1; j < NEAR; ++j) {
    if (same) found[0].part += found[j].part;
    else found[0].add(found[j]);
  }
  return found[0];
}

// The sum of what the lanes of a warp have.
template <class T>
__device__ __forceinline__ Count<T> sum_warp(Count<T> mine) {
  for (int lanes = 16; lanes; lanes /= 2) mine.add({shuffle_xor(mine.part, lanes), shuffle_xor(mine.power, lanes)});
  return mine;
}

// The way out.
template <class Offset, class D, class Length, class T, class Lanes>
struct CountPaths {
  Paths<Offset, D> into;
  const int* before;
  Count<T>* paths;

  __device__ __forceinline__ Window<T> all() const { return {paths, 0}; }
  __device__ __forceinline__ Ahead<T> open(int i) const {
    if constexpr (Lanes::lanes == 1) return {load_pack<NEAR>(before + static_cast<long long>(NEAR) * i), {0, 0}};
    else return {};
  }
  __device__ __forceinline__ Count<T> sum(int i) const {
    Count<T> total{0, 0};
    into.template each<Length, Lanes::lanes, false>(into.order[i], [&](int place, Offset) { total.add(paths[place]); });
    return total;
  }
  __device__ __forceinline__ Count<T> settle(int i, const Ahead<T>& ahead, const Window<T>& counts) const {
    Count<T> total;
    if constexpr (Lanes::lanes == 1) total = ahead.row[0] == MANY ? sum(i) : sum_row(counts, ahead.row);
    else total = sum_warp(sum(i));
    total.normalize();
    if (Lanes::lanes == 1 || lane_index() == 0) paths[i] = total;
    return total;
  }
};

// The way back. A share of a head has the power of its paths; it counts for less at a tail of a lower power.
template <class Offset, class D, class Length, class T, class Lanes>
struct SumShares {
  Paths<Offset, D> out;
  const int* after;
  const Count<T>* paths;
  Count<T>* shares;
  T* dependency;

  __device__ __forceinline__ Window<T> all() const { return {shares, 0}; }
  __device__ __forceinline__ Ahead<T> open(int i) const {
    if constexpr (Lanes::lanes == 1) return {load_pack<NEAR>(after + static_cast<long long>(NEAR) * i), paths[i]};
    else return {};
  }
  static __device__ __forceinline__ T take(const Count<T>& own, const Count<T>& share) {
    return own.part * weigh<T>(share.power - own.power) * share.part;
  }
  __device__ __forceinline__ T sum(int i, const Count<T>& own) const {
    T total = 0;
    out.template each<Length, Lanes::lanes, true>(
        out.order[i], [&](int place, Offset) { total += take(own, shares[place]); });
    return total;
  }
  __device__ __forceinline__ Count<T> settle(int i, const Ahead<T>& ahead, const Window<T>& counts) const {
    Count<T> own = ahead.own;
    if constexpr (Lanes::lanes != 1) own = paths[i];
    T total = 0;
    if (Lanes::lanes == 1 && ahead.row[0] != MANY) {
#pragma unroll
      for (int j = 0; j < NEAR; ++j)
        if (ahead.row[j] >= 0) total += take(own, counts[ahead.row[j]]);
    } else {
      total = sum(i, own);
    }
    if constexpr (Lanes::lanes != 1) total = warp_reduce(total);
    const Count<T> share{(1 + total) / own.part, own.power};
    if (Lanes::lanes == 1 || lane_index() == 0) {
      dependency[i] = total;
      shares[i] = share;
    }
    return share;
  }
};

// A block settles the levels from `from` up or down to `to`. The first vertex of each thread is read a level ahead, and
// where a level begins two ahead. If arcs join neighbouring levels only, the numbers of the last level stand in `near`,
// shared memory of twice ROOM numbers, unless it has more vertices.
template <bool adjacent, class Lanes, class T, class Step>
__device__ void run_alone(const int* starts, int from, int to, int step, const Step& settler, Count<T>* near) {
  const int mine = threadIdx.x / Lanes::lanes, groups = blockDim.x / Lanes::lanes;
  const auto load_end = [&](int level) {  // of the level, on the side that is not the level before
    return step * (to - level) > 0 ? load_constant(starts + level + (step > 0)) : 0;
  };
  int first = load_constant(starts + from), last = load_constant(starts + from + 1);
  int end = load_end(from + step), before = 0, many_before = 0;
  Ahead<T> ahead{};
  if (first + mine < last) ahead = settler.open(first + mine);
  for (int level = from; level != to; level += step) {
    const int next_first = step > 0 ? last : end, next_last = step > 0 ? end : first;
    end = load_end(level + 2 * step);
    Ahead<T> next{};
    if (level + step != to && next_first + mine < next_last) next = settler.open(next_first + mine);
    const int turn = (level & 1) * ROOM;
    for (int i = first + mine; i < last; i += groups) {
      if (i != first + mine) ahead = settler.open(i);
      const bool is_far = !adjacent || level == from || many_before > ROOM;
      const Count<T> found = settler.settle(i, ahead, is_far ? settler.all() : Window<T>{near + ROOM - turn, before});
      if (adjacent && i - first < ROOM) near[turn + i - first] = found;
    }
    __syncthreads();
    before = first;
    many_before = last - first;
    ahead = next;
    first = next_first;
    last = next_last;
  }
}

// All blocks settle one level.
template <class Lanes, class Step>
__device__ void run_level(const int* starts, int level, const Step& settler) {
  const int last = load_constant(starts + level + 1);
  const int mine = (blockIdx.x * blockDim.x + threadIdx.x) / Lanes::lanes;
  const int groups = gridDim.x * blockDim.x / Lanes::lanes;
  for (int i = load_constant(starts + level) + mine; i < last; i += groups)
    settler.settle(i, settler.open(i), settler.all());
}

// `runs` holds the first level of each run and whether all blocks share it, then the end of the last. Shared memory:
// twice ROOM numbers if arcs have length one and a thread owns a vertex.
template <class Offset, class D, class Length, class T, class Lanes>
__global__ void __launch_bounds__(1024, 1) sweep(const __grid_constant__ SweepParameters<Offset, D, T> given) {
  extern __shared__ __align__(16) long long shared[];
  Count<T>* const near = reinterpret_cast<Count<T>*>(shared);
  constexpr bool adjacent = is_same<Length, Hops> && Lanes::lanes == 1;
  const Paths<Offset, D> into{
      given.in_indptr, given.in_indices, given.in_lengths, given.distances, given.order, given.places};
  const Paths<Offset, D> out{
      given.out_indptr, given.out_indices, given.out_lengths, given.distances, given.order, given.places};
  const CountPaths<Offset, D, Length, T, Lanes> count{into, given.before, given.paths};
  const SumShares<Offset, D, Length, T, Lanes> sum{out, given.after, given.paths, given.shares, given.dependency};
  if (blockIdx.x == 0 && threadIdx.x == 0) given.paths[0] = {1, 0};
  __syncthreads();
  for (int run = 0; run < given.count; ++run) {
    const int from = max(1, load_constant(given.runs + 2 * run)), to = load_constant(given.runs + 2 * run + 2);
    if (load_constant(given.runs + 2 * run + 1)) run_level<Lanes>(given.starts, from, count);
    else if (blockIdx.x == 0 && from < to) run_alone<adjacent, Lanes>(given.starts, from, to, 1, count, near);
    grid_sync(given.barrier);
  }
  for (int run = given.count - 1; run >= 0; --run) {
    const int from = load_constant(given.runs + 2 * run), to = load_constant(given.runs + 2 * run + 2);
    if (load_constant(given.runs + 2 * run + 1)) run_level<Lanes>(given.starts, from, sum);
    else if (blockIdx.x == 0) run_alone<adjacent, Lanes>(given.starts, to - 1, from - 1, -1, sum, near);
    if (run) grid_sync(given.barrier);
  }
}

// Block s takes source s of a graph of low degree, whose arcs have length one, out and back.
template <class Offset, class T>
__global__ void __launch_bounds__(1024, 1) sweep_each(const __grid_constant__ SweepEachParameters<Offset, T> given) {
  extern __shared__ __align__(16) long long shared[];
  Count<T>* const near = reinterpret_cast<Count<T>*>(shared);
  const long long row = static_cast<long long>(blockIdx.x) * given.n;
  const int *const distances = given.distances + row, *const order = given.order + row;
  const int *const places = given.places + row, *const starts = given.starts + row + blockIdx.x;
  const int levels = given.reached[2 * blockIdx.x];
  Count<T>*const paths = given.paths + row, *const shares = given.shares + row;
  const Paths<Offset, int> into{given.in_indptr, given.in_indices, nullptr, distances, order, places};
  const Paths<Offset, int> out{given.out_indptr, given.out_indices, nullptr, distances, order, places};
  const CountPaths<Offset, int, Hops, T, Thread> count{into, given.before + NEAR * row, paths};
  const SumShares<Offset, int, Hops, T, Thread> sum{
      out, given.after + NEAR * row, paths, shares, given.dependency + row};
  if (threadIdx.x == 0) paths[0] = {1, 0};
  __syncthreads();
  if (levels > 1) run_alone<true, Thread>(starts, 1, levels, 1, count, near);
  __syncthreads();
  run_alone<true, Thread>(starts, levels - 1, -1, -1, sum, near);
}
