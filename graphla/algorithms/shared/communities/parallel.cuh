// wanted[v] = the community c that gains most, W[v, c] - scale k[v] (t[c] - [v in c] k[v]), of those that are open.
//
// Each row has a hash table of the weights to the communities around it: a warp owns a row of at most WARP_ROW entries
// and a block one of at most BLOCK_ROW, with the table in shared memory; a block owns a longer row, with the table in
// global memory, of two slots per entry. Sums are exact, and products are not fused: so the answer is that of the
// algebra. Of equal gains the smaller community is taken. Of a directed graph `sides` is two, and out-strengths meet
// totals of in-strengths.
//
// compiled: propose_by_warp<Offset> with Offset = int | long long; hot
// compiled: propose_by_block<Offset, Slots> with Offset = int | long long; Slots = 0 | 2048; hot
// compiled: add_up; hot
// compiled: rouse<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/primitives.cuh"
#include "propose.py"  // WARP_ROW, THREADS

template <class Offset>
struct ProposeParameters {
  const int* rows;
  int count;
  const Offset* indptr;
  const int* indices;
  const double* values;
  const double* strengths;
  const double* totals;
  int sides;
  double scale;
  double least;
  const int* community;
  const bool* movers;
  const bool* open;
  int* wanted;
  const long long* tables;
  int* keys;
  double* sums;
};

// A hash table of sums, all threads of a warp or of a block at it.
struct Sums {
  int* keys;
  double* sums;
  unsigned size;

  __device__ __forceinline__ unsigned begin_at(int key) const {
    const unsigned hash = static_cast<unsigned>(key) * 0x9e3779b1u;
    return static_cast<unsigned>(static_cast<unsigned long long>(hash) * size >> 32);
  }
  __device__ __forceinline__ unsigned next(unsigned slot) const { return slot + 1 < size ? slot + 1 : 0; }

