// A number of paths as a part from 1 to BASE and a power of BASE, so that none overflows, and which arcs count.
//
// The longer of two paths that meet has the larger power; a sum takes over its power, and a quotient of the number at
// the tail of an arc by that at its head is at most 1.
#pragma once

#include "headers/primitives.cuh"

template <class T> struct Base {
  static constexpr T value = 18446744073709551616.0f;  // 2^64
  static constexpr T inverse = 1 / value;
};
template <> struct Base<double> {
  static constexpr double value = 0x1p512;
  static constexpr double inverse = 0x1p-512;
};

// BASE to the power of -ahead.
template <class T>
__device__ __forceinline__ T weigh(int ahead) {
  return ahead <= 0 ? T{1} : ahead == 1 ? Base<T>::inverse : T{0};
}

template <class T>
struct alignas(2 * sizeof(T)) Count {
  T part;
  int power;

  __device__ __forceinline__ void add(const Count& other) {
    if (other.power > power) {
      part *= weigh<T>(other.power - power);
      power = other.power;
    }
    part += other.part * weigh<T>(power - other.power);
  }
  __device__ __forceinline__ void normalize() {
    if (part < Base<T>::value) return;
    part *= Base<T>::inverse;
    ++power;
  }
};

// Arcs of length one, between levels.
struct Hops {
  template <class D>
  static __device__ __forceinline__ bool join(const D* d, const D*, int tail, int head, long long) {
    return d[tail] >= 0 && d[tail] + 1 == d[head];
  }
};
// The largest distance of a vertex that is reached.
template <class D> struct Largest { static constexpr D value = static_cast<D>(~static_cast<D>(0)) - 1; };
template <> struct Largest<int> { static constexpr int value = 0x7ffffffe; };
template <> struct Largest<long long> { static constexpr long long value = 0x7ffffffffffffffeLL; };
template <> struct Largest<double> { static constexpr double value = 1.7976931348623157e308; };

// Arcs of given lengths, between distances.
struct Lengths {
  template <class D>
  static __device__ __forceinline__ bool join(const D* d, const D* lengths, int tail, int head, long long arc) {
    return d[tail] < d[head] && d[tail] + lengths[arc] == d[head] && d[head] <= Largest<D>::value;
  }
};

// How many lanes own a vertex.
struct Thread { static constexpr int lanes = 1; };
struct Warp { static constexpr int lanes = 32; };
