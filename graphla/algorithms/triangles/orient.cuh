// Vertices numbered by their degrees, the largest first; the arcs of each vertex to smaller numbers; the hubs as bits.
//
// key_degrees, place_vertices: a thread owns vertices a grid apart. Sorted keys are the vertices by falling degree.
// orient: a block owns a long row, a warp a short one. A row stays in the slot that it has in the matrix: arcs to hubs,
// which are the first `hubs` vertices, fill it from the front, the others from the back. No sizes need be known before.
// pack: a warp owns a row. All arcs to hubs go to the front, the others behind them; count_parts counts both parts of
// each row, and `begins` says where each part begins.
// set_bits: a warp owns a row. Bit w of row v is the arc from v to the hub w.
//
// compiled: key_degrees; hot
// compiled: place_vertices; hot
// compiled: count_parts<Offset> with Offset = int | long long; hot
// compiled: orient<Offset, THREADS> with Offset = int | long long; THREADS = 32 | 256; hot
// compiled: pack<Offset> with Offset = int | long long; hot
// compiled: set_bits<Offset> with Offset = int | long long; hot
#pragma once

#include "_row.cuh"
#include "headers/primitives.cuh"

constexpr int BOTH = -0x7fffffff - 1;  // the sign of an arc where there are arcs both ways
constexpr int AHEAD = 4;               // arcs that a thread loads before it looks at the first

// Counts the vertices of at least `with_bits` neighbours, of more than `longer`, and of two or more.
__global__ void key_degrees(
    int n, const int* degrees, int with_bits, int longer, long long* keys, unsigned long long* counts) {
  unsigned long long bits = 0, longs = 0, counted = 0;
  for (const int v : grid_range(n)) {
    const int degree = degrees[v];
    keys[v] = (1ll << 62) - (static_cast<long long>(degree) << 31) + v;
    bits += degree >= with_bits;
    longs += degree > longer;
    counted += degree > 1;
  }
  bits = warp_reduce(bits);
  longs = warp_reduce(longs);
  counted = warp_reduce(counted);
  if (lane_index() != 0) return;
  atomicAdd(counts, bits);
  atomicAdd(counts + 1, longs);
  atomicAdd(counts + 2, counted);
}

__global__ void place_vertices(int n, const long long* keys, int* order, int* rank) {
  for (const int place : grid_range(n)) {
    const int v = static_cast<int>(keys[place] & 0x7fffffff);
    order[place] = v;
    rank[v] = place;
  }
}

template <class Offset>
__global__ void count_parts(int n, const Row<Offset>* rows, int* counts) {
  for (const int v : grid_range(n)) {
    counts[v] = rows[v].hubs;
    counts[static_cast<long long>(n) + v] = rows[v].rests;
  }
}

template <class Offset>
struct OrientParameters {
  int first;
  int last;
  int hubs;
  const Offset* indptr;
  const int* indices;
  const int* order;
  const int* rank;
  bool directed;
  const signed char* ways;
  int* arcs;
  Row<Offset>* rows;
};

// The lanes that keep an arc put it after those that are there.
__device__ __forceinline__ void put_arcs(bool wanted, int value, int* place, int step, int* count) {
  const unsigned votes = __ballot_sync(WHOLE_WARP, wanted);
  if (!votes) return;
  const int leader = __ffs(static_cast<int>(votes)) - 1;
  int before = 0;
  if (lane_index() == leader) before = atomicAdd(count, __popc(votes));
  before = shuffle_from(before, leader) + __popc(votes & lower_lanes());
  if (wanted) place[static_cast<long long>(before) * step] = value;
}

template <class Offset, int THREADS>
__global__ void __launch_bounds__(256) orient(OrientParameters<Offset> given) {
  constexpr int GROUPS = 256 / THREADS;
  __shared__ int counts[GROUPS][2];
  const int group = static_cast<int>(threadIdx.x) / THREADS, mine = static_cast<int>(threadIdx.x) % THREADS;
  const long long r = given.first + static_cast<long long>(blockIdx.x) * GROUPS + group;
  if (mine < 2) counts[group][mine] = 0;
  __syncthreads();
  const bool there = r < given.last;
  const int v = there ? given.order[r] : 0;
  const Offset begin = there ? given.indptr[v] : 0, end = there ? given.indptr[v + 1] : 0;
  for (Offset k = begin; k < end; k += AHEAD * THREADS) {
    int head[AHEAD], both[AHEAD];
    for (int i = 0; i < AHEAD; ++i) {
      const Offset at = k + i * THREADS + mine;
      head[i] = at < end ? load_once(given.indices + at) : v;
      both[i] = given.directed && at < end && given.ways[at] == 2 ? BOTH : 0;
    }
    for (int i = 0; i < AHEAD; ++i) head[i] = given.rank[head[i]];
    for (int i = 0; i < AHEAD; ++i) {
      const bool wanted = head[i] < r, hub = head[i] < given.hubs;
      put_arcs(wanted && hub, head[i] | both[i], given.arcs + begin, 1, &counts[group][0]);
      put_arcs(wanted && !hub, head[i] | both[i], given.arcs + end - 1, -1, &counts[group][1]);
    }
  }
  __syncthreads();
  if (there && mine == 0) given.rows[r] = {begin, end - counts[group][1], counts[group][0], counts[group][1]};
}

template <class Offset>
struct PackParameters {
  int n;
  const int* arcs;
  const long long* begins;
  Row<Offset>* rows;
  int* packed;
};

template <class Offset>
__global__ void pack(PackParameters<Offset> given) {
  const long long v = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (v >= given.n) return;
  const Row<Offset> row = given.rows[v];
  const Offset hub = static_cast<Offset>(given.begins[v]), rest = static_cast<Offset>(given.begins[given.n + v]);
  for (int i = lane_index(); i < row.hubs; i += 32) given.packed[hub + i] = given.arcs[row.hub + i];
  for (int i = lane_index(); i < row.rests; i += 32) given.packed[rest + i] = given.arcs[row.rest + i];
  __syncwarp();
  if (lane_index() == 0) given.rows[v] = {hub, rest, row.hubs, row.rests};
}

template <class Offset>
struct BitsParameters {
  int rows_with_bits;
  int words;
  const int* arcs;
  const Row<Offset>* rows;
  unsigned* bits;
  bool directed;
  unsigned* both;
};

template <class Offset>
__global__ void set_bits(BitsParameters<Offset> given) {
  const long long v = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (v >= given.rows_with_bits) return;
  const Row<Offset> row = given.rows[v];
  for (int i = lane_index(); i < row.hubs; i += 32) {
    const int arc = given.arcs[row.hub + i], w = given.directed ? arc & ~BOTH : arc;
    const long long there = v * given.words + (w >> 5);
    atomicOr(given.bits + there, 1u << (w & 31));
    if (given.directed && arc < 0) atomicOr(given.both + there, 1u << (w & 31));
  }
}