  __device__ __forceinline__ void clear(unsigned first, unsigned step) const {
    for (unsigned slot = first; slot < size; slot += step) {
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

// The weight that chance would put between v and c, of which v is left out if it belongs to it.
template <class Offset>
__device__ __forceinline__ double find_share(const ProposeParameters<Offset>& given, int v, int c, bool own) {
  const double* k = given.strengths + static_cast<long long>(v) * given.sides;
  const double* t = given.totals + static_cast<long long>(c) * given.sides;
  double share = 0.0;
  for (int side = 0; side < given.sides; ++side) {
    const int other = given.sides - 1 - side;
    const double total = own ? t[other] - k[other] : t[other];
    share = __dadd_rn(share, __dmul_rn(given.scale * k[side], total));
  }
  return share;
}

template <bool Block>
__device__ __forceinline__ void team_sync() {
  if constexpr (Block) __syncthreads();
  else __syncwarp();
}
template <bool Block, class T, class Op>
__device__ __forceinline__ T team_reduce(T x, T nothing, Op op) {
  if constexpr (Block) return block_reduce(x, nothing, op);
  else return warp_reduce(x, op);
}

constexpr double NO_GAIN = -1.7976931348623157e308;
constexpr int NOWHERE = 0x7fffffff;

template <bool Block, class Offset>
__device__ __forceinline__ void propose(
    const ProposeParameters<Offset>& given, const Sums& table, int v, unsigned first, unsigned step) {
  const Offset end = given.indptr[v + 1];
  table.clear(first, step);
  team_sync<Block>();
  for (Offset k = given.indptr[v] + static_cast<Offset>(first); k < end; k += static_cast<Offset>(step))
    table.add(given.community[given.indices[k]], given.values[k]);
  team_sync<Block>();
  const int own = given.community[v];
  double most = NO_GAIN;
  int best = NOWHERE;
  for (unsigned slot = first; slot < table.size; slot += step) {
    const int c = load_fresh(table.keys + slot);
    if (c < 0 || c == own || !given.open[c]) continue;
    const double gain = __dadd_rn(load_fresh(table.sums + slot), -find_share(given, v, c, false));
    if (gain < most || (gain == most && c > best)) continue;
    most = gain;
    best = c;
  }
  const double gain = team_reduce<Block>(most, NO_GAIN, Most());
  best = team_reduce<Block>(most == gain ? best : NOWHERE, NOWHERE, Least());
  if (first != 0 || best == NOWHERE) return;
  const double* k = given.strengths + static_cast<long long>(v) * given.sides;
  const double stay = __dadd_rn(table.find(own), -find_share(given, v, own, true));
  const double least = __dmul_rn(given.least, __dadd_rn(k[0], k[given.sides - 1]));
  if (gain > __dadd_rn(stay, least)) given.wanted[v] = best;
}

template <class Offset>
__global__ __launch_bounds__(THREADS) void propose_by_warp(const __grid_constant__ ProposeParameters<Offset> given) {
  __shared__ int keys[THREADS / 32][2 * WARP_ROW];
  __shared__ double sums[THREADS / 32][2 * WARP_ROW];
  const long long i = static_cast<long long>(blockIdx.x) * (THREADS / 32) + warp_index();
  if (i >= given.count) return;
  const int v = given.rows[i];
  if (!given.movers[v]) return;
  const unsigned size = 2 * static_cast<unsigned>(given.indptr[v + 1] - given.indptr[v]);
  const Sums table{keys[warp_index()], sums[warp_index()], size};
  propose<false>(given, table, v, static_cast<unsigned>(lane_index()), 32u);
}

template <class Offset, int Slots>
__global__ __launch_bounds__(1024) void propose_by_block(const __grid_constant__ ProposeParameters<Offset> given) {
  const int v = given.rows[blockIdx.x];
  if (!given.movers[v]) return;
  const unsigned size = 2 * static_cast<unsigned>(given.indptr[v + 1] - given.indptr[v]);
  if constexpr (Slots > 0) {
    __shared__ int keys[Slots];
    __shared__ double sums[Slots];
    propose<true>(given, Sums{keys, sums, size}, v, threadIdx.x, blockDim.x);
  } else {
    const long long table = given.tables[blockIdx.x];
    propose<true>(given, Sums{given.keys + table, given.sums + table, size}, v, threadIdx.x, blockDim.x);
  }
}

struct AddParameters {
  int n;
  int sides;
  const int* community;
  const double* strengths;
  double* totals;
  int* sizes;
};

// totals[c] = the strengths of the vertices of c, sizes[c] = how many they are; both are zero before.
__global__ void add_up(const __grid_constant__ AddParameters given) {
  for (const int v : grid_range(given.n)) {
    const long long c = given.community[v];
    atomicAdd(given.sizes + c, 1);
    for (int side = 0; side < given.sides; ++side)
      atomicAdd(given.totals + c * given.sides + side, given.strengths[static_cast<long long>(v) * given.sides + side]);
  }
}

template <class Offset>
struct RouseParameters {
  const int* rows;
  int count;
  int team;
  const Offset* indptr;
  const int* indices;
  const int* community;
  const bool* moved;
  bool* waits;
};

// waits[u] = true for the neighbours u of vertices that have moved, unless of the same community; a team owns a row.
template <class Offset>
__global__ __launch_bounds__(1024) void rouse(const __grid_constant__ RouseParameters<Offset> given) {
  const int each = static_cast<int>(blockDim.x) / given.team, lane = static_cast<int>(threadIdx.x) % given.team;
  const long long i = static_cast<long long>(blockIdx.x) * each + static_cast<int>(threadIdx.x) / given.team;
  if (i >= given.count || !given.moved[given.rows[i]]) return;
  const int v = given.rows[i], own = given.community[v];
  const Offset end = given.indptr[v + 1];
  for (Offset k = given.indptr[v] + static_cast<Offset>(lane); k < end; k += static_cast<Offset>(given.team)) {
    const int u = given.indices[k];
    if (given.community[u] != own) store_racing(given.waits + u, true);
  }
}
