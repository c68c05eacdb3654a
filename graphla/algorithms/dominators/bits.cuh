// The dominators of each vertex as bits: row v has bit d if d dominates v.
//
// A row has more bits than there are vertices. Those behind the last vertex stay set where the source does not lead.
// `join_bits` takes bits away; then a thread owns a word. A warp owns a row of `count_bits` and `find_last`.
//
// compiled: join_bits; hot
// compiled: count_bits; hot
// compiled: find_last; hot
#pragma once

#include "headers/primitives.cuh"

// Each vertex dominates itself, and only the source itself the source; how many words differ from those before.
__global__ void join_bits(const unsigned long long* before, int words, int source, long long cells,
                          unsigned long long* bits, unsigned long long* changed) {
  int mine = 0;
  for (const long long k : grid_range(cells)) {
    const int v = static_cast<int>(k / words), w = static_cast<int>(k % words);
    const unsigned long long own = w == v / 64 ? 1ull << (v % 64) : 0;
    const unsigned long long old = before[k], word = (v == source ? 0 : bits[k]) | own;
    mine += word != old;
    bits[k] = word;
  }
  mine = warp_reduce(mine);
  if (lane_index() == 0 && mine) atomicAdd(changed, static_cast<unsigned long long>(mine));
}

// sizes[v] = the dominators of v, -1 if the source does not lead there.
__global__ void count_bits(const unsigned long long* bits, int n, int words, int* sizes) {
  const int warps = static_cast<int>(gridDim.x * (blockDim.x / 32));
  for (int v = static_cast<int>(blockIdx.x * (blockDim.x / 32)) + warp_index(); v < n; v += warps) {
    const unsigned long long* row = bits + static_cast<long long>(v) * words;
    int mine = 0;
    for (const int w : lane_range(0, words)) mine += __popcll(row[w]);
    mine = warp_reduce(mine);
    if (lane_index() == 0) sizes[v] = row[n / 64] >> (n % 64) & 1 ? -1 : mine;
  }
}

// found[v] = the dominator of v that has one dominator less.
__global__ void find_last(const unsigned long long* bits, const int* sizes, int n, int words, int source, int* found) {
  const int warps = static_cast<int>(gridDim.x * (blockDim.x / 32));
  for (int v = static_cast<int>(blockIdx.x * (blockDim.x / 32)) + warp_index(); v < n; v += warps) {
    const int size = sizes[v];
    if (size < 0 || v == source) {
      if (lane_index() == 0) found[v] = v == source ? source : -1;
      continue;
    }
    for (const int w : lane_range(0, words))
      for (unsigned long long word = bits[static_cast<long long>(v) * words + w]; word; word &= word - 1) {
        const int d = 64 * w + __ffsll(static_cast<long long>(word)) - 1;
        if (sizes[d] == size - 1) found[v] = d;
      }
  }
}
