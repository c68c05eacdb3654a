// The rows of V of Lanczos on a device, and vectors of right-hand sides, in FP64.
//   leave:  h = V w,    w −= Vᵀ h        over the first `rows` rows, twice a step
//   take:   V[row] = w / ‖w‖
// A block owns a part of all vectors, the same in each kernel, so that sums are the same each time: h and ‖w‖² are left
// as one sum a block, which the next kernel adds up. A warp takes a row of V at a time, and then a thread an element.
//
// compiled: multiply_rows; hot on sm_90
// compiled: leave_rows; hot on sm_90
// compiled: take_row
// compiled: rotate_rows
// compiled: sum_null
// compiled: leave_null
// compiled: find_peaks
// compiled: sum_squares
// compiled: lay_out
// compiled: divide_rows
#pragma once

#include "headers/primitives.cuh"
#include "lanczos_cuda.py"  // BASIS_THREADS, NULL_THREADS, ROTATED

// V has rows of n; `sums` has a number for each row and block, and `squares` for ‖w‖².
struct BasisParameters {
  double* V;
  double* w;
  long long n;
  int rows;
  double* sums;
  double* squares;
  double* alpha;
  double* beta;
  int again;
};

// The part of a block: begin to end − 1.
struct Part {
  long long begin, end;
  __device__ __forceinline__ explicit Part(long long n) {
    const long long each = (n + gridDim.x - 1) / gridDim.x;
    begin = min(n, blockIdx.x * each);
    end = min(n, begin + each);
  }
};

__global__ __launch_bounds__(BASIS_THREADS) void multiply_rows(BasisParameters p) {
  const Part part(p.n);
  for (int i = warp_index(); i < p.rows; i += BASIS_THREADS / 32) {
    const double* row = p.V + i * p.n;
    double sum = 0;
#pragma unroll 4
    for (long long e = part.begin + lane_index(); e < part.end; e += 32) sum += row[e] * p.w[e];
    sum = warp_reduce(sum);
    if (lane_index() == 0) p.sums[static_cast<long long>(i) * gridDim.x + blockIdx.x] = sum;
  }
}

// The sum of what the blocks left.
__device__ __forceinline__ double add_up(const double* sums) {
  double sum = 0;
  for (const int b : lane_range(0, static_cast<int>(gridDim.x))) sum += sums[b];
  return warp_reduce(sum);
}

// α of the last row is what both passes take along it.
__global__ __launch_bounds__(BASIS_THREADS) void leave_rows(BasisParameters p) {
  extern __shared__ double h[];
  for (int i = warp_index(); i < p.rows; i += BASIS_THREADS / 32) {
    const double sum = add_up(p.sums + static_cast<long long>(i) * gridDim.x);
    if (lane_index() == 0) h[i] = sum;
  }
  __syncthreads();
  const Part part(p.n);
  double square = 0;
  for (const long long e : block_range(part.begin, part.end)) {
    double w = p.w[e];
#pragma unroll 4
    for (int i = 0; i < p.rows; ++i) w -= h[i] * p.V[i * p.n + e];
    p.w[e] = w;
    square += w * w;
  }
  square = block_reduce(square);
  if (threadIdx.x) return;
  p.squares[blockIdx.x] = square;
  if (blockIdx.x == 0 && p.rows) p.alpha[p.rows - 1] = h[p.rows - 1] + (p.again ? p.alpha[p.rows - 1] : 0);
}

__global__ __launch_bounds__(BASIS_THREADS) void take_row(BasisParameters p) {
  const double norm = sqrt(add_up(p.squares)), scale = norm > 0 ? 1 / norm : 0;
  const Part part(p.n);
  for (const long long e : block_range(part.begin, part.end)) p.V[p.rows * p.n + e] = p.w[e] * scale;
  if (blockIdx.x == 0 && threadIdx.x == 0 && p.rows) p.beta[p.rows - 1] = norm;
}

