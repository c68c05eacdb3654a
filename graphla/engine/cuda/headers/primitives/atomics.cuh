// *place = S::add(*place, x), atomically, for every monoid and type; the old value is returned.
//
// A native atomic where the chip has one; minimum and maximum of floats by the order of their bits; the rest by
// compare-and-swap. One byte goes through the 32-bit word that holds it. Sums of complex numbers by parts; no other
// monoid joins 16 bytes atomically.
#pragma once

#include "words.cuh"

struct Kind {
  static constexpr int other = 0, plus = 1, min = 2, max = 3, any = 4, lor = 5, land = 6, lxor = 7, times = 8;
};

template <class T>
__device__ __forceinline__ unsigned* word_around(T* place) {
  return reinterpret_cast<unsigned*>(reinterpret_cast<unsigned long long>(place) & ~3ull);
}
template <class T>
__device__ __forceinline__ int bit_in_word(T* place) {
  return static_cast<int>(reinterpret_cast<unsigned long long>(place) & 3ull) * 8;
}

// Replace *place by f(*place).
template <class T, class F>
__device__ __forceinline__ T atomic_update(T* place, F f) {
  if constexpr (sizeof(T) == 1) {
    unsigned* word = word_around(place);
    const int bit = bit_in_word(place);
    for (unsigned seen = load_fresh(word);;) {
      const T old = same_bits<T>(static_cast<unsigned char>(seen >> bit));
      const unsigned next = same_bits<unsigned char>(static_cast<T>(f(old)));
      const unsigned found = atomicCAS(word, seen, (seen & ~(0xFFu << bit)) | next << bit);
      if (found == seen) return old;
      seen = found;
    }
  } else {
    Word<T>* word = reinterpret_cast<Word<T>*>(place);
    for (Word<T> seen = load_fresh(word);;) {
      const T old = same_bits<T>(seen);
      const Word<T> found = atomicCAS(word, seen, same_bits<Word<T>>(static_cast<T>(f(old))));
      if (found == seen) return old;
      seen = found;
    }
  }
}

// Floats that are not negative order as their bits do as integers, negative ones the other way round.
__device__ __forceinline__ float atomic_least(float* place, float x) {
  if (x != x) return load_fresh(place);
  int* bits = reinterpret_cast<int*>(place);
  const int mine = __float_as_int(x);
  return __int_as_float(
      mine >= 0 ? atomicMin(bits, mine)
                : static_cast<int>(atomicMax(reinterpret_cast<unsigned*>(bits), static_cast<unsigned>(mine))));
}
__device__ __forceinline__ float atomic_most(float* place, float x) {
  if (x != x) return load_fresh(place);
  int* bits = reinterpret_cast<int*>(place);
  const int mine = __float_as_int(x);
  return __int_as_float(
      mine >= 0 ? atomicMax(bits, mine)
                : static_cast<int>(atomicMin(reinterpret_cast<unsigned*>(bits), static_cast<unsigned>(mine))));
}
__device__ __forceinline__ double atomic_least(double* place, double x) {
  if (x != x) return load_fresh(place);
  const long long mine = __double_as_longlong(x);
  using Bits = unsigned long long;
  return __longlong_as_double(
      mine >= 0 ? atomicMin(reinterpret_cast<long long*>(place), mine)
                : static_cast<long long>(atomicMax(reinterpret_cast<Bits*>(place), static_cast<Bits>(mine))));
}
__device__ __forceinline__ double atomic_most(double* place, double x) {
  if (x != x) return load_fresh(place);
  const long long mine = __double_as_longlong(x);
  using Bits = unsigned long long;
  return __longlong_as_double(
      mine >= 0 ? atomicMax(reinterpret_cast<long long*>(place), mine)
                : static_cast<long long>(atomicMin(reinterpret_cast<Bits*>(place), static_cast<Bits>(mine))));
}

template <class S, class T>
__device__ __forceinline__ T add_by_swap(T* place, T x) {
  return atomic_update(place, [x](T old) { return static_cast<T>(S::add(old, x)); });
}

template <class S, class T>
__device__ __forceinline__ T atomic_plus(T* place, T x) {
  using Bits = unsigned long long;
  if constexpr (is_complex<T>) return {atomicAdd(&place->re, x.re), atomicAdd(&place->im, x.im)};
  else if constexpr (sizeof(T) < 4) return add_by_swap<S>(place, x);
  else if constexpr (is_float<T> || sizeof(T) == 4) return atomicAdd(place, x);
  else return static_cast<T>(atomicAdd(reinterpret_cast<Bits*>(place), static_cast<Bits>(x)));
}

template <class S, class T>
__device__ __forceinline__ T atomic_extreme(T* place, T x) {
  if constexpr (sizeof(T) < 4) {
    return add_by_swap<S>(place, x);
  } else if constexpr (is_float<T>) {
    const T old = S::kind == Kind::min ? atomic_least(place, x) : atomic_most(place, x);
    if (old != old && x == x) add_by_swap<S>(place, x);  // what was there is no number: it gives way
    return old;
  } else {
    return S::kind == Kind::min ? atomicMin(place, x) : atomicMax(place, x);
  }
}

template <class S>
__device__ __forceinline__ bool atomic_logic(bool* place, bool x) {
  unsigned* word = word_around(place);
  const int bit = bit_in_word(place);
  unsigned old;
  if constexpr (S::kind == Kind::lor) old = x ? atomicOr(word, 1u << bit) : load_fresh(word);
  else if constexpr (S::kind == Kind::land) old = x ? load_fresh(word) : atomicAnd(word, ~(0xFFu << bit));
  else old = atomicXor(word, static_cast<unsigned>(x) << bit);
  return old >> bit & 1u;
}

template <class S>
__device__ __forceinline__ typename S::C atomic_add_of(typename S::C* place, typename S::C x) {
  using C = typename S::C;
  constexpr int kind = S::kind;
  static_assert(sizeof(C) <= 8 || kind == Kind::plus, "no atomic joins 16 bytes but a sum by parts");
  if constexpr (kind == Kind::any && is_complex<C>) {
    return same_bits<C>(atomicExch(reinterpret_cast<Word<C>*>(place), same_bits<Word<C>>(x)));
  } else if constexpr (kind == Kind::any) {
    const C old = load_fresh(place);
    *static_cast<volatile C*>(place) = x;
    return old;
  } else if constexpr (kind == Kind::plus && !is_same<C, bool>) {
    return atomic_plus<S>(place, x);
  } else if constexpr ((kind == Kind::min || kind == Kind::max) && !is_same<C, bool>) {
    return atomic_extreme<S>(place, x);
  } else if constexpr ((kind == Kind::lor || kind == Kind::land || kind == Kind::lxor) && is_same<C, bool>) {
    return atomic_logic<S>(place, x);
  } else {
    return add_by_swap<S>(place, x);
  }
}
