// Words of memory: same-size views, cached loads, packs of 16 bytes, bitmaps.
#pragma once

#include "complex.cuh"

// An unsigned integer as wide as T, for bits and for compare-and-swap.
template <int bytes> struct WordOf;
template <> struct WordOf<1> { using type = unsigned char; };
template <> struct WordOf<2> { using type = unsigned short; };
template <> struct WordOf<4> { using type = unsigned; };
template <> struct WordOf<8> { using type = unsigned long long; };
template <class T> using Word = typename WordOf<sizeof(T)>::type;

template <class To, class From>
__device__ __forceinline__ To same_bits(From x) {
  static_assert(sizeof(To) == sizeof(From), "same_bits keeps the size");
  union Both {
    From from;
    To to;
    __device__ Both() {}
  } both;
  both.from = x;
  return both.to;
}

template <class T, class U> constexpr bool is_same = false;
template <class T> constexpr bool is_same<T, T> = true;
template <class T> constexpr bool is_float = is_same<T, float> || is_same<T, double>;
template <class T> constexpr bool is_signed_integer =
    !is_float<T> && static_cast<T>(-1) < static_cast<T>(1) && !is_same<T, bool>;
template <class T> constexpr bool is_complex = false;
template <class R> constexpr bool is_complex<Complex<R>> = true;
template <class R> constexpr bool is_signed_integer<Complex<R>> = false;

// Data that no thread writes while the kernel runs: through the read-only cache.
template <class T>
__device__ __forceinline__ T load_constant(const T* p) {
  if constexpr (is_same<T, bool>) return __ldg(reinterpret_cast<const unsigned char*>(p)) != 0;
  else if constexpr (is_complex<T>) return *p;
  else return __ldg(p);
}
// Data read once: it leaves the caches first.
template <class T>
__device__ __forceinline__ T load_once(const T* p) {
  if constexpr (is_same<T, bool>) return __ldcs(reinterpret_cast<const unsigned char*>(p)) != 0;
  else if constexpr (is_complex<T>) return *p;
  else return __ldcs(p);
}
// Data that other blocks write: past the first cache, never from a register.
template <class T>
__device__ __forceinline__ T load_fresh(const T* p) {
  if constexpr (is_same<T, bool>) return *reinterpret_cast<const volatile unsigned char*>(p) != 0;
  else return *static_cast<const volatile T*>(p);
}
// Data that several blocks load and store meanwhile, on purpose: any value that it had since the last barrier of the
// grid will do, and of two stores either may stay. Plain loads and stores; the emulator does not count them as races.
template <class T>
__device__ __forceinline__ T load_racing(const T* p) {
#if defined(GRAPHLA_EMULATOR)
  return load_fresh(p);
#else
  return *p;
#endif
}
template <class T>
__device__ __forceinline__ void store_racing(T* p, T x) {
#if defined(GRAPHLA_EMULATOR)
  *static_cast<volatile T*>(p) = x;
#else
  *p = x;
#endif
}
// The same through the read-only cache: a value may be as old as the launch.
template <class T>
__device__ __forceinline__ T load_racing_cached(const T* p) {
#if defined(GRAPHLA_EMULATOR)
  return load_fresh(p);
#else
  return __ldg(p);
#endif
}
template <class T>
__device__ __forceinline__ void store_once(T* p, T x) {
  if constexpr (is_same<T, bool>) __stcs(reinterpret_cast<unsigned char*>(p), static_cast<unsigned char>(x));
  else if constexpr (is_complex<T>) *p = x;
  else __stcs(p, x);
}

// N neighbours moved at once; 16 bytes is the widest load. p is aligned to the size of the pack.
template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
  T at[N];
  __device__ __forceinline__ T& operator[](int i) { return at[i]; }
  __device__ __forceinline__ const T& operator[](int i) const { return at[i]; }
};
template <int N, class T>
__device__ __forceinline__ Pack<T, N> load_pack(const T* p) {
  return *reinterpret_cast<const Pack<T, N>*>(p);
}
template <class T, int N>
__device__ __forceinline__ void store_pack(T* p, const Pack<T, N>& pack) {
  *reinterpret_cast<Pack<T, N>*>(p) = pack;
}

// A set of integers, one bit each.
template <class I>
__device__ __forceinline__ bool bit_test(const unsigned* bits, I i) {
  return bits[i >> 5] >> (i & 31) & 1u;
}
// The same while other blocks change the set, this element or those beside it in the word.
template <class I>
__device__ __forceinline__ bool bit_test_racing(const unsigned* bits, I i) {
  return load_racing(&bits[i >> 5]) >> (i & 31) & 1u;
}
// True for the one caller that put i into the set.
template <class I>
__device__ __forceinline__ bool bit_set(unsigned* bits, I i) {
  const unsigned bit = 1u << (i & 31);
  return !(atomicOr(&bits[i >> 5], bit) & bit);
}
