// What `fused` caches with a graph. A warp owns a row, or a word of the bitmap.
//
//   strongest[v] = the tail u of v with the most arcs out of it; ~u if v has no other tail; NO_TAIL if it has none,
//                  and in the padding
//   isolated     = the bitmap of the vertices without any arc, and of the padding
//   rows         = the heads of each vertex padded with -1, in rows of eight or of four
//
// compiled: find_strongest<Offset> with Offset = int | long long
// compiled: find_isolated<Offset> with Offset = int | long long
// compiled: flag_longer<Offset> with Offset = int | long long
// compiled: pad_eight<Offset> with Offset = int | long long
// compiled: pad_four<Offset> with Offset = int | long long
#pragma once

#include "_common.cuh"
#include "headers/primitives.cuh"

template <class Offset>
__device__ __forceinline__ long long degree(const Offset* indptr, int v) {
  return indptr[v + 1] - indptr[v];
}

template <class Offset>
__global__ void find_strongest(
    int n, int padded_n, const Offset* out_indptr, const Offset* in_indptr, const int* in_indices, int* strongest) {
  const int warps = gridDim.x * (blockDim.x / 32);
  for (int v = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; v < padded_n; v += warps) {
    long long best = -1;  // degree in the high bits, tail in the low bits
    const Offset tails = v < n ? in_indptr[v + 1] - in_indptr[v] : 0;
    if (v < n)
      for (Offset k = in_indptr[v] + lane_index(); k < in_indptr[v + 1]; k += 32) {
        const int u = in_indices[k];
        best = max(best, degree(out_indptr, u) << 31 | u);
      }
    for (int reach = 16; reach; reach /= 2) best = max(best, __shfl_xor_sync(WHOLE_WARP, best, reach));
    const int tail = static_cast<int>(best & 0x7fffffff);
    if (lane_index() == 0) strongest[v] = !tails ? NO_TAIL : tails == 1 ? ~tail : tail;
  }
}

template <class Offset>
__global__ void find_isolated(int n, int words, const Offset* out_indptr, const Offset* in_indptr, unsigned* isolated) {
  const int warps = gridDim.x * (blockDim.x / 32);
  for (int w = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; w < words; w += warps) {
    const int v = w * 32 + lane_index();
    const unsigned bits = __ballot_sync(WHOLE_WARP, v >= n || (!degree(out_indptr, v) && !degree(in_indptr, v)));
    if (lane_index() == 0) isolated[w] = bits;
  }
}

// 1 for a row of more than four heads.
template <class Offset>
__global__ void flag_longer(int n, const Offset* indptr, int* flags) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x)
    flags[v] = indptr[v + 1] - indptr[v] > 4;
}

// Rows of eight: the first eight heads; of a longer row the first seven, and -2.
template <class Offset>
__global__ void pad_eight(int n, const Offset* indptr, const int* indices, int* rows) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    const Offset begin = indptr[v], arcs = indptr[v + 1] - begin;
    for (int j = 0; j < 8; ++j) rows[8ll * v + j] = j < arcs ? indices[begin + j] : -1;
    if (arcs > 8) rows[8ll * v + 7] = -2;
  }
}

// Rows of four: the first four heads; of a longer row the first three and -2 - i, where the i-th extra row holds the
// next four (or three, and -2). longer[v] counts the longer rows before v.
template <class Offset>
__global__ void pad_four(int n, const Offset* indptr, const int* indices, const long long* longer, int* rows) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    const Offset begin = indptr[v], arcs = indptr[v + 1] - begin;
    for (int j = 0; j < 4; ++j) rows[4ll * v + j] = j < arcs ? indices[begin + j] : -1;
    if (arcs <= 4) continue;
    const int place = static_cast<int>(longer[v]);
    rows[4ll * v + 3] = -2 - place;
    for (int j = 0; j < 4; ++j) rows[4ll * (n + place) + j] = 3 + j < arcs ? indices[begin + 3 + j] : -1;
    if (arcs > 7) rows[4ll * (n + place) + 3] = -2;
  }
}
