// The blocked Floyd–Warshall with next hops: pivot blocks of 64, tiles of 64 × 64, a thread owns 4 × 4 of D and of H.
// Where D[i, k] + D[k, j] is less than D[i, j], H[i, j] = H[i, k]. k goes upwards, so that of equal ways the first stays.
// compiled: close_hops<NonNegativeFloat>; hot on sm_90
// compiled: close_hops<Saturating<S>> with S = min_plus INT32 | min_plus UINT64
// compiled: panels_hops<NonNegativeFloat>; hot on sm_90
// compiled: panels_hops<NonNegativePairs>; hot on sm_90
// compiled: rest_hops<NonNegativeFloat>; hot on sm_90
// compiled: rest_hops<Double>; hot on sm_90
// compiled: rest_hops<Saturating<S>> with S = min_plus INT32 | min_plus INT16
#pragma once
#include "_corner.cuh"

template <class P, class T>
__device__ __forceinline__ void relax(Corner<T>& c, Corner<int>& h, const T (&left)[4], const int (&hop)[4],
                                      const T (&right)[4]) {
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      const T through = P::sum(left[y], right[x]);
      const bool nearer = through < c.at[y][x];
      c.at[y][x] = nearer ? through : c.at[y][x];
      h.at[y][x] = nearer ? hop[y] : h.at[y][x];
    }
}

// The square of the pivot block, one block; a negative distance of a vertex to itself goes to *cycle.
template <class P>
__global__ __launch_bounds__(CORNER_THREADS) void close_hops(typename P::Value* d, int* hops, long long stride, int first,
                                                             int* cycle) {
  using T = typename P::Value;
  __shared__ T rows[2][CORNER], columns[2][CORNER];
  __shared__ int column_hops[2][CORNER];
  Corner<T> c;
  Corner<int> h;
  d += first * (stride + 1), hops += first * (stride + 1);
  c.load(d, stride), h.load(hops, stride);
  for (int k = 0; k < CORNER; k += 4) {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      for (int x = 0; x < 4; ++x) {
        if (c.row() == k) rows[e & 1][c.column() + x] = c.at[e][x];
        if (c.column() == k) columns[e & 1][c.row() + x] = c.at[x][e], column_hops[e & 1][c.row() + x] = h.at[x][e];
      }
      if (c.row() == k && c.column() == k && c.at[e][e] < T(0)) *cycle = first + k + e;
      __syncthreads();
      T left[4], right[4];
      int hop[4];
      for (int x = 0; x < 4; ++x) {
        left[x] = columns[e & 1][c.row() + x], hop[x] = column_hops[e & 1][c.row() + x];
        right[x] = rows[e & 1][c.column() + x];
      }
      relax<P>(c, h, left, hop, right);
    }
  }
  c.store(d, stride), h.store(hops, stride);
}

// tile = min(tile, left min.plus right) with the hops of `left`; `tile` may be one of the two.
template <class P, class T>
__device__ void relax_tile(T* tile, int* hops, const T* left, const int* left_hops, const T* right, long long stride) {
  constexpr int half = CORNER / 2;
  __shared__ T a[CORNER][half + 1], b[half][CORNER];
  __shared__ int via[CORNER][half + 1];
  Corner<T> c;
  Corner<int> h;
  c.load(tile, stride), h.load(hops, stride);
  for (int middle = 0; middle < CORNER; middle += half) {
    __syncthreads();
    for (const int p : block_range(0, CORNER * half)) {
      a[p / half][p % half] = left[p / half * stride + middle + p % half];
      via[p / half][p % half] = left_hops[p / half * stride + middle + p % half];
      b[p / CORNER][p % CORNER] = right[(middle + p / CORNER) * stride + p % CORNER];
    }
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < half; ++k) {
      T from[4], to[4];
      int hop[4];
      for (int x = 0; x < 4; ++x)
        from[x] = a[c.row() + x][k], hop[x] = via[c.row() + x][k], to[x] = b[k][c.column() + x];
      relax<P>(c, h, from, hop, to);
    }
  }
  c.store(tile, stride), h.store(hops, stride);
}

// blockIdx.y is 0 for the rows of the pivot block, 1 for its columns.
template <class P>
__global__ __launch_bounds__(CORNER_THREADS) void panels_hops(typename P::Value* d, int* hops, long long stride, int first) {
  const int other = blockIdx.x * CORNER;
  if (other == first) return;
  const long long square = first * (stride + 1);
  const long long tile = blockIdx.y == 0 ? first * stride + other : other * stride + first;
  const long long left = blockIdx.y == 0 ? square : tile, right = blockIdx.y == 0 ? tile : square;
  relax_tile<P>(d + tile, hops + tile, d + left, hops + left, d + right, stride);
}

template <class P>
__global__ __launch_bounds__(CORNER_THREADS) void rest_hops(typename P::Value* d, int* hops, long long stride, int first) {
  const int i = blockIdx.y * CORNER, j = blockIdx.x * CORNER;
  if (i == first || j == first) return;
  const long long tile = i * stride + j, left = i * stride + first, right = first * stride + j;
  relax_tile<P>(d + tile, hops + tile, d + left, hops + left, d + right, stride);
}
