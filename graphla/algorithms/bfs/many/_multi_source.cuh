// Breadth-first search from up to 64 sources at once: bit s of a word belongs to source s.
//
//   seen[d + 1][v] = seen[d][v] | OR of seen[d][u] over the arcs u -> v
//   level[s][v]    = the first d with bit s in seen[d][v]
//
// This is a product with a bit matrix, (OR, AND) over words of 64 columns. Each level has an array of its own, so
// nothing is cleared and the levels are read off at the end. Each bit has its own direction: bits that few hubs have
// are pushed from the vertices that got them last; the others are pulled, and a row ends as soon as it has every bit it
// can get. For each bit, "seen" and "in the frontier" mean the same among the tails of a vertex without it. Hubs have
// the first numbers, so they are the first tails of a row, and a block keeps their words in shared memory.
//
// compiled: search_words; hot
#pragma once

#include "../_common.cuh"
#include "../_device.py"  // RESIDENT_THREADS
#include "_multi_pull.cuh"
#include "_packs.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"
#include "multi_source.py"  // LEVELS

constexpr int FEW_COMMON = 4;  // while less than 1 / FEW_COMMON of the bits are common, all bits are pushed
constexpr int TOGETHER = 7;    // levels whose words are loaded at once in the end

// For each bit, the packs of the hubs that have it: one word per hub, one bit per lane.
__device__ inline void survey_hubs(const Words& w, int depth, Numbers* numbers) {
  for (int base = global_warp() * 32; base < w.hubs; base += grid_warps() * 32) {
    const int v = base + lane_index();
    const Bits word = v < w.hubs ? w.seen(depth)[v] : 0;
    const int packs = v < w.hubs ? w.out.length(v) : 0;
    Wide low = 0, high = 0;
    for (int j = 0; j < 32; ++j) {
      const Bits of = shuffle_from(word, j) >> lane_index();
      const int weight = shuffle_from(packs, j);
      if (of & 1) low += weight;
      if (of >> 32 & 1) high += weight;
    }
    if (low) atomicAdd(&numbers->of_hubs[lane_index()], low);
    if (high) atomicAdd(&numbers->of_hubs[lane_index() + 32], high);
  }
}

// The bits that hubs with at least 1 / `share` of the hubs' packs have; the same in every thread.
__device__ inline Bits common_bits(const Words& w, int share, const Numbers* numbers) {
  __shared__ unsigned halves[2];
  if (threadIdx.x < 64) {
    const bool many = load_fresh(&numbers->of_hubs[threadIdx.x]) * share >= static_cast<Wide>(w.out.indptr[w.hubs]);
    const unsigned votes = __ballot_sync(WHOLE_WARP, many);
    if (lane_index() == 0) halves[warp_index()] = votes;
  }
  __syncthreads();
  const Bits both = static_cast<Bits>(halves[1]) << 32 | halves[0];
  __syncthreads();
  return both;
}

// The tasks: packs of heads to push to and, under the name ~v, packs of tails that v must still probe.
__device__ inline Bits do_tasks(const Words& w, const Level& level, const Seen& seen, Wide packed) {
  Bits* const next = w.seen(level.depth + 1);
  Bits found = 0;
  each_pack(w.queue, packed, global_warp(), grid_warps(), [&](int entry, int place) {
    if (entry < 0) return;
    const int name = w.queue.vertex[entry];
    if (name >= 0) {
      const Bits word = fresh_at(w, level.depth, name) & level.pushed;
      const Columns heads = w.out.packs[place];
      Bits more[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) more[j] = word & ~load_racing(&next[heads.at[j]]);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (more[j]) atomicOr(&next[heads.at[j]], more[j]);
        found |= more[j];
      }
    } else {
      const Bits need = level.pulled & ~load_fresh(&next[~name]);
      const Bits got = need ? seen.of_any(w.in.packs[place]) & need : 0;
      if (got) atomicOr(&next[~name], got);
      found |= got;
    }
  });
  return found;
}

// Adds up what a phase found: one atomic per block.
__device__ inline void report(const Gain& gain, Numbers* numbers) {
  const Bits bits = block_reduce<Bits>(gain.bits, 0, Either{});
  const Wide packs = block_reduce<Wide>(gain.packs);
  if (threadIdx.x != 0) return;
  if (bits & ~load_fresh(&numbers->found)) atomicOr(&numbers->found, bits);
  if (packs) atomicAdd(&numbers->pulled, packs);
}

// seen[0] and seen[1] get the sources, which are the first to push; sources without arcs have no number.
__device__ inline void begin(
    const Words& w, const int* sources, int count, const int* number, Numbers* numbers, unsigned* barrier) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < w.n; v += gridDim.x * blockDim.x) w.seen(1)[v] = 0;
  const int s = threadIdx.x, v = blockIdx.x == 0 && s < count ? number[sources[s]] : -1;
  if (v >= 0) w.seen(0)[v] = 0;
  grid_sync(barrier);
  if (blockIdx.x == 0 && threadIdx.x < 64) {
    if (v >= 0) atomicOr(&w.seen(0)[v], static_cast<Bits>(1) << s);
    const bool first = v >= 0 && !atomicOr(&w.seen(1)[v], static_cast<Bits>(1) << s);
    add_tasks<1>({w.queue, &numbers->packed}, {{v}, {first ? w.out.indptr[v] : 0}, {first ? w.out.length(v) : 0}});
  }
  grid_sync(barrier);
}

