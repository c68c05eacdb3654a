// C[i, :] = ⊕_k A[i, k] ⊗ B[k, :] where a row has at most HASH_MOST products: a block owns a row.
//
// Columns and sums stand in an open hash table in shared memory; the second pass sorts what it holds.
//
// compiled: rows_hash<S, Columns, Pass> with S = plus_times FP32 | min_plus FP32 | any_secondi BOOL INT32 |
//   plus_times INT8 | plus_times FP64; Columns = EveryColumn | MaskedColumns<true>; Pass = Counting | Filling; hot
// compiled: rows_hash<S, EveryColumn, Filling> with S = plus_times FC32
#pragma once

#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "row_products.cuh"
#include "rows.py"  // HASH_MOST, HASH_THREADS

constexpr int HASH_SLOTS = 2 * HASH_MOST, HASH_EMPTY = -1;

template <class C>
struct HashTable {
  int column[HASH_SLOTS];
  alignas(8) C total[HASH_SLOTS];

  __device__ __forceinline__ void clear(C identity) {
    for (const int slot : block_range(0, HASH_SLOTS)) {
      column[slot] = HASH_EMPTY;
      total[slot] = identity;
    }
  }
  // The slot of column j; `fresh` if this caller put it there.
  __device__ __forceinline__ int slot_of(int j, bool& fresh) {
    int slot = static_cast<int>(static_cast<unsigned>(j) * 0x9e3779b1u >> 21);
    for (;; slot = (slot + 1) & (HASH_SLOTS - 1)) {
      const int held = load_fresh(column + slot);
      if (held == j) break;
      if (held != HASH_EMPTY) continue;
      const int before = atomicCAS(column + slot, HASH_EMPTY, j);
      fresh = before == HASH_EMPTY;
      if (fresh || before == j) break;
    }
    return slot;
  }
};
static_assert(HASH_SLOTS == 1 << (32 - 21), "the hash leaves as many bits as there are slots");

// Sort size (a power of two) keys in shared memory.
__device__ __forceinline__ void block_sort(unsigned long long* keys, int size) {
  for (int run = 2; run <= size; run *= 2)
    for (int distance = run / 2; distance; distance /= 2) {
      __syncthreads();
      for (const int pair : block_range(0, size / 2)) {
        const int low = 2 * pair - (pair & (distance - 1)), high = low + distance;
        const unsigned long long a = keys[low], b = keys[high];
        if ((a > b) == !(low & run)) {
          keys[low] = b;
          keys[high] = a;
        }
      }
    }
  __syncthreads();
}

template <class S, class Columns, class Pass>
__device__ __forceinline__ void gather_row(
    const Product<S, Columns>& of, int i, HashTable<typename S::C>& table, int* entries) {
  for (long long p = of.left_indptr[i] + warp_index(); p < of.left_indptr[i + 1]; p += HASH_THREADS / 32) {
    const int k = of.left_indices[p];
    for (const long long q : lane_range(of.right_indptr[k], of.right_indptr[k + 1])) {
      const int j = of.right_indices[q];
      if (!of.allows(i, j)) continue;
      bool fresh = false;
      const int slot = table.slot_of(j, fresh);
      if (fresh) atomicAdd(entries, 1);
      if constexpr (Pass::fills && S::is_any) {
        if (fresh) table.total[slot] = of.term(p, q, i, k, j);
      } else if constexpr (Pass::fills) {
        join<S>(table.total + slot, of.term(p, q, i, k, j));
      }
    }
  }
}

template <class S, class Columns, class Pass>
__global__ __launch_bounds__(HASH_THREADS) void rows_hash(const __grid_constant__ RowsParameters<S> given) {
  __shared__ HashTable<typename S::C> table;
  __shared__ unsigned long long keys[Pass::fills ? HASH_MOST : 1];
  __shared__ int entries, listed;
  const int i = given.rows[blockIdx.x];
  table.clear(S::identity());
  if (threadIdx.x == 0) entries = listed = 0;
  __syncthreads();
  gather_row<S, Columns, Pass>(product_of<S, Columns>(given), i, table, &entries);
  __syncthreads();
  if constexpr (!Pass::fills) {
    if (threadIdx.x == 0) given.counts[i] = entries;
  } else {
    int size = 1;
    while (size < entries) size *= 2;
    for (const int slot : block_range(0, HASH_SLOTS))
      if (table.column[slot] != HASH_EMPTY)
        keys[atomicAdd(&listed, 1)] = static_cast<unsigned long long>(table.column[slot]) << 32 | slot;
    for (const int p : block_range(entries, size)) keys[p] = ~0ull;
    block_sort(keys, size);
    for (const int p : block_range(0, entries)) {
      given.out_indices[given.out_indptr[i] + p] = static_cast<int>(keys[p] >> 32);
      given.out_values[given.out_indptr[i] + p] = table.total[static_cast<unsigned>(keys[p])];
    }
  }
}
