// A round whose moves many ranks know. `propose`: what the vertices of one of them want, in one launch, by communities
// and totals that are known, of communities that are open and have room for them. `flag_neighbors`: who waits once all
// have moved, those around a vertex that did, but in its community; a warp owns a vertex that has moved.
//
// compiled: propose<Offset> with Offset = int | long long; hot
// compiled: flag_neighbors<Offset> with Offset = int | long long; hot
#pragma once

#include "rounds.cuh"

template <class Offset>
struct ProposeParameters {
  LevelParameters<Offset> level;
  RoundParameters rounds;
  const bool* movers;
  const bool* open;
  bool limited;
  const double* sizes;
  const double* room;
};

template <class Offset>
struct Proposing {
  const ProposeParameters<Offset>& all;
  const RoundParameters& given;

  __device__ __forceinline__ bool counts(int, int) const { return true; }
  __device__ __forceinline__ bool is_open(int v, int c) const {
    return all.open[c] && (!all.limited || all.sizes[v] <= all.room[c]);
  }
  __device__ __forceinline__ void settle(int v, int best, const Sums&) const { given.wanted[v] = best; }
};

template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void propose(const __grid_constant__ ProposeParameters<Offset> given) {
  Rounds<Offset, Proposing<Offset>> rounds{given.level, {given, given.rounds}};
  rounds.list([&](int v, bool&) {
    given.rounds.wanted[v] = given.rounds.of[v];
    return given.movers[v];
  });
  rounds.propose();
}

template <class Offset>
__global__ void flag_neighbors(
    int n, const Offset* indptr, const int* indices, const int* community, const bool* moved, bool* flags) {
  const long long padded = (n + 31LL) & ~31LL;
  for (const long long i : grid_range(padded)) {
    for (unsigned left = __ballot_sync(WHOLE_WARP, i < n && moved[i]); left; left &= left - 1) {
      const int v = shuffle_from(static_cast<int>(i), __ffs(static_cast<int>(left)) - 1), own = community[v];
      const Offset end = indptr[v + 1];
      for (Offset k = indptr[v] + static_cast<Offset>(lane_index()); k < end; k += 32) {
        const int u = indices[k];
        if (community[u] != own) store_racing(flags + u, true);
      }
    }
  }
}
