// One tile of C = C ⊕ (A ⊗ B): a block of 256 threads owns 128 × 128 words of C, a thread 8 × 8 of them in registers.
// A comes turned, so that both operands are read along rows: `a[k * lda + i]`, `b[k * ldb + j]`, 16 bytes at a time, by
// asynchronous copies into three stages of shared memory, one barrier a stage. A warp owns 32 × 64 words: its
// loads of A take 64 bytes that eight lanes share, its loads of B 128 bytes, neither with a bank conflict.
#pragma once
#include "tropical_numbers.cuh"

constexpr int TILE_SIDE = 128, TILE_WORKERS = 256, TILE_STAGES = 3;

template <class P>
struct Stage {
  using A = typename P::A;
  using B = typename P::B;
  static constexpr int widest = sizeof(A) < sizeof(B) ? sizeof(B) : sizeof(A);
  static constexpr int depth = 64 / widest;
  alignas(16) A a[depth][TILE_SIDE];
  alignas(16) B b[depth][TILE_SIDE];
};

// Words that one access moves: four, or as many as sixteen bytes hold.
template <class T> constexpr int at_once = sizeof(T) > 4 ? 16 / sizeof(T) : 4;

// The registers of a thread: cell(y, x) is word (row(y), column(x)) of the tile.
template <class T>
struct Cells {
  T at[8][8];
  static __device__ __forceinline__ int row(int y) {
    return (threadIdx.x >> 6) * 32 + (y >> 2) * 16 + (threadIdx.x >> 3 & 3) * 4 + (y & 3);
  }
  static __device__ __forceinline__ int column(int x) {
    return (threadIdx.x >> 5 & 1) * 64 + (x >> 2) * 32 + (threadIdx.x & 7) * 4 + (x & 3);
  }
  __device__ __forceinline__ void fill(T value) {
#pragma unroll
    for (int y = 0; y < 8; ++y)
#pragma unroll
      for (int x = 0; x < 8; ++x) at[y][x] = value;
  }
  __device__ __forceinline__ void load(const T* tile, long long stride) {
#pragma unroll
    for (int y = 0; y < 8; ++y)
#pragma unroll
      for (int x = 0; x < 8; x += at_once<T>) {
        const auto some = load_pack<at_once<T>>(tile + row(y) * stride + column(x));
#pragma unroll
        for (int e = 0; e < at_once<T>; ++e) at[y][x + e] = some[e];
      }
  }
  __device__ __forceinline__ void store(T* tile, long long stride) const {
#pragma unroll
    for (int y = 0; y < 8; ++y)
#pragma unroll
      for (int x = 0; x < 8; x += at_once<T>) {
        Pack<T, at_once<T>> some;
#pragma unroll
        for (int e = 0; e < at_once<T>; ++e) some[e] = at[y][x + e];
        store_pack(tile + row(y) * stride + column(x), some);
      }
  }
};

// Sixteen bytes to shared memory without a register on the way; `arrived<n>` waits until at most n groups are missing.
template <class T>
__device__ __forceinline__ void fetch(T* shared, const T* global) {
#if defined(GRAPHLA_EMULATOR)
  store_pack(shared, load_pack<16 / sizeof(T)>(global));
#else
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
               "l"(global) : "memory");