// Directions for the bits that have a frontier. A common bit stays common.
__device__ inline Level directed(
    const Words& w, int depth, Bits alive, Bits& common, int share, Numbers* numbers, unsigned* barrier) {
  if (!(alive & ~common)) return {depth, alive, 0};
  survey_hubs(w, depth, numbers);
  grid_sync(barrier);
  common = common_bits(w, share, numbers);
  const Bits pulled = FEW_COMMON * __popcll(alive & common) < __popcll(alive) ? 0 : alive & common;
  return {depth, pulled, alive & ~pulled};
}

// Bit p of (level + 1) goes to plane p, and the last frontier becomes the queue that `finish_words` begins with.
__device__ inline void write_planes(const Words& w, int depth, Bits* planes, Bits* frontier, Wide* size) {
  for (int base = global_warp() * 32; base < w.n; base += grid_warps() * 32) {
    const int v = base + lane_index(), last = v < w.n ? depth : 0;
    Bits plane[4] = {}, before = 0, newest = 0;
    for (int first = 1; first <= last; first += TOGETHER) {  // `finish_words` writes the levels of the sources
      Bits now[TOGETHER];
#pragma unroll
      for (int j = 0; j < TOGETHER; ++j) now[j] = w.seen(min(first + j, last))[v];
#pragma unroll
      for (int j = 0; j < TOGETHER; ++j) {
        const Bits fresh = now[j] & ~before;
#pragma unroll
        for (int p = 0; p < 4; ++p) plane[p] |= (first + j + 1) >> p & 1 ? fresh : 0;
        before = now[j];
        newest = first + j <= last ? fresh : newest;
      }
    }
    const int packs = newest ? w.out.length(v) : 0;
    if (packs) frontier[v] = newest;
    add_tasks<1>({w.queue, size}, {{v}, {packs ? w.out.indptr[v] : 0}, {packs}});
    if (!last) continue;
    store_pack(planes + 4ll * v, Pack<Bits, 2>{{plane[0], plane[1]}});
    store_pack(planes + 4ll * v + 2, Pack<Bits, 2>{{plane[2], plane[3]}});
  }
}

struct SearchParameters {
  int n;  // vertices with an arc: their numbers
  const int* out_indptr;
  const Columns* out_packs;
  const int* in_indptr;
  const Columns* in_packs;
  const Columns* first;  // pack of each row of the tails
  const int* number;
  const int* sources;
  int count;
  Bits* history;
  int* vertices;
  int* befores;
  int* shifts;
  Bits* planes;
  Bits* frontier;
  Numbers* numbers;  // one per level
  Outcome* outcome;
  unsigned* barrier;
  int hubs;
  int share;   // a bit is pulled once hubs with 1 / share of the hubs' packs have it
  int little;  // the search ends where a level found and pushed less than 1 / little of all packs
};

// Ends when nothing is found, when a pull found little (`finish_words` does the rest), or when the planes are full.
__global__ void __launch_bounds__(RESIDENT_THREADS, 1) search_words(const __grid_constant__ SearchParameters given) {
  extern __shared__ Bits of_hubs[];
  const PackedRows out{given.out_indptr, given.out_packs}, in{given.in_indptr, given.in_packs};
  const Queue<int> queue{given.vertices, given.befores, given.shifts};
  const Words w{given.n, out, in, given.first, given.history, queue, given.hubs};
  Numbers* numbers = given.numbers;
  unsigned* const barrier = given.barrier;
  begin(w, given.sources, given.count, given.number, numbers, barrier);
  Bits alive = ~static_cast<Bits>(0) >> (64 - given.count), common = 0;
  int depth = 0;
  for (bool on = given.n > 0; on; ++depth, ++numbers) {
    const Seen seen{w.seen(depth), of_hubs, given.hubs};
    Level level{depth, 0, alive};
    if (depth) {
      level = directed(w, depth, alive, common, given.share, numbers, barrier);
      copy_hubs(seen, of_hubs);
      report(pull_and_sort(w, level, seen, numbers), numbers);
      grid_sync(barrier);
    }
    const Wide packed = read_for_block(&numbers->packed);
    if (packed) {
      report({do_tasks(w, level, seen, packed), 0}, numbers);
      grid_sync(barrier);
    }
    alive = read_for_block(&numbers->found);
    const Wide most = max(packed & ARC_MASK, read_for_block(&numbers->pulled));
    on = alive && depth + 2 < LEVELS &&
         !(level.pulled && most * given.little < static_cast<Wide>(given.out_indptr[given.n]));
  }
  write_planes(w, depth, given.planes, given.frontier, &given.outcome->sizes[0]);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    given.outcome->depth = static_cast<Wide>(depth);
    given.outcome->found = alive;
  }
}
