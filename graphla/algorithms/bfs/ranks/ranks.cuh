// The steps of a search on many ranks, each of which finds its own vertices.
//
// Vertices are numbered from the first of this rank on, around the end: its own are 0 .. n - 1. `seen` has a bit for
// each vertex of the graph; the first words are those of this rank, which are padded to whole groups.
//
//   list_frontier: the queue of the own vertices in `seen` and not in `before`
//   push_ranks:    a bit in `sent` for each unseen head of the queue
//   pull_ranks:    level[v] = d + 1 for each own unseen v with a seen tail, of all or of the bits of `offered`
//
// The mapping is that of the fused search: a warp owns a share of the arcs of the queue, or 128 vertices.
//
// compiled: list_frontier<Offset> with Offset = int | long long
// compiled: push_ranks<Offset> with Offset = int | long long
// compiled: pull_ranks<Offset, Parents> with Offset = int | long long; Parents = LevelsOnly | WithParents; hot
#pragma once

#include "../_common.cuh"
#include "../_device.py"  // RESIDENT_THREADS
#include "../_frontier.cuh"
#include "../_pull.cuh"
#include "../_rows.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

template <class Offset>
struct RankParameters {
  int n;  // own vertices
  const Offset* out_indptr;
  const int* out_indices;
  const Offset* in_indptr;
  const int* in_indices;
  const int* strongest;  // fused_prepare.cuh
  int* levels;
  int* parents;
  const unsigned* seen;
  unsigned* other;  // the bitmap before the level, then that after it
  unsigned* sent;
  const unsigned* offered;  // of the own words
  int* vertices;            // of the queue
  Offset* offsets;          // of the queue: `before` and `shift`
  Wide* state;              // packed sizes: of the queue; of what was found
  int depth;
  bool asked;  // whether only vertices in `offered` are searched for
  bool few;    // whether few vertices are unseen
};

template <class Offset>
__device__ Queue<Offset> queue_of(const RankParameters<Offset>& given) {
  return {given.vertices, given.offsets, given.offsets + given.n};
}

template <class Offset>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1)
    list_frontier(const __grid_constant__ RankParameters<Offset> given) {
  __shared__ int pending[RESIDENT_WARPS][PENDING];
  const Rows<Offset> out{given.out_indptr, given.out_indices};
  const Search<Offset, LevelsOnly> s{given.n, out, out, nullptr, nullptr, 0, {nullptr, nullptr}};
  to_queue(s, given.other, given.seen, Next<Offset>{queue_of(given), given.state}, pending[warp_index()]);
}

template <class Offset>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1)
    push_ranks(const __grid_constant__ RankParameters<Offset> given) {
  const Rows<Offset> out{given.out_indptr, given.out_indices};
  const int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
  each_head(out, queue_of(given), load_fresh(given.state), warp, warps, [&](int v, int) {
    if (v >= 0 && !bit_test(given.seen, v) && !bit_test_racing(given.sent, v)) bit_set(given.sent, v);
  });
}

// The vertices among the bits of `offered` search their rows.
template <class Offset, class Parents>
__device__ void pull_offered(
    const Search<Offset, Parents>& s, const RankParameters<Offset>& given, Longer& longer, Workspace& work) {
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32 * gridDim.x, words = words_of(s.n);
  int waiting = 0, waiting_longer = 0;
  Tally tally{0, 0};
  if (threadIdx.x == 0) work.found = work.long_rows = 0;
  __syncthreads();
  for (int base = (warp * gridDim.x + blockIdx.x) * 32; base < words; base += warps * 32) {
    const int word = base + lane_index();
    const unsigned before = word < words ? given.seen[word] : ~0u;
    unsigned bits = word < words ? given.offered[word] & ~before : 0;
    if (word < words) given.other[word] = before;
    do {
      waiting = buffer_bits(word, bits, 4, work.pending[warp], waiting);
      const bool more = base + warps * 32 < words || __any_sync(WHOLE_WARP, bits);
      search_pending(
          s, given.seen, given.other, given.depth, more ? 32 : 1, waiting, waiting_longer, tally, longer[warp], work);
    } while (__any_sync(WHOLE_WARP, bits));
  }
  if (tally.found) atomicAdd(&work.found, tally.found);
  __syncthreads();
  search_long_rows(s, given.seen, given.other, given.depth, work);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(given.state + 1, static_cast<Wide>(work.found) << ARC_BITS);
}

template <class Offset, class Parents>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1)
    pull_ranks(const __grid_constant__ RankParameters<Offset> given) {
  __shared__ Workspace work;
  __shared__ Longer longer;
  const Rows<Offset> in{given.in_indptr, given.in_indices};
  const Search<Offset, Parents> s{given.n, in, in, given.strongest, nullptr, 0, {given.levels, given.parents}};
  if (given.asked) pull_offered(s, given, longer, work);
  else
    pull(s, given.seen, given.other, given.few ? Visits::few : Visits::unseen, given.depth, given.state + 1, longer,
         work);
}
