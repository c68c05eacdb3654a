// ⊕ of what one lane met, and of what a team of lanes or a block met.
#pragma once

#include "primitives.cuh"

// The lanes of the caller's team of TEAM neighbours.
template <int TEAM>
__device__ __forceinline__ unsigned team_lanes() {
  if constexpr (TEAM == 32) return WHOLE_WARP;
  else return ((1u << TEAM) - 1) << (lane_index() & ~(TEAM - 1));
}

// Shuffles move four or eight bytes; narrower values travel as int.
template <class T>
__device__ __forceinline__ T from_partner(unsigned lanes, T value, int distance) {
  if constexpr (sizeof(T) < 4) return static_cast<T>(__shfl_xor_sync(lanes, static_cast<int>(value), distance));
  else return __shfl_xor_sync(lanes, value, distance);
}

template <class R>
__device__ __forceinline__ Complex<R> from_partner(unsigned lanes, Complex<R> z, int distance) {
  return {from_partner(lanes, z.re, distance), from_partner(lanes, z.im, distance)};
}

template <class S>
struct Sum {
  using C = typename S::C;
  C total = S::identity();
  bool found = false;

  __device__ __forceinline__ void take(C term) {
    total = S::is_any ? term : S::add(total, term);
    found = true;
  }
  __device__ __forceinline__ void merge(C other, bool there) {
    if (there) take(other);
  }
  // Nothing that follows can change the total.
  __device__ __forceinline__ bool done() const { return S::has_terminal && found && S::is_terminal(total); }

  template <int TEAM>
  __device__ __forceinline__ void over_team() {
    const unsigned lanes = team_lanes<TEAM>();
    for (int distance = TEAM / 2; distance > 0; distance /= 2) {
      const C other = from_partner(lanes, total, distance);
      merge(other, from_partner(lanes, found, distance));
    }
  }
  // The first thread of the block holds the sum of all.
  __device__ __forceinline__ void over_block() {
    __shared__ C totals[32];
    __shared__ bool founds[32];
    over_team<32>();
    __syncthreads();
    if (lane_index() == 0) {
      totals[warp_index()] = total;
      founds[warp_index()] = found;
    }
    __syncthreads();
    if (threadIdx.x == 0)
      for (int warp = 1; warp < blockDim.x / 32; ++warp) merge(totals[warp], founds[warp]);
  }
};
