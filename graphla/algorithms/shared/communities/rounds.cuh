// Rounds on a level: vertices of a class propose by what all were before, then move at once; a cooperative grid.
//
// A policy says who takes part, which neighbours count, which communities are open, and what a move changes. Between
// the three phases of a round, list, propose and apply, the grid waits. Rows of at most WARP_ROW entries go to warps,
// longer ones to blocks; the tables are in shared memory up to BLOCK_ROW entries, beyond in global memory, two slots an
// entry.
#pragma once

#include "../_hash.cuh"
#include "../_random_words.cuh"
#include "headers/fresh_word.cuh"
#include "teams.cuh"

#include "grid.py"    // BLOCK_ROW, THREADS, WARP_ROW
#include "rounds.py"  // CLASSES, HUB, HUB_CLASSES, MOST_TURNS

using Number = unsigned long long;

struct RoundParameters {
  int* of;
  int* wanted;
  double* totals;
  int* sizes;
  int* queue;
  int* keys;
  double* sums;
  Number* counts;
  unsigned* barrier;
  long long draw;
};

// What the blocks of a grid count in a round, which has the set of its number modulo three and clears the next one.
struct RoundCounts { Number narrow, wide, waiting, slots, moved; };

// A class of vertices, drawn by a hash.
struct Class {
  unsigned state, number;

  static __device__ __forceinline__ Class draw(long long seed, int number) {
    const Number derived = mix(static_cast<Number>(seed) * static_cast<Number>(GOLDEN));
    return {static_cast<unsigned>(derived), static_cast<unsigned>(number)};
  }
  __device__ __forceinline__ bool has(int v, int classes) const {
    return (mix(static_cast<unsigned>(v) ^ state) & static_cast<unsigned>(classes - 1)) == number;
  }
};

template <class Offset, class Policy>
struct Rounds {
  const LevelParameters<Offset>& level;
  Policy policy;
  int round = 0;

  __device__ __forceinline__ RoundCounts* counts_of(int round) const {
    return reinterpret_cast<RoundCounts*>(policy.given.counts) + round % 3;
  }
  __device__ __forceinline__ RoundCounts* now() const { return counts_of(round); }
  __device__ __forceinline__ void sync() const { grid_sync(policy.given.barrier); }
  __device__ __forceinline__ unsigned warps() const { return gridDim.x * (THREADS / 32); }
  __device__ __forceinline__ unsigned warp() const { return blockIdx.x * (THREADS / 32) + threadIdx.x / 32; }
  __device__ __forceinline__ unsigned many(const Number* count) const {
    return static_cast<unsigned>(read_for_block(count));
  }
  __device__ __forceinline__ long long row_length(int v) const { return level.indptr[v + 1] - level.indptr[v]; }

  // The vertices that `takes` says, those without entries left out; whether one waits, taken or not.
  template <class Takes>
  __device__ __forceinline__ bool list(const Takes& takes) const {
    const long long padded = (level.n + 31LL) & ~31LL;
    bool waiting = false;
    for (const long long i : grid_range(padded)) {
      const int v = static_cast<int>(i);
      const long long length = i < level.n && takes(v, waiting) ? row_length(v) : 0;
      warp_append(length > 0 && length <= WARP_ROW, v, policy.given.queue, &now()->narrow);
      warp_append(length > WARP_ROW, v, policy.given.queue + level.n, &now()->wide);
    }
    if (__syncthreads_or(waiting) && threadIdx.x == 0) store_racing(&now()->waiting, Number{1});
    sync();
    return read_for_block(&now()->waiting) != 0;
  }

  // work(team, table, v) for the vertices that are listed.
  template <class Work>
  __device__ __forceinline__ void over_rows(const Work& work) const {
    __shared__ int keys[2 * BLOCK_ROW];
    __shared__ double sums[2 * BLOCK_ROW];
    __shared__ Number begin;
    const unsigned wide = many(&now()->wide), narrow = many(&now()->narrow);
    for (unsigned i = blockIdx.x; i < wide; i += gridDim.x) {
      const int v = policy.given.queue[level.n + i];
      const unsigned size = 2 * static_cast<unsigned>(row_length(v));
      if (threadIdx.x == 0) begin = size <= 2 * BLOCK_ROW ? 0 : atomicAdd(&now()->slots, static_cast<Number>(size));
      __syncthreads();
      const bool shared = size <= 2 * BLOCK_ROW;
      const Sums table{shared ? keys : policy.given.keys + begin, shared ? sums : policy.given.sums + begin, size};
      work(Team<true>::here(), table, v);
      __syncthreads();
    }
    const int place = warp_index() * 2 * WARP_ROW;
    for (unsigned i = warp(); i < narrow; i += warps()) {
      const int v = policy.given.queue[i];
      work(Team<false>::here(), Sums{keys + place, sums + place, 2 * static_cast<unsigned>(row_length(v))}, v);
      __syncwarp();
    }
  }

  // The same, and then the grid waits.
  template <class Work>
  __device__ __forceinline__ void work_through(const Work& work) const {
    if (blockIdx.x == 0 && threadIdx.x == 0) *counts_of(round + 1) = {};
    over_rows(work);
    sync();
  }

  __device__ __forceinline__ void propose() const {
    work_through([this](const auto& team, const Sums& table, int v) {
      const int best = find_best(team, level, policy, table, v);
      if (best != NOWHERE) policy.settle(v, best, table);
    });
  }

  // Let those move that want to; how many have moved.
  __device__ __forceinline__ unsigned apply() {
    const unsigned wide = many(&now()->wide), narrow = many(&now()->narrow);
    int moved = 0;
    for (unsigned i = blockIdx.x; i < wide; i += gridDim.x) {
      const int v = policy.given.queue[level.n + i];
      const bool moves = policy.moves(v);
      __syncthreads();
      if (threadIdx.x == 0) policy.apply(v, moves);
      if (moves) policy.follow(level, v, threadIdx.x, blockDim.x);
      moved += moves && threadIdx.x == 0;
    }
    const unsigned share = narrow / warps() < 31 ? narrow / warps() + 1 : 32, lane = threadIdx.x & 31;
    for (unsigned at = warp() * share; at < narrow; at += warps() * share) {
      const unsigned i = at + lane;
      const bool mine = lane < share && i < narrow;
      const int v = mine ? policy.given.queue[i] : 0;
      const bool moves = mine && policy.moves(v);
      if (mine) policy.apply(v, moves);
      moved += moves;
      for (unsigned rows = __ballot_sync(WHOLE_WARP, moves); rows; rows &= rows - 1)
        policy.follow(level, shuffle_from(v, __ffs(static_cast<int>(rows)) - 1), lane, 32);
    }
    moved = block_reduce(moved);
    if (threadIdx.x == 0 && moved) atomicAdd(&now()->moved, static_cast<Number>(moved));
    sync();
    const unsigned all = many(&now()->moved);
    ++round;
    return all;
  }
};
