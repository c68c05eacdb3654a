// A vector with gaps as one array of floats: a NaN that no entry has stands where there is none.
//
// The load of a value then tells whether it is there, and no flag is read beside it. A computed NaN is the canonical
// one; a NaN of the caller's that has these very bits becomes it.
#pragma once

#include "primitives.cuh"

template <class T>
struct Hole;
template <>
struct Hole<float> {
  using Bits = unsigned;
  static constexpr Bits bits = 0x7fe1a5c3u, plain = 0x7fffffffu;
};
template <>
struct Hole<double> {
  using Bits = unsigned long long;
  static constexpr Bits bits = 0x7ffe1a5c3d2b4f60ull, plain = 0x7fffffffffffffffull;
};

// How a product reads a vector: with an entry at every place, or with holes. `add` is ⊕ over what is there, and `none`
// the sum of nothing.
struct Whole {
  static constexpr bool all = true;
  template <class S>
  static __device__ __forceinline__ typename S::C none() {
    return S::identity();
  }
  template <class T>
  static __device__ __forceinline__ bool has(T) {
    return true;
  }
  template <class S>
  static __device__ __forceinline__ typename S::C add(typename S::C x, typename S::C y) {
    return S::add(x, y);
  }
  template <class T>
  static __device__ __forceinline__ T keep(T x, bool) {
    return x;
  }
};
struct Holes {
  static constexpr bool all = false;
  template <class S>
  static __device__ __forceinline__ typename S::C none() {
    return same_bits<typename S::C>(Hole<typename S::C>::bits);
  }
  template <class T>
  static __device__ __forceinline__ bool has(T x) {
    return same_bits<typename Hole<T>::Bits>(x) != Hole<T>::bits;
  }
  template <class S>
  static __device__ __forceinline__ typename S::C add(typename S::C x, typename S::C y) {
    return !has(x) ? y : !has(y) ? x : S::add(x, y);
  }
  // A value that is there, which is no hole afterwards; or a hole.
  template <class T>
  static __device__ __forceinline__ T keep(T x, bool there) {
    return there == has(x) ? x : same_bits<T>(there ? Hole<T>::plain : Hole<T>::bits);
  }
};