#endif
}
__device__ __forceinline__ void close_group() {
#if !defined(GRAPHLA_EMULATOR)
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int missing>
__device__ __forceinline__ void arrived() {
#if !defined(GRAPHLA_EMULATOR)
  asm volatile("cp.async.wait_group %0;" ::"n"(missing) : "memory");
#endif
}

// `rows` rows of 128 words from global memory, by the whole block.
template <class T, int depth>
__device__ __forceinline__ void fetch_rows(T (&stage)[depth][TILE_SIDE], const T* from, long long stride, int rows) {
  constexpr int words = 16 / sizeof(T), chunks = TILE_SIDE / words;
#pragma unroll
  for (int p = 0; p < depth * chunks; p += TILE_WORKERS) {
    const int at = p + threadIdx.x, k = at / chunks, j = at % chunks * words;
    if ((depth * chunks % TILE_WORKERS == 0 || at < depth * chunks) && k < rows) fetch(&stage[k][j], from + k * stride + j);
  }
}

template <class T, int depth>
__device__ __forceinline__ void take(T (&out)[8], const T (&stage)[depth][TILE_SIDE], int k, int first, int second) {
#pragma unroll
  for (int e = 0; e < 8; e += at_once<T>) {
    const auto some = load_pack<at_once<T>>(&stage[k][e < 4 ? first + e : second + e - 4]);
#pragma unroll
    for (int f = 0; f < at_once<T>; ++f) out[e + f] = some[f];
  }
}

// The products of a stage; (i, k, j) is where it lies in the matrices.
template <class P>
__device__ __forceinline__ void multiply(Cells<typename P::C>& c, const Stage<P>& stage, int rows, long long i,
                                         long long k, long long j) {
  using Place = Cells<typename P::C>;
  const auto single = [&](int d) {
    typename P::A a[8];
    typename P::B b[8];
    take(a, stage.a, d, Place::row(0), Place::row(4));
    take(b, stage.b, d, Place::column(0), Place::column(4));
#pragma unroll
    for (int y = 0; y < 8; ++y)
#pragma unroll
      for (int x = 0; x < 8; ++x) P::one(c.at[y][x], a[y], b[x], i + Place::row(y), k + d, j + Place::column(x));
  };
  const auto pair = [&](int d) {
    typename P::A a0[8], a1[8];
    typename P::B b0[8], b1[8];
    take(a0, stage.a, d, Place::row(0), Place::row(4));
    take(b0, stage.b, d, Place::column(0), Place::column(4));
    take(a1, stage.a, d + 1, Place::row(0), Place::row(4));
    take(b1, stage.b, d + 1, Place::column(0), Place::column(4));
#pragma unroll
    for (int y = 0; y < 8; ++y)
#pragma unroll
      for (int x = 0; x < 8; ++x)
        P::two(c.at[y][x], a0[y], b0[x], a1[y], b1[x], i + Place::row(y), k + d, j + Place::column(x));
  };
  if (rows >= Stage<P>::depth) {
    if constexpr (sizeof(typename P::C) > 4) {
#pragma unroll 1
      for (int d = 0; d < Stage<P>::depth; ++d) single(d);
    } else {
#pragma unroll P::unrolled
      for (int d = 0; d < Stage<P>::depth; d += 2) pair(d);
    }
    return;
  }
#pragma unroll 1
  for (int d = 0; d < rows; ++d) single(d);
}

// c = c ⊕ (A ⊗ B) for the tile whose first word is (i, j); all threads of the block come together.
template <class P>
__device__ __forceinline__ void multiply_tile(Cells<typename P::C>& c, const typename P::A* a, long long lda,
                                              const typename P::B* b, long long ldb, int depth, long long i,
                                              long long j) {
  __shared__ Stage<P> stages[TILE_STAGES];
  constexpr int each = Stage<P>::depth;
  a += i, b += j;
  const auto request = [&](int at, int first) {
    fetch_rows(stages[at].a, a + first * lda, lda, depth - first);
    fetch_rows(stages[at].b, b + first * ldb, ldb, depth - first);
    close_group();
  };
  for (int s = 0; s < TILE_STAGES - 1; ++s) request(s, s * each);
  int now = 0;
#pragma unroll 1
  for (int k = 0; k < depth; k += each) {
    arrived<TILE_STAGES - 2>();
    __syncthreads();
    const int next = now == 0 ? TILE_STAGES - 1 : now - 1;
    request(next, k + (TILE_STAGES - 1) * each);
    multiply<P>(c, stages[now], depth - k, i, k, j);
    now = now == TILE_STAGES - 1 ? 0 : now + 1;
  }
}
