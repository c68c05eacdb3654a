// The rest of a search from many sources, where few vertices find few bits a level: a queue, one barrier a level.
//
//   found = word[u] & ~seen[v] for the arcs u -> v of the queue;   level[s][v] = d + 1 for the bits s of found
//
// Three words a vertex take turns: that of the frontier, that of the next, and that of the last, being cleared. They
// are zero between searches but where a vertex has no heads, which nothing reads; `search_words` filled the first.
//
// compiled: finish_words; hot
#pragma once

#include "_common.cuh"
#include "_frontier.cuh"
#include "_packs.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

struct Rest {
  int n;
  PackedRows out;
  Bits* seen;
  Bits* words;        // three arrays of n
  int* entries;       // three queues of n: their vertices, then their befores, then their shifts
  const int* vertex;  // the name of each number
  long long all;      // vertices of the graph
  int* levels;
  __device__ __forceinline__ Bits* word(int turn) const { return words + static_cast<long long>(turn % 3) * n; }
  __device__ __forceinline__ Queue<int> queue(int turn) const {
    int* const base = entries + static_cast<long long>(turn % 3) * n;
    return {base, base + 3ll * n, base + 6ll * n};
  }
};

// Heads keep what they have not seen; returns a bit for each that is new to the next queue. Each step is taken for all
// four before the next, so that their trips to memory overlap.
__device__ __forceinline__ int receive(const Rest& r, Bits* next, const Columns& heads, Bits word, int level) {
  Bits found[4];
  int fresh = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) found[j] = word & ~r.seen[heads.at[j]];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (found[j]) found[j] &= ~atomicOr(&r.seen[heads.at[j]], found[j]);
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (found[j] && !atomicOr(&next[heads.at[j]], found[j])) fresh |= 1 << j;
#pragma unroll
  for (int j = 0; j < 4; ++j)
    for (Bits rest = found[j]; rest; rest &= rest - 1)
      r.levels[(__ffsll(static_cast<long long>(rest)) - 1) * r.all + r.vertex[heads.at[j]]] = level;
  return fresh;
}

// The warp pushes its share; the heads it is the first to reach become tasks.
__device__ inline void push_words(const Rest& r, int turn, Wide packed, Wide* size, int level) {
  const Bits* const word = r.word(turn);
  Bits* const next = r.word(turn + 1);
  const Queue<int> queue = r.queue(turn);
  const Next<int> onward{r.queue(turn + 1), size};
  each_pack(queue, packed, global_warp(), grid_warps(), [&](int entry, int place) {
    const Bits mine = entry < 0 ? 0 : word[queue.vertex[entry]];
    const Columns heads = mine ? r.out.packs[place] : Columns{};
    const int fresh = mine ? receive(r, next, heads, mine, level) : 0;
    Tasks<4> tasks;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const bool is_new = fresh >> j & 1;
      tasks.name[j] = heads.at[j];
      tasks.begin[j] = is_new ? r.out.pointers[heads.at[j]] : 0;
      tasks.count[j] = is_new ? r.out.length(heads.at[j]) : 0;
    }
    add_tasks(onward, tasks);
  });
}

__global__ void __launch_bounds__(1024, 1) finish_words(
    int n, const int* out_pointers, const Columns* out_packs, const int* vertex, const int* sources, int count, int all,
    Bits* history, Bits* words, int* entries, int* levels, Outcome* outcome, unsigned* barrier) {
  if (blockIdx.x == 0 && static_cast<int>(threadIdx.x) < count)
    levels[static_cast<long long>(threadIdx.x) * all + sources[threadIdx.x]] =
        0;  // a source without arcs has no number
  const int depth = static_cast<int>(outcome->depth);
  if (!outcome->found) return;
  const Rest r{
      n, {out_pointers, out_packs}, history + static_cast<long long>(depth) * n, words, entries, vertex, all, levels};
  Wide* const sizes = outcome->sizes;
  int last = 0;
  for (int turn = 0;; ++turn) {
    const Wide packed = read_for_block(&sizes[turn % 3]);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x)
      r.word(turn + 2)[r.queue(turn + 2).vertex[i]] = 0;
    if (!packed) break;
    if (blockIdx.x == 0 && threadIdx.x == 0) sizes[(turn + 2) % 3] = 0;
    push_words(r, turn, packed, &sizes[(turn + 1) % 3], depth + turn + 1);
    last = static_cast<int>(packed >> ARC_BITS);
    grid_sync(barrier);
  }
}
