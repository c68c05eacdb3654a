// Breadth-first search from up to 64 sources at once: bit s of a word belongs to source s.
//
//   seen[d + 1][v] = seen[d][v] | OR of seen[d][u] over the arcs u -> v
//   level[s][v]    = the first d with bit s in seen[d][v]
//
// That is a product with a bit matrix: (OR, AND) over words of 64 columns. Each level has an array of its own, so
// nothing is cleared and what was found is read off at the end. A direction for each bit: bits that few hubs have seen
// are pushed from the few vertices that found them last, the others pulled, where a row ends as soon as every bit that
// could come has come. Per bit, "seen" and "in the frontier" mean the same among the tails of a vertex without it.
// Hubs are numbered first, so they are the first tails of a row, and a block holds their words in shared memory.
//
// compiled: search_words; hot
#pragma once

#include "_common.cuh"
#include "_multi_pull.cuh"
#include "_packs.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

constexpr int LEVELS = 15;   // that four planes can hold: seen[0] ... seen[14]
constexpr int FEW = 4;       // while less than 1 / FEW of the bits are common, these are pushed, too
constexpr int TOGETHER = 7;  // levels whose words are on their way at once in the end

// One word a hub, one bit a lane: how many packs do the hubs own that have seen it?
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

// The bits that hubs with at least 1 / `share` of the hubs' packs have seen; the same for every thread.
__device__ inline Bits common_bits(const Words& w, int share, const Numbers* numbers) {
  __shared__ unsigned halves[2];
  if (threadIdx.x < 64) {
    const bool many = load_fresh(&numbers->of_hubs[threadIdx.x]) * share >= static_cast<Wide>(w.out.pointers[w.hubs]);
    const unsigned votes = __ballot_sync(WHOLE_WARP, many);
    if (lane_index() == 0) halves[warp_index()] = votes;
  }
  __syncthreads();
  const Bits both = static_cast<Bits>(halves[1]) << 32 | halves[0];
  __syncthreads();
  return both;
}

// The tasks: packs of heads to push to, and (under ~v) packs of tails that v must still look at.
__device__ inline Bits do_tasks(const Words& w, const Level& level, const Seen& seen, Wide packed) {
  Bits* const next = w.seen(level.depth + 1);
  Bits found = 0;
  each_pack(w.queue, packed, global_warp(), grid_warps(), [&](int entry, int place) {
    if (entry < 0) return;
    const int name = w.queue.vertex[entry];
    if (name >= 0) {
      const Bits word = fresh_at(w, level.depth, name) & level.rare;
      const Columns heads = w.out.packs[place];
      Bits more[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) more[j] = word & ~next[heads.at[j]];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (more[j]) atomicOr(&next[heads.at[j]], more[j]);
        found |= more[j];
      }
    } else {
      const Bits need = level.wanted & ~load_fresh(&next[~name]);
      const Bits got = need ? seen.of_any(w.in.packs[place]) & need : 0;
      if (got) atomicOr(&next[~name], got);
      found |= got;
    }
  });
  return found;
}

// What a phase found, one addition a block.
__device__ inline void report(const Gain& gain, Numbers* numbers) {
  const Bits bits = block_reduce<Bits>(gain.bits, 0, Either{});
  const Wide packs = block_reduce<Wide>(gain.packs);
  if (threadIdx.x != 0) return;
  if (bits & ~load_fresh(&numbers->found)) atomicOr(&numbers->found, bits);
  if (packs) atomicAdd(&numbers->pulled, packs);
}

// seen[0] is the sources, seen[1] begins as that, and they are the first to push; those without arcs have no number.
__device__ inline void begin(
    const Words& w, const int* sources, int count, const int* number, Numbers* numbers, unsigned* barrier) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < w.n; v += gridDim.x * blockDim.x) w.seen(1)[v] = 0;
  const int s = threadIdx.x, v = blockIdx.x == 0 && s < count ? number[sources[s]] : -1;
  if (v >= 0) w.seen(0)[v] = 0;
  grid_sync(barrier);
  if (blockIdx.x == 0 && threadIdx.x < 64) {
    if (v >= 0) atomicOr(&w.seen(0)[v], static_cast<Bits>(1) << s);
    const bool first = v >= 0 && !atomicOr(&w.seen(1)[v], static_cast<Bits>(1) << s);
    add_tasks<1>({w.queue, &numbers->packed}, {{v}, {first ? w.out.pointers[v] : 0}, {first ? w.out.length(v) : 0}});
  }
  grid_sync(barrier);
}

// Directions for the bits that are alive. What is common stays so.
__device__ inline Level directed(
    const Words& w, int depth, Bits alive, Bits& common, int share, Numbers* numbers, unsigned* barrier) {
  if (!(alive & ~common)) return {depth, alive, 0};
  survey_hubs(w, depth, numbers);
  grid_sync(barrier);
  common = common_bits(w, share, numbers);
  const Bits pulled = FEW * __popcll(alive & common) < __popcll(alive) ? 0 : alive & common;
  return {depth, pulled, alive & ~pulled};
}

// Bit p of (level + 1) goes to plane p, and what came last becomes the queue that `finish_words` begins with.
__device__ inline void write_planes(const Words& w, int depth, Bits* planes, Bits* frontier, Wide* size) {
  for (int base = global_warp() * 32; base < w.n; base += grid_warps() * 32) {
    const int v = base + lane_index(), last = v < w.n ? depth : 0;
    Bits plane[4] = {}, before = 0, newest = 0;
    for (int first = 1; first <= last; first += TOGETHER) {  // a source's own level is written at the end
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
    add_tasks<1>({w.queue, size}, {{v}, {packs ? w.out.pointers[v] : 0}, {packs}});
    if (!last) continue;
    store_pack(planes + 4ll * v, Pack<Bits, 2>{{plane[0], plane[1]}});
    store_pack(planes + 4ll * v + 2, Pack<Bits, 2>{{plane[2], plane[3]}});
  }
}

// Ends when nothing is found, when a pull found little (the rest is for a queue), or when the planes are full.
__global__ void __launch_bounds__(1024, 1) search_words(
    int n, const int* out_pointers, const Columns* out_packs, const int* in_pointers, const Columns* in_packs,
    const Columns* first, const int* number, const int* sources, int count, Bits* history, int* vertices, int* befores,
    int* shifts, Bits* planes, Bits* frontier, Numbers* numbers, Outcome* outcome, unsigned* barrier, int hubs,
    int share, int little) {
  extern __shared__ Bits of_hubs[];
  const Words w{
      n, {out_pointers, out_packs}, {in_pointers, in_packs}, first, history, {vertices, befores, shifts}, hubs};
  begin(w, sources, count, number, numbers, barrier);
  Bits alive = ~static_cast<Bits>(0) >> (64 - count), common = 0;
  int depth = 0;
  for (bool on = n > 0; on; ++depth, ++numbers) {
    const Seen seen{w.seen(depth), of_hubs, hubs};
    Level level{depth, 0, alive};
    if (depth) {
      level = directed(w, depth, alive, common, share, numbers, barrier);
      keep_hubs(seen, of_hubs);
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
    on = alive && depth + 2 < LEVELS && !(level.wanted && most * little < static_cast<Wide>(out_pointers[n]));
  }
  write_planes(w, depth, planes, frontier, &outcome->sizes[0]);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    outcome->depth = static_cast<Wide>(depth);
    outcome->found = alive;
  }
}
