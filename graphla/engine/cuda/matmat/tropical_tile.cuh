// One tile of C = C ⊕ (A ⊗ B): a block of 256 threads owns 128 × 128 words of C, a thread 8 × 8 of them in registers.
// Both operands are read along rows of k, 16 bytes at a time, by asynchronous copies into three stages of shared
// memory, one barrier a stage. Words of four bytes or less lie two k abreast, in A the even one first and in B the odd
// one: a thread's words of A and of B for one k then come in registers of different parity, that is in different banks,
// and no sum waits for its operands. A warp owns 32 × 64 words: its loads of A take 64 bytes that eight lanes share,
// its loads of B 128 bytes, neither with a bank conflict in shared memory.
#pragma once

#include "headers/primitives.cuh"
#include "tropical_cells.cuh"
#include "tropical_copy.cuh"
#include "tropical_numbers.cuh"
#include "tropical_operands.py"  // STAGE_BYTES, TILE_SIDE

constexpr int TILE_STAGES = 3;

template <class P>
constexpr int widest = sizeof(typename P::A) < sizeof(typename P::B) ? sizeof(typename P::B) : sizeof(typename P::A);

// k that lie side by side in both operands.
template <class P> constexpr int abreast = widest<P> > 4 || sizeof(typename P::C) > 4 ? 1 : 2;

// Where word (k, i) of an operand is whose rows have `width` words; B is `reversed`.
template <int together, bool reversed>
__device__ __forceinline__ long long place(long long k, long long i, long long width) {
  const long long turn = k % together;
  return (k / together * width + i) * together + (reversed ? together - 1 - turn : turn);
}

template <class P>
struct Stage {
  using A = typename P::A;
  using B = typename P::B;
  static constexpr int depth = STAGE_BYTES / widest<P>, together = abreast<P>, rows = depth / together;
  alignas(16) A a[rows][TILE_SIDE * together];
  alignas(16) B b[rows][TILE_SIDE * together];
};

// A thread's words of two k from a row of a stage; `at(e)` is the tile's row or column of word e.
template <bool reversed, class T, int width, class At>
__device__ __forceinline__ void take_pair(T (&even)[8], T (&odd)[8], const T (&row)[width], At at) {
#pragma unroll
  for (int e = 0; e < 8; e += 2) {
    const auto some = load_pack<4>(&row[at(e) * 2]);
#pragma unroll
    for (int f = 0; f < 2; ++f) {
      even[e + f] = some[2 * f + reversed];
      odd[e + f] = some[2 * f + !reversed];
    }
  }
}

// The products of stage `s` from its first k to its last, or to its k-th; (i, j) is where the tile lies in C.
template <class P>
struct Products {
  using Place = Cells<typename P::C>;
  using Held = Stage<P>;
  Cells<typename P::C>& c;
  const long long i, j;

  __device__ __forceinline__ void single(const Held& stage, int d, long long k) const {
    typename P::A a[8];
    typename P::B b[8];
    constexpr int g = Held::together;
    const int r = d / g, turn = d % g;
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      a[e] = stage.a[r][Place::row(e) * g + turn];
      b[e] = stage.b[r][Place::column(e) * g + g - 1 - turn];
    }
#pragma unroll
    for (int y = 0; y < 8; ++y)
#pragma unroll
      for (int x = 0; x < 8; ++x) P::one(c.at[y][x], a[y], b[x], i + Place::row(y), k + d, j + Place::column(x));
  }
  __device__ __forceinline__ void pair(const Held& stage, int r, long long k) const {
    typename P::A a0[8], a1[8];
    typename P::B b0[8], b1[8];
    take_pair<false>(a0, a1, stage.a[r], Place::row);
    take_pair<true>(b0, b1, stage.b[r], Place::column);
#pragma unroll
    for (int y = 0; y < 8; ++y)
#pragma unroll
      for (int x = 0; x < 8; ++x)
        P::two(c.at[y][x], a0[y], b0[x], a1[y], b1[x], (x + y) % 2, i + Place::row(y), k + 2 * r, j + Place::column(x));
  }
  __device__ __forceinline__ void full(const Held& stage, long long k) const {
    if constexpr (Held::together == 1) {
#pragma unroll 1
      for (int d = 0; d < Held::depth; ++d) single(stage, d, k);
    } else {
#pragma unroll P::unrolled
      for (int r = 0; r < Held::rows; ++r) pair(stage, r, k);
    }
  }
  __device__ __forceinline__ void part(const Held& stage, int count, long long k) const {
#pragma unroll 1
    for (int d = 0; d < count; ++d) single(stage, d, k);
  }
};

// c = c ⊕ (A ⊗ B) for the tile whose first word is (i, j); all threads of the block come together. A row of k has `lda`
// or `ldb` words in the operands. With `whole`, `depth` is one of whole stages.
template <class P, bool whole>
__device__ __forceinline__ void multiply_tile(
    Cells<typename P::C>& c, const typename P::A* a, long long lda, const typename P::B* b, long long ldb, int depth,
    long long i, long long j) {
  using Held = Stage<P>;
  __shared__ Held stages[TILE_STAGES];
  constexpr int g = Held::together, ahead = TILE_STAGES - 1;
  const int full = depth / Held::depth, left = whole ? 0 : depth % Held::depth;
  Share<typename P::A, Held::rows, TILE_SIDE * g> of_a(a + i * g, lda * g);
  Share<typename P::B, Held::rows, TILE_SIDE * g> of_b(b + j * g, ldb * g);
  const Products<P> products{c, i, j};
  const auto request = [&](Held& stage, int s) {
    if (s < full) {
      of_a.template fetch_next<true>(stage.a, 0);
      of_b.template fetch_next<true>(stage.b, 0);
    } else if (s == full && left) {
      const int rows = (left + g - 1) / g;
      of_a.template fetch_next<false>(stage.a, rows);
      of_b.template fetch_next<false>(stage.b, rows);
    }
    close_group();
  };
  for (int s = 0; s < ahead; ++s) request(stages[s], s);
  int now = 0;
#pragma unroll 1
  for (int s = 0; s < full; ++s) {
    arrived<ahead - 1>();
    __syncthreads();
    request(stages[now == 0 ? ahead : now - 1], s + ahead);
    products.full(stages[now], static_cast<long long>(s) * Held::depth);
    now = now == ahead ? 0 : now + 1;
  }
  if constexpr (!whole) {
    if (left == 0) return;
    arrived<ahead - 1>();
    __syncthreads();
    products.part(stages[now], left, static_cast<long long>(full) * Held::depth);
  }
}
