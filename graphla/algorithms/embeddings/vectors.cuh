// Rows of vectors: random signs, some rows, those of a product, rows of length 1, steps of a filter, axes turned round.
//
// `scale_rows`: a warp owns a row. `find_peaks` and `find_first_peaks`: a thread owns PEAK_ROWS rows of a column. The
// others: a thread owns a cell.
//
// compiled: draw_signs
// compiled: take_vectors<T> with T = float | double
// compiled: take_rows<T, P, AVERAGED> with T = float; P = int | long long; AVERAGED = false | true
// compiled: take_rows<T, P, AVERAGED> with T = double; P = int | long long; AVERAGED = false
// compiled: scale_rows<T, ADDED> with T = float; ADDED = false | true
// compiled: scale_rows<T, ADDED> with T = double; ADDED = false
// compiled: walk_rows<T, P> with T = float | double; P = int | long long
// compiled: combine<T> with T = float | double
// compiled: find_peaks
// compiled: find_first_peaks
// compiled: orient<T> with T = float | double
#pragma once

#include "../shared/_random_words.cuh"
#include "headers/subnormal.cuh"

#include "_vectors_cuda.py"  // PEAK_ROWS
#include "propagation.py"    // SMALLEST_SHARE

using Number = unsigned long long;

// The rows of X that are chosen.
template <class T>
__global__ void take_vectors(const T* X, const long long* chosen, int columns, long long cells, T* out) {
  for (const long long i : grid_range(cells)) {
    const long long row = i / columns;
    out[i] = X[chosen[row] * columns + i - row * columns];
  }
}

// A sign for each cell: bits of the words of cells / 64, the highest bit of each byte first.
__global__ void draw_signs(Number seed, long long cells, float* out) {
  for (const long long i : grid_range(cells)) {
    const Number word = draw(mix(static_cast<Number>(i >> 6) ^ seed), 0);
    const int bit = static_cast<int>((i & 56) + 7 - (i & 7));
    out[i] = word >> bit & 1 ? 1.0f : -1.0f;
  }
}

// The cell of a product whose rows are full or empty.
template <class T, class P>
__device__ __forceinline__ T cell_of(const T* values, const P* indptr, long long row, int column) {
  const P begin = indptr[row];
  return begin < indptr[row + 1] ? values[begin + column] : T{};
}

// out = the product with its empty rows, divided by the sums of weights if it is to be averaged.
template <class T, class P, bool AVERAGED>
__global__ void take_rows(const T* values, const P* indptr, const float* sums, int columns, long long cells, T* out) {
  for (const long long i : grid_range(cells)) {
    const long long row = i / columns;
    const T x = cell_of(values, indptr, row, static_cast<int>(i - row * columns));
    if constexpr (AVERAGED) out[i] = x / (sums[row] > 0 ? sums[row] : 1.0f);
    else out[i] = x;
  }
}

// out = share X / |X| by rows, or more of it. A row is multiplied by 2^-p first where its largest number is below 2^p,
// so that squares are in the range of T: by two factors, each of which is.
template <class T, bool ADDED>
__global__ void scale_rows(const T* X, T share, int columns, long long rows, T* out) {
  const long long warps = static_cast<long long>(gridDim.x) * blockDim.x >> 5;
  for (long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) >> 5; row < rows; row += warps) {
    const long long first = row * columns;
    double most = 0;
    T square = 0;
    for (const int k : lane_range(0, columns)) most = Most{}(most, fabs(widen(X[first + k])));
    int power;
    frexp(warp_reduce(most, Most{}), &power);
    const double half = ldexp(1.0, -power / 2), rest = ldexp(1.0, -power - -power / 2);
    for (const int k : lane_range(0, columns)) {
      const T x = static_cast<T>(widen(X[first + k]) * half * rest);
      square += x * x;
    }
    square = warp_reduce(square);
    const T length = square > 0 ? sqrt(square) : static_cast<T>(1);
    for (const int k : lane_range(0, columns)) {
      const T mine = share * (static_cast<T>(widen(X[first + k]) * half * rest) / length);
      out[first + k] = ADDED ? out[first + k] + mine : mine;
    }
  }
}

// out = (1 - mu) V - (D + I)^-1 (W V + V), with the product W V.
template <class T, class P>
__global__ void walk_rows(
    const T* values, const P* indptr, const float* sums, const T* V, T kept, int columns, long long cells, T* out) {
  for (const long long i : grid_range(cells)) {
    const long long row = i / columns;
    const T around = cell_of(values, indptr, row, static_cast<int>(i - row * columns)) + V[i];
    out[i] = kept * V[i] - around / (sums[row] + 1.0f);
  }
}

// out = a X + b Y + c Z; out may be one of them.
template <class T>
__global__ void combine(T a, const T* X, T b, const T* Y, T c, const T* Z, long long cells, T* out) {
  for (const long long i : grid_range(cells)) out[i] = a * X[i] + b * Y[i] + c * Z[i];
}

// The bits of the largest absolute number of each column; bits of positive numbers rise as these do.
__global__ void find_peaks(const double* X, int columns, long long rows, Number* peaks) {
  const long long tasks = (rows + PEAK_ROWS - 1) / PEAK_ROWS * columns;
  for (const long long task : grid_range(tasks)) {
    const long long part = task / columns, column = task - part * columns, first = part * PEAK_ROWS;
    double most = 0;
    for (long long row = first; row < rows && row < first + PEAK_ROWS; ++row)
      most = fmax(most, fabs(X[row * columns + column]));
    atomicMax(peaks + column, same_bits<Number>(most));
  }
}

// The complement of the first row where it is.
__global__ void find_first_peaks(const double* X, const Number* peaks, int columns, long long rows, Number* places) {
  const long long tasks = (rows + PEAK_ROWS - 1) / PEAK_ROWS * columns;
  for (const long long task : grid_range(tasks)) {
    const long long part = task / columns, column = task - part * columns, first = part * PEAK_ROWS;
    for (long long row = first; row < rows && row < first + PEAK_ROWS; ++row) {
      if (same_bits<Number>(fabs(X[row * columns + column])) != peaks[column]) continue;
      atomicMax(places + column, ~static_cast<Number>(row));
      break;
    }
  }
}

// out = X S^-1/4 with the squares S of singular values, in falling order: the columns are turned round, and each has
// the sign with which its largest number, the first of them, is positive.
template <class T>
__global__ void orient(
    const double* X, const double* squares, const Number* places, int columns, long long cells, T* out) {
  const double most = squares[columns - 1];
  for (const long long i : grid_range(cells)) {
    const long long row = i / columns;
    const int column = columns - 1 - static_cast<int>(i - row * columns);
    const double square = squares[column], factor = square > most * SMALLEST_SHARE ? 1 / sqrt(sqrt(square)) : 0.0;
    const double sign = X[static_cast<long long>(~places[column]) * columns + column] < 0 ? -1.0 : 1.0;
    out[i] = static_cast<T>(sign * (factor * X[row * columns + column]));
  }
}
