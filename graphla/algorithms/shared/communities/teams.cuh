// The weights from a row to the communities around it, added up in a hash table by a team: a warp or a block.
//
// Sums are exact, and products are not fused: so gains are those of the algebra, in any order of additions.
#pragma once

#include "headers/primitives.cuh"

// A level of the climb; of a directed graph `sides` is two, and out-strengths meet totals of in-strengths. `entries`
// counts those of all ranks.
template <class Offset>
struct LevelParameters {
  int n;
  int sides;
  long long entries;
  const Offset* indptr;
  const int* indices;
  const double* values;
  const double* strengths;
  double scale;
  double least;
};

// Threads that work together, and which of them this one is.
template <bool Block>
struct Team {
  unsigned first, step;

  static __device__ __forceinline__ Team here() {
    if constexpr (Block) return {threadIdx.x, blockDim.x};
    else return {static_cast<unsigned>(lane_index()), 32u};
  }
  __device__ __forceinline__ void sync() const {
    if constexpr (Block) __syncthreads();
    else __syncwarp();
  }
  template <class T, class Op = Plus>
  __device__ __forceinline__ T reduce(T x, T nothing = T(), Op op = {}) const {
    if constexpr (Block) return block_reduce(x, nothing, op);
    else return warp_reduce(x, op);
  }
};

// Weights by community, by linear probing; the threads of a team at it.
struct Sums {
  int* keys;
  double* sums;
  unsigned size;

  __device__ __forceinline__ unsigned begin_at(int key) const {
    const unsigned hash = static_cast<unsigned>(key) * 0x9e3779b1u;
    return static_cast<unsigned>(static_cast<unsigned long long>(hash) * size >> 32);
  }
  __device__ __forceinline__ unsigned next(unsigned slot) const { return slot + 1 < size ? slot + 1 : 0; }

  template <bool Block>
  __device__ __forceinline__ void clear(const Team<Block>& team) const {
    for (unsigned slot = team.first; slot < size; slot += team.step) {
      keys[slot] = -1;
      sums[slot] = 0.0;
    }
  }
  __device__ __forceinline__ void add(int key, double x) const {
    for (unsigned slot = begin_at(key);; slot = next(slot)) {
      int held = load_fresh(keys + slot);
      if (held == -1) held = atomicCAS(keys + slot, -1, key);
      if (held != -1 && held != key) continue;
      atomicAdd(sums + slot, x);
      return;
    }
  }
  __device__ __forceinline__ double find(int key) const {
    for (unsigned slot = begin_at(key);; slot = next(slot)) {
      const int held = load_fresh(keys + slot);
      if (held == key) return load_fresh(sums + slot);
      if (held == -1) return 0.0;
    }
  }
};

// The weight that chance would put between strengths k and totals t, k itself left out of these if it is of them.
__device__ __forceinline__ double find_share(double scale, int sides, const double* k, const double* t, bool own) {
  double share = 0.0;
#pragma unroll 1
  for (int side = 0; side < sides; ++side) {
    const int other = sides - 1 - side;
    share = __dadd_rn(share, __dmul_rn(scale * k[side], own ? t[other] - k[other] : t[other]));
  }
  return share;
}

constexpr double NO_GAIN = -1.7976931348623157e308;
constexpr int NOWHERE = 0x7fffffff;

// The community that gains most of those that are open, the smallest of equal ones, or NOWHERE if none gains; only the
// first thread of the team knows it.
template <bool Block, class Offset, class Policy>
__device__ __forceinline__ int find_best(
    const Team<Block>& team, const LevelParameters<Offset>& level, const Policy& policy, const Sums& table, int v) {
  const Offset end = level.indptr[v + 1];
  table.clear(team);
  team.sync();
  for (Offset k = level.indptr[v] + static_cast<Offset>(team.first); k < end; k += static_cast<Offset>(team.step)) {
    const int u = level.indices[k];
    if (policy.counts(v, u)) table.add(policy.given.of[u], level.values[k]);
  }
  team.sync();
  const double *strengths = level.strengths + static_cast<long long>(v) * level.sides, *totals = policy.given.totals;
  const int own = policy.given.of[v];
  double most = NO_GAIN;
  int best = NOWHERE;
  for (unsigned slot = team.first; slot < table.size; slot += team.step) {
    const int c = load_fresh(table.keys + slot);
    if (c < 0 || c == own || !policy.is_open(v, c)) continue;
    const double* t = totals + static_cast<long long>(c) * level.sides;
    const double gain =
        __dadd_rn(load_fresh(table.sums + slot), -find_share(level.scale, level.sides, strengths, t, false));
    if (gain < most || (gain == most && c > best)) continue;
    most = gain;
    best = c;
  }
  const double gain = team.reduce(most, NO_GAIN, Most());
  best = team.reduce(most == gain ? best : NOWHERE, NOWHERE, Least());
  if (team.first != 0 || best == NOWHERE) return NOWHERE;
  const double* t = totals + static_cast<long long>(own) * level.sides;
  const double stay = __dadd_rn(table.find(own), -find_share(level.scale, level.sides, strengths, t, true));
  const double least = __dmul_rn(level.least, __dadd_rn(strengths[0], strengths[level.sides - 1]));
  return gain > __dadd_rn(stay, least) ? best : NOWHERE;
}
