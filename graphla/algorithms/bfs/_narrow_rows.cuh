// Padded rows of graphs of low degree, and how a warp expands 32 of them: a lane owns a vertex of the frontier.
#pragma once

#include "_common.cuh"
#include "headers/primitives.cuh"

constexpr int MORE = -2;  // last word of a second half: the row goes on in `indices`

struct alignas(16) Half { int of[4]; };

// How rows are padded, with -1 for no head. Eight: both halves of a row side by side, 32 bytes, one sector.
struct Eight {
  static __device__ __forceinline__ long long first(int u) { return 2ll * u; }
  static __device__ __forceinline__ bool more(const Half& left) { return left.of[3] >= 0; }
  static __device__ __forceinline__ long long second(int n, int u, const Half& left) { return 2ll * u + 1; }
  static constexpr int IN_ROW = 7;
};

// Four: two rows a sector. A longer row ends in -2 - i, and its second half is the i-th behind the n first halves.
struct Four {
  static __device__ __forceinline__ long long first(int u) { return u; }
  static __device__ __forceinline__ bool more(const Half& left) { return left.of[3] <= MORE; }
  static __device__ __forceinline__ long long second(int n, int u, const Half& left) { return n + (-2ll - left.of[3]); }
  static constexpr int IN_ROW = 6;
};

template <class Index>
struct PaddedRows {
  using Offset = Index;
  int n;
  const Half* rows;
  const Offset* indptr;
  const int* indices;
};

// The bits of the four heads that this lane is the first to find. The four atomics are under way together: behind
// branches each would wait for the one before it.
template <class Finder>
__device__ __forceinline__ unsigned take_heads(const Finder& finder, const Half& heads) {
  unsigned before[4], found = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) before[j] = finder.put_bit(heads.of[j], heads.of[j] >= 0);
#pragma unroll
  for (int j = 0; j < 4; ++j) found |= (~before[j] >> (heads.of[j] & 31) & 1u) << j;
  return found;
}

// Where a lane puts the heads that it found, eight at most; one atomic addition per warp. Ballots of the bits of the
// counts do not wait for each other, as the steps of a scan do.
template <class Finder>
__device__ __forceinline__ int reserve(const Finder& finder, unsigned found) {
  const int mine = __popc(found);
  int upto = mine;
  for (int b = 0; b < 4; ++b) upto += __popc(__ballot_sync(WHOLE_WARP, mine >> b & 1) & lower_lanes()) << b;
  const int base = lane_index() == 31 && upto ? finder.reserve(upto) : 0;
  return __shfl_sync(WHOLE_WARP, base, 31) + upto - mine;
}

template <class Finder>
__device__ __forceinline__ void keep_found(const Finder& finder, const Half& heads, unsigned found, int u, int& place) {
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (found >> j & 1) finder.keep(place++, heads.of[j], u);
}

template <class Rows, class Graph>
__device__ __forceinline__ Half first_half(const Graph& g, int u) {
  return u >= 0 ? g.rows[Rows::first(u)] : Half{{-1, -1, -1, -1}};
}

// Each lane brings a vertex of the frontier (or -1) and the first half of its row.
template <class Rows, class Graph, class Finder>
__device__ __forceinline__ void expand(const Graph& g, const Finder& finder, int u, const Half& left) {
  using Offset = typename Graph::Offset;
  const bool more = Rows::more(left);
  const bool any_more = __any_sync(WHOLE_WARP, more);
  const Half right = more ? g.rows[Rows::second(g.n, u, left)] : Half{{-1, -1, -1, -1}};
  unsigned found = take_heads(finder, left);
  if (any_more) found |= take_heads(finder, right) << 4;
  int place = reserve(finder, found);
  keep_found(finder, left, found, u, place);
  if (!any_more) return;
  keep_found(finder, right, found >> 4, u, place);
  const bool rest = right.of[3] == MORE;
  Offset k = rest ? g.indptr[u] + Rows::IN_ROW : 0;
  const Offset end = rest ? g.indptr[u + 1] : 0;
  for (; __any_sync(WHOLE_WARP, k < end); k += 4) {
    Half four;
#pragma unroll
    for (int j = 0; j < 4; ++j) four.of[j] = k + j < end ? g.indices[k + j] : -1;
    found = take_heads(finder, four);
    place = reserve(finder, found);
    keep_found(finder, four, found, u, place);
  }
}

// Where the bitmap of the vertices seen is while a block runs alone: copied to shared memory, or in global memory.
// `put_bit` sets the bit of v if `wanted`, without a branch; the word before, or one with all bits.
struct SeenInPlace {
  static constexpr bool copied = false;
  static __device__ __forceinline__ unsigned put_bit(unsigned* seen, int v, bool wanted) {
    unsigned before = ~0u;
#if defined(__CUDA_ARCH__)
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %3, 0; @p atom.global.or.b32 %0, [%1], %2; }"
                 : "+r"(before)
                 : "l"(seen + (v >> 5)), "r"(bit_of(v)), "r"(static_cast<int>(wanted))
                 : "memory");
#else
    if (wanted) before = atomicOr(seen + (v >> 5), bit_of(v));
#endif
    return before;
  }
};
struct SeenCopied {
  static constexpr bool copied = true;
  static __device__ __forceinline__ unsigned put_bit(unsigned* seen, int v, bool wanted) {
    unsigned before = ~0u;
#if defined(__CUDA_ARCH__)
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %3, 0; @p atom.shared.or.b32 %0, [%1], %2; }"
                 : "+r"(before)
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(seen + (v >> 5)))), "r"(bit_of(v)),
                   "r"(static_cast<int>(wanted))
                 : "memory");
#else
    if (wanted) before = atomicOr(seen + (v >> 5), bit_of(v));
#endif
    return before;
  }
};
