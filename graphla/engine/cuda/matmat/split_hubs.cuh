// The columns of each row in two parts: hub columns by their numbers, which count from 0, and the others.
//
// split_columns: a warp owns a row, or a block owns one of the long rows that are listed. A row stays in its slot: hubs
// fill it from the front, the others from the back, in any order. No sizes need be known before.
// set_hub_bits: a warp owns one of the rows that are listed. Bit h of its row of bits is its entry in hub column h.
//
// compiled: split_columns<GROUP> with GROUP = 32 | 256; hot
// compiled: set_hub_bits; hot
#pragma once

#include "headers/primitives.cuh"
#include "pair_dots.py"  // LONG_ROW, SPLIT_THREADS

constexpr int SPLIT_AHEAD = 4;  // entries that a thread loads before it looks at the first

struct SplitParameters {
  int rows;
  const int* listed;
  const long long* indptr;
  const int* indices;
  const int* number;
  int* parts;
  int* hubs;
};

// The lanes with a value put it after those that are there.
__device__ __forceinline__ void put_values(bool wanted, int value, int* place, int step, int* count) {
  const unsigned votes = __ballot_sync(WHOLE_WARP, wanted);
  if (!votes) return;
  const int leader = __ffs(static_cast<int>(votes)) - 1;
  int before = 0;
  if (lane_index() == leader) before = atomicAdd(count, __popc(votes));
  before = shuffle_from(before, leader) + __popc(votes & lower_lanes());
  if (wanted) place[static_cast<long long>(before) * step] = value;
}

template <int GROUP>
__global__ __launch_bounds__(SPLIT_THREADS) void split_columns(SplitParameters given) {
  constexpr int GROUPS = SPLIT_THREADS / GROUP;
  __shared__ int counts[GROUPS][2];
  const int group = static_cast<int>(threadIdx.x) / GROUP, lane = static_cast<int>(threadIdx.x) % GROUP;
  const int at = static_cast<int>(blockIdx.x) * GROUPS + group;
  if (lane < 2) counts[group][lane] = 0;
  __syncthreads();
  const bool inside = at < given.rows;
  const int row = !inside ? 0 : GROUP == 32 ? at : given.listed[at];
  const long long begin = inside ? given.indptr[row] : 0, end = inside ? given.indptr[row + 1] : 0;
  const bool owned = inside && (GROUP != 32 || end - begin <= LONG_ROW);
  for (long long p = begin; owned && p < end; p += SPLIT_AHEAD * GROUP) {
    int column[SPLIT_AHEAD], hub[SPLIT_AHEAD];
    for (int i = 0; i < SPLIT_AHEAD; ++i) {
      const long long here = p + i * GROUP + lane;
      column[i] = here < end ? given.indices[here] : -1;
    }
    for (int i = 0; i < SPLIT_AHEAD; ++i) hub[i] = column[i] < 0 ? -1 : given.number[column[i]];
    for (int i = 0; i < SPLIT_AHEAD; ++i) {
      put_values(hub[i] >= 0, hub[i], given.parts + begin, 1, &counts[group][0]);
      put_values(column[i] >= 0 && hub[i] < 0, column[i], given.parts + end - 1, -1, &counts[group][1]);
    }
  }
  __syncthreads();
  if (owned && lane == 0) given.hubs[row] = counts[group][0];
}

struct HubBitsParameters {
  int rows;
  int words;
  const int* listed;
  const long long* indptr;
  const int* parts;
  const int* hubs;
  unsigned* bits;
  int* ends;
};

__global__ __launch_bounds__(SPLIT_THREADS) void set_hub_bits(HubBitsParameters given) {
  const int at = static_cast<int>((static_cast<long long>(blockIdx.x) * SPLIT_THREADS + threadIdx.x) / 32);
  if (at >= given.rows) return;
  const int row = given.listed[at], count = given.hubs[row];
  unsigned* bits = given.bits + static_cast<long long>(at) * given.words;
  int end = 0;
  for (int i = lane_index(); i < count; i += 32) {
    const int hub = given.parts[given.indptr[row] + i];
    atomicOr(bits + (hub >> 5), 1u << (hub & 31));
    if (end <= hub) end = hub + 1;
  }
  end = __reduce_max_sync(WHOLE_WARP, end);
  if (lane_index() == 0) given.ends[at] = end;
}
