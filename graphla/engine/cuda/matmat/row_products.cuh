// What the kernels of a sparse product share: the operands, the mask on columns, and the two passes.
#pragma once

struct EveryColumn {
  static __device__ __forceinline__ bool allows(const long long*, const int*, int, int) { return true; }
};
// Columns of the mask's row are kept, or left out.
template <bool KEEP>
struct MaskedColumns {
  static __device__ __forceinline__ bool allows(const long long* start, const int* column, int i, int j) {
    long long low = start[i], high = start[i + 1];
    const long long end = high;
    while (low < high) {
      const long long middle = low + (high - low) / 2;
      if (column[middle] < j) low = middle + 1;
      else high = middle;
    }
    return (low < end && column[low] == j) == KEEP;
  }
};

// The first pass counts the entries of each row, the second fills them in.
struct Counting { static constexpr bool fills = false; };
struct Filling { static constexpr bool fills = true; };

template <class S, class Columns>
struct Product {
  using C = typename S::C;
  const long long* ap;
  const int* aj;
  const typename S::A* ax;
  const long long* bp;
  const int* bj;
  const typename S::B* bx;
  const long long* mask_start;
  const int* mask_column;

  __device__ __forceinline__ bool allows(int i, int j) const { return Columns::allows(mask_start, mask_column, i, j); }
  // A[i, k] at p times B[k, j] at q.
  __device__ __forceinline__ C term(long long p, long long q, int i, int k, int j) const {
    typename S::A a{};
    typename S::B b{};
    if constexpr (S::reads_a) a = ax[p];
    if constexpr (S::reads_b) b = bx[q];
    return S::mul(a, b, i, k, j);
  }
};
