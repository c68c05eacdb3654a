// A warp at work together. Every lane of the warp calls these (threads of a block that is a multiple of 32).
#pragma once

#include "complex.cuh"

constexpr unsigned WHOLE_WARP = 0xffffffffu;

__device__ __forceinline__ int lane_index() { return static_cast<int>(threadIdx.x & 31); }
__device__ __forceinline__ int warp_index() { return static_cast<int>(threadIdx.x >> 5); }
__device__ __forceinline__ unsigned lower_lanes() { return (1u << lane_index()) - 1; }

// Shuffles of any type of 1 to 8 bytes, and of complex numbers by parts.
template <class T>
__device__ __forceinline__ T shuffle_xor(T x, int lanes) {
  if constexpr (sizeof(T) < 4) return static_cast<T>(__shfl_xor_sync(WHOLE_WARP, static_cast<int>(x), lanes));
  else return __shfl_xor_sync(WHOLE_WARP, x, lanes);
}
template <class T>
__device__ __forceinline__ T shuffle_up(T x, unsigned delta) {
  if constexpr (sizeof(T) < 4) return static_cast<T>(__shfl_up_sync(WHOLE_WARP, static_cast<int>(x), delta));
  else return __shfl_up_sync(WHOLE_WARP, x, delta);
}
template <class T>
__device__ __forceinline__ T shuffle_from(T x, int lane) {
  if constexpr (sizeof(T) < 4) return static_cast<T>(__shfl_sync(WHOLE_WARP, static_cast<int>(x), lane));
  else return __shfl_sync(WHOLE_WARP, x, lane);
}

template <class R>
__device__ __forceinline__ Complex<R> shuffle_xor(Complex<R> z, int lanes) {
  return {shuffle_xor(z.re, lanes), shuffle_xor(z.im, lanes)};
}
template <class R>
__device__ __forceinline__ Complex<R> shuffle_up(Complex<R> z, unsigned delta) {
  return {shuffle_up(z.re, delta), shuffle_up(z.im, delta)};
}
template <class R>
__device__ __forceinline__ Complex<R> shuffle_from(Complex<R> z, int lane) {
  return {shuffle_from(z.re, lane), shuffle_from(z.im, lane)};
}

struct Plus {
  template <class T> __device__ __forceinline__ T operator()(T x, T y) const { return x + y; }
};
struct Least {
  template <class T> __device__ __forceinline__ T operator()(T x, T y) const { return y < x ? y : x; }
};
struct Most {
  template <class T> __device__ __forceinline__ T operator()(T x, T y) const { return x < y ? y : x; }
};
// The monoid of a semiring as such a function.
template <class S>
struct AddOf {
  template <class T> __device__ __forceinline__ T operator()(T x, T y) const { return S::add(x, y); }
};

// x0 op x1 op ... op x31, in every lane.
template <class T, class Op = Plus>
__device__ __forceinline__ T warp_reduce(T x, Op op = {}) {
  for (int lanes = 16; lanes; lanes /= 2) x = op(x, shuffle_xor(x, lanes));
  return x;
}
// x0 op ... op x(lane).
template <class T, class Op = Plus>
__device__ __forceinline__ T warp_inclusive_scan(T x, Op op = {}) {
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const T before = shuffle_up(x, delta);
    if (lane_index() >= static_cast<int>(delta)) x = op(before, x);
  }
  return x;
}
// x0 + ... + x(lane - 1).
template <class T>
__device__ __forceinline__ T warp_exclusive_sum(T x) {
  return warp_inclusive_scan(x) - x;
}

// The place at the end of a queue of each lane that wants one, with one atomic for the warp.
template <class Count>
__device__ __forceinline__ Count warp_reserve(bool wanted, Count* count) {
  const unsigned votes = __ballot_sync(WHOLE_WARP, wanted);
  if (!votes) return 0;
  const int leader = __ffs(static_cast<int>(votes)) - 1;
  Count begin = 0;
  if (lane_index() == leader) begin = atomicAdd(count, static_cast<Count>(__popc(votes)));
  return shuffle_from(begin, leader) + static_cast<Count>(__popc(votes & lower_lanes()));
}

// The lanes that want to put their value there.
template <class T, class Count>
__device__ __forceinline__ void warp_append(bool wanted, T value, T* queue, Count* count) {
  const Count place = warp_reserve(wanted, count);
  if (wanted) queue[place] = value;
}
