// Where arcs stand in a CSR matrix, and a list with some entries left out and others put in.
//
// locate: place = indptr[row] + |{k : A[row, k] stored, k < head}|; a thread bisects for an arc.
// move_pointers: made[r] = indptr[r] + |{fresh rows < r}| - |{gone rows < r}|; a thread bisects in both for a row.
// splice: with c entries that come before p and g that have gone up to it, made[p] = fresh[c] where into[c] = p, and
// held[p - c + g] elsewhere. A block makes a tile, for which it bisects once. What comes and goes in the tile changes
// g - c by one each, so that sums of these are where an entry comes from; a tile in which more goes than it has entries
// bisects for each.
//
// compiled: locate<P> with P = int | long long; hot
// compiled: move_pointers<P, Q> with P = int | long long; Q = int | long long
// compiled: splice<V> with V = unsigned char | unsigned short | int | long long | Wide; hot
#pragma once

#include "changes_cuda.py"  // THREADS, TILE
#include "headers/primitives.cuh"
#include "headers/row_range.cuh"
#include "headers/wide.cuh"

template <class P>
__global__ void locate(const P* indptr, const int* indices, int nrows, long long nvals, const long long* tails,
                       const long long* heads, long long count, long long* places, bool* there) {
  for (const long long i : grid_range(count)) {
    const long long row = tails[i];
    const int head = static_cast<int>(heads[i]);
    const bool inside = row < nrows;
    const RowRange range{indices, inside ? indptr[row] : nvals, inside ? indptr[row + 1] : nvals};
    const long long at = range.lower_bound(head);
    places[i] = at;
    there[i] = at < range.last && indices[at] == head;
  }
}

// Places in rising order: how many of them come before p; and, of those that go, how many stand before the entry that
// is number r of those that stay. The answer is from `low` to `high`.
struct Places {
  const long long* places;

  __device__ __forceinline__ long long before(long long p, long long low, long long high) const {
    while (low < high) {
      const long long middle = low + (high - low) / 2;
      if (places[middle] < p) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  __device__ __forceinline__ long long gone(long long r, long long low, long long high) const {
    while (low < high) {
      const long long middle = low + (high - low) / 2;
      if (places[middle] - middle <= r) low = middle + 1;
      else high = middle;
    }
    return low;
  }
};

// made[r] for r of [0, count); rows beyond `rows` are empty before.
template <class P, class Q>
__global__ void move_pointers(const P* indptr, long long rows, const long long* gone, long long leaves,
                              const long long* fresh, long long comes, long long count, Q* made) {
  const Places leaving{gone}, coming{fresh};
  for (const long long r : grid_range(count))
    made[r] = static_cast<Q>(indptr[r < rows ? r : rows] + coming.before(r, 0, comes) - leaving.before(r, 0, leaves));
}

constexpr int EACH = TILE / THREADS;  // neighbours that a thread adds up

// What comes from `came[0]` to `came[1]`, and goes from `gone[0]` to `gone[1]`, up to a tile that begins at p.
struct Tile {
  const Places& coming;
  const Places& leaving;
  const long long* came;
  const long long* gone;

  // steps[p] = what g - c of the tile's entries grows by at p, then by how much it has grown up to p.
  __device__ __forceinline__ void add_up(long long begin, int size, int* steps) const {
    for (const int p : block_range(0, TILE)) steps[p] = 0;
    __syncthreads();
    for (const long long c : block_range(came[0], came[1])) {
      const long long after = coming.places[c] + 1 - begin;
      if (after < size) atomicAdd(steps + after, -1);
    }
    for (const long long g : block_range(gone[0], gone[1])) {
      const long long stays = leaving.places[g] - g, at = stays + coming.gone(stays, came[0], came[1]) - begin;
      if (at < size) atomicAdd(steps + at, 1);
    }
    __syncthreads();
    int sum = 0, mine[EACH];
    for (int k = 0; k < EACH; ++k) sum += mine[k] = steps[threadIdx.x * EACH + k];
    int upto = block_exclusive_sum(sum).before;
    for (int k = 0; k < EACH; ++k) steps[threadIdx.x * EACH + k] = upto += mine[k];
    __syncthreads();
  }
};

template <class V>
__global__ __launch_bounds__(THREADS) void splice(
    const V* held, const long long* out, long long leaves, const long long* into, long long comes, const V* fresh,
    long long size, V* made) {
  __shared__ long long came[2], gone[2];
  __shared__ int steps[TILE];
  const Places leaving{out}, coming{into};
  const long long begin = static_cast<long long>(blockIdx.x) * TILE;
  const long long end = size - begin < TILE ? size : begin + TILE;
  if (threadIdx.x < 2) {
    const long long p = threadIdx.x ? end : begin, before = coming.before(p, 0, comes);
    came[threadIdx.x] = before;
    gone[threadIdx.x] = leaving.gone(p - before, 0, leaves);
  }
  __syncthreads();
  if (gone[1] - gone[0] <= TILE) {
    Tile{coming, leaving, came, gone}.add_up(begin, static_cast<int>(end - begin), steps);
    const long long first = begin - came[0] + gone[0], entries = size - comes + leaves;
    for (const long long p : block_range(begin, end)) {
      const long long from = first + (p - begin) + steps[p - begin];
      if (from < entries) made[p] = held[from];
    }
    __syncthreads();
    for (const long long c : block_range(came[0], came[1])) made[into[c]] = fresh[c];
    return;
  }
  for (const long long p : block_range(begin, end)) {
    const long long c = coming.before(p, came[0], came[1]);
    if (c < came[1] && into[c] == p) made[p] = fresh[c];
    else made[p] = held[p - c + leaving.gone(p - c, gone[0], gone[1])];
  }
}
