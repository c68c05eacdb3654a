// A distance as an unsigned integer in the same order: d + w saturates at infinity and never wraps. Weights are not
// negative, so the bits of a float order as the float does.
#pragma once

template <class W, class K, K INFINITE>
struct IntegerPath {
  using Key = K;
  static constexpr Key infinity = INFINITE;
  static __device__ __forceinline__ Key plus(Key d, W w) {
    return static_cast<Key>(w) < infinity - d ? d + static_cast<Key>(w) : infinity;
  }
  static __device__ __forceinline__ W wider(W s) { return static_cast<Key>(s) < infinity / 2 ? s + s / 2 + 1 : s; }
  static __device__ __forceinline__ W narrower(W s) { return s - s / 3; }
};

template <class W>
struct Path;

template <>
struct Path<int> : IntegerPath<int, unsigned, 0x7fffffffu> {};
template <>
struct Path<unsigned> : IntegerPath<unsigned, unsigned, 0xffffffffu> {};
template <>
struct Path<long long> : IntegerPath<long long, unsigned long long, 0x7fffffffffffffffull> {};
template <>
struct Path<unsigned long long> : IntegerPath<unsigned long long, unsigned long long, 0xffffffffffffffffull> {};

template <>
struct Path<float> {
  using Key = unsigned;
  static constexpr Key infinity = 0x7f800000u;
  static __device__ __forceinline__ Key plus(Key d, float w) { return __float_as_uint(__uint_as_float(d) + w); }
  static __device__ __forceinline__ float wider(float s) { return s * 1.5f; }
  static __device__ __forceinline__ float narrower(float s) { return s * 0.6666667f; }
};

template <>
struct Path<double> {
  using Key = unsigned long long;
  static constexpr Key infinity = 0x7ff0000000000000ull;
  static __device__ __forceinline__ Key plus(Key d, double w) {
    return static_cast<Key>(__double_as_longlong(__longlong_as_double(static_cast<long long>(d)) + w));
  }
  static __device__ __forceinline__ double wider(double s) { return s * 1.5; }
  static __device__ __forceinline__ double narrower(double s) { return s * 0.6666666666666667; }
};

// Rows of arcs with their weights; in the fused kernel each row is sorted by weight.
template <class W, class Offset>
struct Arcs {
  const Offset* indptr;
  const int* indices;
  const W* values;
};