// V[i] = Σₗ Y[l, i] V[l] for i < kept, over l < rows: a block takes ROTATED elements of all rows.
__global__ __launch_bounds__(ROTATED) void rotate_rows(double* V, long long n, int rows, int kept, const double* Y) {
  extern __shared__ double before[];
  const long long e = blockIdx.x * static_cast<long long>(ROTATED) + threadIdx.x;
  if (e >= n) return;
  for (int l = 0; l < rows; ++l) before[l * ROTATED + threadIdx.x] = V[l * n + e];
  for (int i = 0; i < kept; ++i) {
    double sum = 0;
    for (int l = 0; l < rows; ++l) sum += Y[l * kept + i] * before[l * ROTATED + threadIdx.x];
    V[i * n + e] = sum;
  }
}

// Null vectors of parts of a graph: piece c of the vertices, number bounds[c] to bounds[c + 1] − 1 of `vertices`, lies
// within part of[c], whose pieces are number pieces[of[c]] to pieces[of[c] + 1] − 1. x has rows of `columns`; a block
// takes a piece, and blockIdx.y is a column.
struct NullParameters {
  double* x;
  int columns;
  const double* null;
  const int* vertices;
  const int* bounds;
  const int* of;
  const int* pieces;
  int count;
  double* sums;
};

__global__ __launch_bounds__(NULL_THREADS) void sum_null(NullParameters p) {
  const int c = static_cast<int>(blockIdx.x);
  double sum = 0;
  for (const int e : block_range(p.bounds[c], p.bounds[c + 1])) {
    const int v = p.vertices[e];
    sum += p.null[v] * p.x[static_cast<long long>(v) * p.columns + blockIdx.y];
  }
  sum = block_reduce(sum);
  if (threadIdx.x == 0) p.sums[static_cast<long long>(blockIdx.y) * p.count + c] = sum;
}

// x −= null (nullᵀ x) on each part.
__global__ __launch_bounds__(NULL_THREADS) void leave_null(NullParameters p) {
  const int c = static_cast<int>(blockIdx.x), part = p.of[c];
  double sum = 0;
  for (const int e : block_range(p.pieces[part], p.pieces[part + 1]))
    sum += p.sums[static_cast<long long>(blockIdx.y) * p.count + e];
  sum = block_reduce(sum);
  for (const int e : block_range(p.bounds[c], p.bounds[c + 1])) {
    const int v = p.vertices[e];
    p.x[static_cast<long long>(v) * p.columns + blockIdx.y] -= p.null[v] * sum;
  }
}

// Of row blockIdx.y of V, the first of its largest elements in each part.
__global__ __launch_bounds__(BASIS_THREADS) void find_peaks(const double* V, long long n, double* peaks) {
  const Part part(n);
  const double* row = V + blockIdx.y * n;
  double largest = 0;
  for (const long long e : block_range(part.begin, part.end)) largest = max(largest, fabs(row[e]));
  largest = block_reduce(largest, 0.0, Most());
  long long first = n;
  for (const long long e : block_range(part.begin, part.end))
    if (fabs(row[e]) == largest) first = min(first, e);
  first = block_reduce(first, n, Least());
  if (threadIdx.x == 0) peaks[blockIdx.y * static_cast<long long>(gridDim.x) + blockIdx.x] = first < n ? row[first] : 0;
}

// Of each column of x the sum of its squares in each part.
__global__ __launch_bounds__(BASIS_THREADS) void sum_squares(const double* x, long long n, int columns, double* sums) {
  const Part part(n);
  double sum = 0;
  for (const long long e : block_range(part.begin, part.end)) {
    const double value = x[e * columns + blockIdx.y];
    sum += value * value;
  }
  sum = block_reduce(sum);
  if (threadIdx.x == 0) sums[blockIdx.y * static_cast<long long>(gridDim.x) + blockIdx.x] = sum;
}

// out[e, i] = factor[i] V[i, e].
__global__ void lay_out(const double* V, long long n, int columns, const double* factor, double* out) {
  for (const long long cell : grid_range(n * columns))
    out[cell] = factor[cell % columns] * V[cell % columns * n + cell / columns];
}

// out[e] = x[e, first …] / length[e]; x has rows of `columns`, and out of the others alone.
__global__ void divide_rows(const double* x, long long n, int columns, int first, const double* length, double* out) {
  const int kept = columns - first;
  for (const long long cell : grid_range(n * kept)) {
    const long long e = cell / kept;
    out[cell] = x[e * columns + first + cell % kept] / length[e];
  }
}
