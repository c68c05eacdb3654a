// The 128 × 128 words of a tile in the registers of 256 threads, 8 × 8 each, and their way from and to memory.
#pragma once

#include "headers/primitives.cuh"

// A pointer of which the compiler knows nothing: what follows from it is computed here, and no register keeps it ready.
template <class T>
__device__ __forceinline__ T* anew(T* p) {
#if !defined(GRAPHLA_EMULATOR)
  asm volatile("" : "+l"(p));
#endif
  return p;
}

// The registers of a thread: cell(y, x) is word (row(y), column(x)) of the tile.
template <class T>
struct Cells {
  T at[8][8];
  static __device__ __forceinline__ int row(int y) {
    return (threadIdx.x >> 6) * 32 + (y >> 1) * 8 + (threadIdx.x >> 3 & 3) * 2 + (y & 1);
  }
  static __device__ __forceinline__ int column(int x) {
    return (threadIdx.x >> 5 & 1) * 64 + (x >> 1) * 16 + (threadIdx.x & 7) * 2 + (x & 1);
  }
  __device__ __forceinline__ void fill(T value) {
#pragma unroll
    for (int y = 0; y < 8; ++y)
#pragma unroll
      for (int x = 0; x < 8; ++x) at[y][x] = value;
  }
  // use(pair of words, y, x) for the thread's neighbours in a row of a tile.
  template <class Word, class Use>
  static __device__ __forceinline__ void each_pair(Word* tile, long long stride, Use use) {
    Word* mine = anew(tile + row(0) * stride + column(0));
#pragma unroll
    for (int y = 0; y < 8; ++y) {
#pragma unroll
      for (int x = 0; x < 8; x += 2) use(mine + (x >> 1) * 16, y, x);
      if (y < 7) mine = anew(mine + (y % 2 ? 7 : 1) * stride);
    }
  }
  __device__ __forceinline__ void load(const T* tile, long long stride) {
    each_pair(tile, stride, [&](const T* from, int y, int x) {
      const auto two = load_pack<2>(from);
      at[y][x] = two[0], at[y][x + 1] = two[1];
    });
  }
  __device__ __forceinline__ void store(T* tile, long long stride) const {
    each_pair(tile, stride, [&](T* to, int y, int x) { store_pack(to, Pack<T, 2>{{at[y][x], at[y][x + 1]}}); });
  }
  // result(word) to an array with rows of `stride`, as far as the tile has `rows` and `columns` there.
  template <class Out, class Result>
  __device__ __forceinline__ void store_part(Out* tile, long long stride, int rows, int columns, Result result) const {
    each_pair(tile, stride, [&](Out* to, int y, int x) {
#pragma unroll
      for (int e = 0; e < 2; ++e)
        if (row(y) < rows && column(x + e) < columns) to[e] = result(at[y][x + e]);
    });
  }
};
