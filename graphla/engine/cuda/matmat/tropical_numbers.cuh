// How the numbers of a product meet: c = c ⊕ (a0 ⊗ b0) ⊕ (a1 ⊗ b1) on words of memory, a word being one number or two.
// `two` takes two k at once, as the chip's minimum of three inputs does. Its argument `odd` says which cells of a
// chessboard it computes: integers alternate between two pipes of the chip. `one` takes the last k of an odd count.
// `Value` is one number, `plus` and `sum` its ⊕ and ⊗; `beats` says whether a cycle beats the empty path, `one`;
// `spread` makes the word of A that meets every number of a word of B. With `absorbs`, nothing() ⊗ x is nothing().
#pragma once

#include "headers/primitives.cuh"

// The smaller number, by one instruction where there is one.
template <class T>
__device__ __forceinline__ T lesser(T x, T y) {
  if constexpr (sizeof(T) == 4 && is_float<T>) return fminf(x, y);
  else return y < x ? y : x;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
constexpr bool TWO_SUMS = true;  // the chip has an instruction for two sums of floats
#else
constexpr bool TWO_SUMS = false;
#endif

// s0 = a0 + b0 and s1 = a1 + b1.
__device__ __forceinline__ void add_two(float& s0, float& s1, float a0, float b0, float a1, float b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
  asm("{ .reg .b64 a, b, s; mov.b64 a, {%2, %3}; mov.b64 b, {%4, %5}; add.rn.ftz.f32x2 s, a, b; mov.b64 {%0, %1}, s; }"
      : "=f"(s0), "=f"(s1)
      : "f"(a0), "f"(a1), "f"(b0), "f"(b1));
#else
  s0 = a0 + b0;
  s1 = a1 + b1;
#endif
}

// Any semiring.
template <class S>
struct OverSemiring {
  using A = typename S::A;
  using B = typename S::B;
  using C = typename S::C;
  static constexpr int unrolled = 1;  // pairs of k: the arithmetic may be long
  static constexpr bool absorbs = false;
  static __device__ __forceinline__ C nothing() { return S::identity(); }
  static __device__ __forceinline__ void one(C& c, A a, B b, long long i, long long k, long long j) {
    const C term = S::mul(a, b, i, k, j);
    if constexpr (S::is_any) c = term;
    else c = S::add(c, term);
  }
  static __device__ __forceinline__ void two(
      C& c, A a0, B b0, A a1, B b1, bool, long long i, long long k, long long j) {
    one(c, a0, b0, i, k, j);
    one(c, a1, b1, i, k + 1, j);
  }
};

// What the tropical ones share: T is the word, of A, B and C alike.
template <class T, class V = T>
struct Tropical {
  using A = T;
  using B = T;
  using C = T;
  using Value = V;
  static constexpr int per_word = sizeof(T) / sizeof(V);
  // Pairs of k; two sums at once want pairs of registers, which leaves fewer for loads ahead of use.
  static constexpr int unrolled = sizeof(T) > 4 ? 1 : TWO_SUMS && is_float<T> ? 2 : 8;
  static constexpr bool absorbs = true;
  static __device__ __forceinline__ V plus(V x, V y) { return lesser(x, y); }
  static __device__ __forceinline__ bool beats(V x, V) { return x < static_cast<V>(0); }
};

// min-plus in a semiring's own arithmetic: integers that may be negative, and unsigned ones, stop at their ends.
template <class S>
struct Saturating : OverSemiring<S> {
  using Value = typename S::C;
  static constexpr int per_word = 1;
  static __device__ __forceinline__ Value spread(Value x) { return x; }
  static __device__ __forceinline__ Value plus(Value x, Value y) { return S::add(x, y); }
  static __device__ __forceinline__ bool beats(Value x, Value one) { return S::add(x, one) != one; }
  static __device__ __forceinline__ Value sum(Value x, Value y) { return S::mul(x, y, 0, 0, 0); }
};

// Floats order as their bits do while none is negative: two sums and one minimum of three integers.
struct NonNegativeFloat : Tropical<float> {
  static __device__ __forceinline__ float nothing() { return __int_as_float(0x7f800000); }
  static __device__ __forceinline__ float spread(float x) { return x; }
  static __device__ __forceinline__ float sum(float x, float y) { return x + y; }
  static __device__ __forceinline__ void one(float& c, float a, float b, long long, long long, long long) {
    c = lesser(c, a + b);
  }
  static __device__ __forceinline__ void two(
      float& c, float a0, float b0, float a1, float b1, bool, long long, long long, long long) {
    float s0, s1;
    add_two(s0, s1, a0, b0, a1, b1);
    c = __int_as_float(__vimin3_s32(__float_as_int(s0), __float_as_int(s1), __float_as_int(c)));
  }
};

// The machine's own sum and comparison: signed floats; integers seen as unsigned, whose largest twice still fits.
template <class T, class Largest>
struct Compared : Tropical<T> {
  static __device__ __forceinline__ T nothing() { return Largest::value(); }
  static __device__ __forceinline__ T spread(T x) { return x; }
  static __device__ __forceinline__ T sum(T x, T y) { return x + y; }
  static __device__ __forceinline__ void one(T& c, T a, T b, long long, long long, long long) { c = lesser(c, a + b); }
  static __device__ __forceinline__ void two(T& c, T a0, T b0, T a1, T b1, bool, long long, long long, long long) {
    if constexpr (is_same<T, float>) {
      float s0, s1;
      add_two(s0, s1, a0, b0, a1, b1);
      c = lesser(lesser(c, s0), s1);
    } else {
      one(c, a0, b0, 0, 0, 0);
      one(c, a1, b1, 0, 0, 0);
    }
  }
};
struct FloatInfinity {
  static __device__ __forceinline__ float value() { return __int_as_float(0x7f800000); }
};
struct DoubleInfinity {
  static __device__ __forceinline__ double value() { return __longlong_as_double(0x7ff0000000000000ll); }
};
struct LongInfinity {
  static __device__ __forceinline__ unsigned long long value() { return 0x7fffffffffffffffull; }
};
using SignedFloat = Compared<float, FloatInfinity>;
using Double = Compared<double, DoubleInfinity>;
using NonNegativeLong = Compared<unsigned long long, LongInfinity>;

// x + y by the pipe that multiplies, so that the one of minima has less to do: the factor is 1, the depth of the block,
// but the compiler does not know that.
__device__ __forceinline__ unsigned sum_by_multiply(unsigned x, unsigned y) { return x * blockDim.z + y; }

// int32 from 0 to its largest, which is infinity: twice that fits the unsigned word, so no sum wraps.
struct NonNegativeInt : Tropical<unsigned> {
  static __device__ __forceinline__ unsigned nothing() { return 0x7fffffffu; }
  static __device__ __forceinline__ unsigned spread(unsigned x) { return x; }
  static __device__ __forceinline__ unsigned sum(unsigned x, unsigned y) { return x + y; }
  static __device__ __forceinline__ void one(unsigned& c, unsigned a, unsigned b, long long, long long, long long) {
    c = __viaddmin_u32(a, b, c);
  }
  static __device__ __forceinline__ void two(
      unsigned& c, unsigned a0, unsigned b0, unsigned a1, unsigned b1, bool odd, long long, long long, long long) {
    if (odd) c = __vimin3_u32(sum_by_multiply(a0, b0), sum_by_multiply(a1, b1), c);
    else c = __viaddmin_u32(a1, b1, __viaddmin_u32(a0, b0, c));
  }
};

// Integers whose paths stay below a quarter of the type: with infinity at half of it no sum of two cells wraps. Beyond
// a negative cycle they may, as unsigned ones do.
struct SmallInt : Tropical<int> {
  static __device__ __forceinline__ int nothing() { return 0x3fffffff; }
  static __device__ __forceinline__ int spread(int x) { return x; }
  static __device__ __forceinline__ int sum(int x, int y) {
    return static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(y));
  }
  static __device__ __forceinline__ void one(int& c, int a, int b, long long, long long, long long) {
    c = __viaddmin_s32(a, b, c);
  }
  static __device__ __forceinline__ void two(
      int& c, int a0, int b0, int a1, int b1, bool odd, long long, long long, long long) {
    if (odd) c = __vimin3_s32(sum_by_multiply(a0, b0), sum_by_multiply(a1, b1), c);
    else c = __viaddmin_s32(a1, b1, __viaddmin_s32(a0, b0, c));
  }
};
struct SmallLong : Tropical<long long> {
  using Wide = unsigned long long;
  static __device__ __forceinline__ long long nothing() { return 0x3fffffffffffffffll; }
  static __device__ __forceinline__ long long spread(long long x) { return x; }
  static __device__ __forceinline__ long long sum(long long x, long long y) {
    return static_cast<long long>(static_cast<Wide>(x) + static_cast<Wide>(y));
  }
  static __device__ __forceinline__ void one(long long& c, long long a, long long b, long long, long long, long long) {
    c = lesser(c, sum(a, b));
  }
  static __device__ __forceinline__ void two(
      long long& c, long long a0, long long b0, long long a1, long long b1, bool, long long, long long, long long) {
    one(c, a0, b0, 0, 0, 0);
    one(c, a1, b1, 0, 0, 0);
  }
};

// int16 from 0 to its largest, two neighbours of a row in a word: two updates an instruction.
struct NonNegativePairs : Tropical<unsigned, unsigned short> {
  static __device__ __forceinline__ unsigned nothing() { return 0x7fff7fffu; }
  static __device__ __forceinline__ unsigned spread(unsigned short x) { return x * 0x10001u; }
  static __device__ __forceinline__ unsigned short sum(unsigned short x, unsigned short y) {
    return static_cast<unsigned short>(x + y);
  }
  static __device__ __forceinline__ void one(unsigned& c, unsigned a, unsigned b, long long, long long, long long) {
    c = __viaddmin_u16x2(a, b, c);
  }
  static __device__ __forceinline__ void two(
      unsigned& c, unsigned a0, unsigned b0, unsigned a1, unsigned b1, bool odd, long long, long long, long long) {
    if (odd) c = __vimin3_u16x2(sum_by_multiply(a0, b0), sum_by_multiply(a1, b1), c);
    else c = __viaddmin_u16x2(a1, b1, __viaddmin_u16x2(a0, b0, c));
  }
};
