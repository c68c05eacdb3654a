// What the kernels of a sparse product share: parameters, operands, the mask on columns, and the two passes.
#pragma once

struct EveryColumn {
  static __device__ __forceinline__ bool allows(const long long*, const int*, int, int) { return true; }
};
// Columns of the mask's row are kept, or left out.
template <bool KEEP>
struct MaskedColumns {
  static __device__ __forceinline__ bool allows(const long long* indptr, const int* indices, int i, int j) {
    long long low = indptr[i], high = indptr[i + 1];
    const long long end = high;
    while (low < high) {
      const long long middle = low + (high - low) / 2;
      if (indices[middle] < j) low = middle + 1;
      else high = middle;
    }
    return (low < end && indices[low] == j) == KEEP;
  }
};

// The first pass counts the entries of each row, the second fills them in.
struct Counting { static constexpr bool fills = false; };
struct Filling { static constexpr bool fills = true; };

template <class S>
struct RowsParameters {
  const int* rows;  // the rows of C that the launch computes
  int count;        // of them
  int width;        // columns of C
  const long long* left_indptr;
  const int* left_indices;
  const typename S::A* left_values;
  const long long* right_indptr;
  const int* right_indices;
  const typename S::B* right_values;
  const long long* mask_indptr;
  const int* mask_indices;
  int* counts;  // entries of each row of C: the result of the first pass
  const long long* out_indptr;
  int* out_indices;
  typename S::C* out_values;
};

template <class S, class Columns>
struct Product {
  using C = typename S::C;
  const long long* left_indptr;
  const int* left_indices;
  const typename S::A* left_values;
  const long long* right_indptr;
  const int* right_indices;
  const typename S::B* right_values;
  const long long* mask_indptr;
  const int* mask_indices;

  __device__ __forceinline__ bool allows(int i, int j) const {
    return Columns::allows(mask_indptr, mask_indices, i, j);
  }
  // A[i, k] at p times B[k, j] at q.
  __device__ __forceinline__ C term(long long p, long long q, int i, int k, int j) const {
    typename S::A a{};
    typename S::B b{};
    if constexpr (S::reads_a) a = left_values[p];
    if constexpr (S::reads_b) b = right_values[q];
    return S::mul(a, b, i, k, j);
  }
};

template <class S, class Columns>
__device__ __forceinline__ Product<S, Columns> product_of(const RowsParameters<S>& given) {
  return {given.left_indptr,   given.left_indices, given.left_values, given.right_indptr,
          given.right_indices, given.right_values, given.mask_indptr, given.mask_indices};
}
