// How kernels look at operands: a mask, the entries of a vector, which side of ⊗ the matrix stands on.
#pragma once

struct NoMask {
  static constexpr bool any = false;
  static __device__ __forceinline__ bool allows(const bool*, long long) { return true; }
};
struct Inside {
  static constexpr bool any = true;
  static __device__ __forceinline__ bool allows(const bool* flags, long long place) { return flags[place]; }
};
struct Outside {
  static constexpr bool any = true;
  static __device__ __forceinline__ bool allows(const bool* flags, long long place) { return !flags[place]; }
};

// Every place has an entry, or a flag tells.
struct Full {
  static constexpr bool all = true;
  static __device__ __forceinline__ bool has(const bool*, long long) { return true; }
};
struct Bitmap {
  static constexpr bool all = false;
  static __device__ __forceinline__ bool has(const bool* present, long long k) { return present[k]; }
};

// A value where ⊗ reads it; else no load at all.
template <bool READ, class T, class I>
__device__ __forceinline__ T value_at(const T* values, I place) {
  if constexpr (READ) return values[place];
  else return T();
}

// w[i] = M[i, k] ⊗ v[k].
struct MatrixFirst {
  template <class S> using Matrix = typename S::A;
  template <class S> using Vector = typename S::B;
  template <class S> static constexpr bool reads_matrix = S::reads_a;
  template <class S> static constexpr bool reads_vector = S::reads_b;
  template <class S>
  static __device__ __forceinline__ typename S::C product(Matrix<S> a, Vector<S> x, long long i, long long k) {
    return S::mul(a, x, i, k, 0);
  }
};
// w[i] = v[k] ⊗ M[k, i].
struct VectorFirst {
  template <class S> using Matrix = typename S::B;
  template <class S> using Vector = typename S::A;
  template <class S> static constexpr bool reads_matrix = S::reads_b;
  template <class S> static constexpr bool reads_vector = S::reads_a;
  template <class S>
  static __device__ __forceinline__ typename S::C product(Matrix<S> a, Vector<S> x, long long i, long long k) {
    return S::mul(x, a, 0, k, i);
  }
};
