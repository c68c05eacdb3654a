// w = u ∪ v or u ∩ v of vectors with a flag per index, or an entry at each: a thread owns an index.
//
// compiled: merge_vectors<true, Bitmap, Bitmap, Op, FromLeft, FromRight, Passing<Op>> with Op = binary.plus FP32;
//   FromLeft = unary.identity FP32; FromRight = unary.identity FP32; hot
// compiled: merge_vectors<true, Full, Bitmap, Op, FromLeft, FromRight, Meeting<Op>> with Op = binary.minus INT64;
//   FromLeft = unary.identity INT64; FromRight = unary.identity INT64; hot
// compiled: merge_vectors<false, Bitmap, Full, Op, FromLeft, FromRight, Passing<Op>> with Op = binary.lt INT8;
//   FromLeft = unary.identity INT8; FromRight = unary.identity INT8; hot
// compiled: fill_flagged<View, T> with View = Full | Bitmap;
//   T = unsigned char | unsigned short | int | long long | Wide
// compiled: fill_listed<View, T, P> with View = Full | Bitmap;
//   T = unsigned char | unsigned short | int | long long | Wide; P = int | long long
#pragma once

#include "alone.cuh"
#include "headers/primitives.cuh"
#include "headers/views.cuh"
#include "headers/wide.cuh"

template <class Op>
struct MergeVectorsParameters {
  const bool* has_left;
  const typename Op::A* left;
  const bool* has_right;
  const typename Op::B* right;
  typename Op::A left_fill;
  typename Op::B right_fill;
  long long size;
  bool* present;
  typename Op::C* out;
  unsigned long long* entries;
};

template <bool UNION, class Left, class Right, class Op, class FromLeft, class FromRight, class Alone>
__global__ void merge_vectors(const __grid_constant__ MergeVectorsParameters<Op> given) {
  unsigned long long mine = 0;
  for (const long long i : grid_range(given.size)) {
    const bool l = Left::has(given.has_left, i), r = Right::has(given.has_right, i);
    const bool has = UNION ? l || r : l && r;
    given.present[i] = has;
    mine += has;
    if (!has) continue;
    if (l && r) given.out[i] = Op::apply(given.left[i], given.right[i]);
    else if (l) given.out[i] = Alone::template left<FromLeft>(given.left[i], given.right_fill);
    else given.out[i] = Alone::template right<FromRight>(given.left_fill, given.right[i]);
  }
  const unsigned long long all = block_reduce(mine);
  if (threadIdx.x == 0 && all) atomicAdd(given.entries, all);
}

// out[i] = value; whether the place had no entry.
template <class View, class T>
__device__ __forceinline__ bool fill_place(long long i, T value, bool* present, T* out) {
  out[i] = value;
  if (View::has(present, i)) return false;
  return present[i] = true;
}
template <class View>
__device__ __forceinline__ void count_added(unsigned long long mine, unsigned long long* added) {
  if (View::all) return;
  const unsigned long long all = block_reduce(mine);
  if (threadIdx.x == 0 && all) atomicAdd(added, all);
}

// out[i] = value where a flag is up; counted are the places that had no entry.
template <class View, class T>
__global__ void fill_flagged(
    const bool* flags, long long size, T value, bool* present, T* out, unsigned long long* added) {
  unsigned long long mine = 0;
  for (const long long i : grid_range(size))
    if (flags[i]) mine += fill_place<View>(i, value, present, out);
  count_added<View>(mine, added);
}

// The same at `places`, of which no two are the same.
template <class View, class T, class P>
__global__ void fill_listed(const P* places, int count, T value, bool* present, T* out, unsigned long long* added) {
  unsigned long long mine = 0;
  for (const int p : grid_range(count)) mine += fill_place<View>(places[p], value, present, out);
  count_added<View>(mine, added);
}
