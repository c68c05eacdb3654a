// The rest of a search from many sources, where few vertices get few bits per level: a queue, one grid barrier per
// level.
//
//   found = word[u] & ~seen[v] for the arcs u -> v of the queue;   level[s][v] = d + 1 for the bits s of found
//
// Three words per vertex take turns: that of the frontier, of the next frontier, and of the last one, which is cleared.
// Between searches they are zero except at vertices without heads, which nothing reads; `search_words` fills the first.
//
// compiled: finish_words; hot
#pragma once

#include "../_common.cuh"
#include "../_device.py"  // RESIDENT_THREADS
#include "../_frontier.cuh"
#include "_packs.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

struct Rest {
  int n;
  PackedRows out;
  Bits* seen;
  Bits* words;        // three arrays of n
  int* entries;       // three queues of n: the vertices of all, then `before` of all, then `shift` of all
  const int* vertex;  // the vertex of each number
  long long all;      // vertices of the graph
  int* levels;
  __device__ __forceinline__ Bits* word(int turn) const { return words + static_cast<long long>(turn % 3) * n; }
  __device__ __forceinline__ Queue<int> queue(int turn) const {
    int* const base = entries + static_cast<long long>(turn % 3) * n;
    return {base, base + 3ll * n, base + 6ll * n};
  }
};

// Four heads take the bits that they have not seen; returns a bit for each head that is new in the next frontier. Each
// step is done for all four before the next one, so that their memory accesses overlap.
__device__ __forceinline__ int receive(const Rest& r, Bits* next, const Columns& heads, Bits word, int level) {
  Bits found[4];
  int fresh = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) found[j] = word & ~load_racing(&r.seen[heads.at[j]]);
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

// The warp pushes its share of the queue; the heads that it reaches first become tasks of the next queue.
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
      tasks.begin[j] = is_new ? r.out.indptr[heads.at[j]] : 0;
      tasks.count[j] = is_new ? r.out.length(heads.at[j]) : 0;
    }
    add_tasks(onward, tasks);
  });
}

struct FinishParameters {
  int n;  // vertices with an arc: their numbers
  const int* out_indptr;
  const Columns* out_packs;
  const int* vertex;
  const int* sources;
  int count;
  int all;  // vertices of the graph
  Bits* history;
  Bits* words;
  int* entries;
  int* levels;
  Outcome* outcome;
  unsigned* barrier;
};

__global__ void __launch_bounds__(RESIDENT_THREADS, 1) finish_words(const __grid_constant__ FinishParameters given) {
  const int n = given.n, all = given.all, depth = static_cast<int>(given.outcome->depth);
  // A source without arcs has no number, so the levels of the sources are written here.
  if (blockIdx.x == 0 && static_cast<int>(threadIdx.x) < given.count)
    given.levels[static_cast<long long>(threadIdx.x) * all + given.sources[threadIdx.x]] = 0;
  if (!given.outcome->found) return;
  Bits* const seen = given.history + static_cast<long long>(depth) * n;
  const PackedRows out{given.out_indptr, given.out_packs};
  const Rest r{n, out, seen, given.words, given.entries, given.vertex, all, given.levels};
  Wide* const sizes = given.outcome->sizes;
  int last = 0;
  for (int turn = 0;; ++turn) {
    const Wide packed = read_for_block(&sizes[turn % 3]);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x)
      r.word(turn + 2)[r.queue(turn + 2).vertex[i]] = 0;
    if (!packed) break;
    if (blockIdx.x == 0 && threadIdx.x == 0) sizes[(turn + 2) % 3] = 0;
    push_words(r, turn, packed, &sizes[(turn + 1) % 3], depth + turn + 1);
    last = static_cast<int>(packed >> ARC_BITS);
    grid_sync(given.barrier);
  }
}
