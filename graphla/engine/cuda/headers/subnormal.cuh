// Numbers in FP32 next to 0, which instructions take for 0: kernels are compiled with -ftz=true, CuPy's way.
#pragma once

#include "primitives.cuh"

// A number in FP64, a subnormal one too.
__device__ __forceinline__ double widen(double x) { return x; }
__device__ __forceinline__ double widen(float x) {
  const unsigned bits = __float_as_uint(x), size = bits & 0x7fffffffu;
  if (size >= 0x00800000u) return static_cast<double>(x);
  return static_cast<double>(size) * (bits >> 31 ? -0x1p-149 : 0x1p-149);
}

// A number in FP32, rounded to the nearest one, a subnormal one too.
__device__ __forceinline__ float narrow(double x) {
  if (!(fabs(x) < 0x1p-126)) return static_cast<float>(x);
  const unsigned size = static_cast<unsigned>(rint(fabs(x) * 0x1p149));
  return __uint_as_float(size | (signbit(x) ? 1u << 31 : 0u));
}

// Whether a value is other than 0.
template <class T>
__device__ __forceinline__ bool is_true(T x) {
  return x != 0;
}
__device__ __forceinline__ bool is_true(float x) { return __float_as_uint(x) << 1 != 0; }

// A value in another type.
template <class B, class A>
__device__ __forceinline__ B convert_value(A x) {
  if constexpr (is_same<A, B>) return x;
  else if constexpr (is_same<A, float>) return static_cast<B>(widen(x));
  else if constexpr (is_same<A, double> && is_same<B, float>) return narrow(x);
  else return static_cast<B>(x);
}
