// Rows, columns and indices of a whole and of its blocks, which ranks send to each other. A thread owns an element.
//
// compiled: shift<A, B> with A = int | long long; B = int | long long | float
// compiled: number_grid; hot
// compiled: find_blocks<A> with A = int | long long; hot
// compiled: pack_entries; hot
// compiled: unpack_entries; hot
// compiled: flag_inside; hot
// compiled: search_sorted<A> with A = int | long long; hot
#pragma once

#include "headers/share.cuh"

// How many of the sorted numbers are less than `wanted`, or not greater.
template <bool Equal, class T>
__device__ long long count_below(const T* sorted, long long count, long long wanted) {
  long long low = 0, high = count;
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (sorted[middle] < wanted || (Equal && sorted[middle] == wanted)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The block of an index; block k has the indices of [bounds[k], bounds[k + 1]), and some may be empty.
__device__ __forceinline__ int block_of(const long long* bounds, int blocks, long long index) {
  return static_cast<int>(count_below<true>(bounds + 1, blocks - 1, index));
}

// out[i] = first + step given[i]
template <class A, class B>
__global__ void shift(const A* given, long long first, long long step, long long count, B* out) {
  for (const long long i : grid_range(count)) out[i] = static_cast<B>(first + step * given[i]);
}

// The row and the column of each cell of a block whose corner is (top, left).
__global__ void number_grid(
    long long width, long long top, long long left, long long count, long long* rows, long long* columns_of) {
  for (const long long i : grid_range(count)) {
    rows[i] = top + i / width;
    columns_of[i] = left + i % width;
  }
}

template <class Index>
__global__ void find_blocks(const Index* places, const long long* bounds, int blocks, long long count, int* owners) {
  for (const long long i : grid_range(count)) owners[i] = block_of(bounds, blocks, places[i]);
}

// The block of each entry in a grid of `across` columns, and its row and column there as one number.
__global__ void pack_entries(
    const long long* rows, const long long* columns_of, const long long* row_bounds, int down,
    const long long* column_bounds, int across, long long count, int* owners, long long* keys) {
  for (const long long k : grid_range(count)) {
    const int i = block_of(row_bounds, down, rows[k]), j = block_of(column_bounds, across, columns_of[k]);
    owners[k] = i * across + j;
    keys[k] = (rows[k] - row_bounds[i]) << 32 | (columns_of[k] - column_bounds[j]);
  }
}

__global__ void unpack_entries(const long long* keys, long long count, int* rows, int* columns_of) {
  for (const long long k : grid_range(count)) {
    rows[k] = static_cast<int>(keys[k] >> 32);
    columns_of[k] = static_cast<int>(keys[k] & 0xFFFFFFFF);
  }
}

__global__ void flag_inside(const long long* places, long long first, long long last, long long count, bool* flags) {
  for (const long long i : grid_range(count)) flags[i] = places[i] >= first && places[i] < last;
}

// out[i] = how many of the sorted numbers are less than keys[i].
template <class A>
__global__ void search_sorted(const A* sorted, long long many, const long long* keys, long long count, long long* out) {
  for (const long long i : grid_range(count)) out[i] = count_below<false>(sorted, many, keys[i]);
}
