// The pull of a direction-optimising search, over the bitmap of the vertices seen so far.
//
//   level[v] = d + 1, for every v not seen with an arc u -> v from a seen u
//
// All heads of a vertex seen before level d are seen, so among the tails of an unseen vertex "seen" means "in the
// frontier": no bitmap of the frontier is needed, only that of the vertices seen as it was before the level.
//
// A warp owns 128 vertices at a time, a lane four of them. Each vertex first probes its strongest tail (cached with the
// graph); those that miss and have more tails are collected, and their rows searched 32 at a time. Where few vertices
// are unseen, a lane owns a word of the bitmap, and all unseen vertices are collected.
#pragma once

#include "_common.cuh"
#include "_direction.cuh"
#include "_frontier.cuh"
#include "_rows.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

struct Tried {  // hits and misses: a bit for each of a lane's four vertices
  int hits, misses;
  int exhausted;  // how many missed and have no other tail
};

// A lane's four vertices probe their strongest tails; returns which were found and which must search on. Those of
// `unwritten` get an answer whether they are found or not, all four in one store where possible.
template <class Offset, class Parents>
__device__ __forceinline__ Tried try_strongest(
    const Search<Offset, Parents>& s, const unsigned* seen, int first, unsigned open, unsigned unwritten, int depth) {
  if (!(open | unwritten)) return {0, 0, 0};
  const Pack<int, 4> tails = load_pack<4>(s.strongest + first);
  Pack<int, 4> levels, parents;
  int hits = 0, misses = 0, exhausted = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int u = tails[j] < 0 ? ~tails[j] : tails[j];
    const bool asks = (open >> j & 1) && tails[j] != NO_TAIL, hit = asks && bit_test(seen, u);
    hits |= static_cast<int>(hit) << j;
    misses |= static_cast<int>(asks && !hit && tails[j] >= 0) << j;
    exhausted += asks && !hit && tails[j] < 0;
    levels[j] = hit ? depth + 1 : -1;
    parents[j] = hit ? u : -1;
  }
  if (unwritten == 15 && first + 4 <= s.n) {
    s.tree.put_four(first, levels, parents);
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (((hits | unwritten) >> j & 1) && first + j < s.n) s.tree.put(first + j, levels[j], parents[j]);
  }
  return {hits, misses, exhausted};
}

// The answer of the vertices that are not reached, for a search without a pull.
template <class Offset, class Parents>
__device__ void write_unreached(const Search<Offset, Parents>& s, const unsigned* seen) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < s.n; v += gridDim.x * blockDim.x)
    if (s.unwritten(seen, v >> 5) >> (v & 31) & 1) s.tree.put(v, -1, -1);
}

// The warp's 128 vertices of `group` probe their strongest tails; those that miss are buffered in `pending`. Returns
// the size of that buffer.
template <class Offset, class Parents>
__device__ __forceinline__ int try_group(
    const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, unsigned word, bool first, int depth,
    int group, int* pending, int waiting, Tally& tally) {
  const int nibble = lane_index() % 8 * 4, at = group * (GROUP / 32) + lane_index() / 8;
  const unsigned unwritten = first ? s.unwritten(seen, at) >> nibble & 15u : 0u;
  const Tried tried =
      try_strongest(s, seen, group * GROUP + lane_index() * 4, ~(word >> nibble) & 15u, unwritten, depth);
  unsigned bits = static_cast<unsigned>(tried.hits) << nibble;
  for (int reach = 1; reach < 8; reach *= 2) bits |= __shfl_xor_sync(WHOLE_WARP, bits, reach);
  if (lane_index() % 8 == 0) {
    fresh[at] = word | bits;
    tally.found += __popc(bits);
  }
  tally.missed += tried.exhausted;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const bool missed = tried.misses >> j & 1;
    const unsigned missing = __ballot_sync(WHOLE_WARP, missed);
    if (missed) pending[waiting + __popc(missing & lower_lanes())] = group * GROUP + lane_index() * 4 + j;
    waiting += __popc(missing);
  }
  __syncwarp();
  return waiting;
}

// Moves up to `most` vertices from the bits of the lane's word to the buffer. Returns the size of the buffer.
__device__ __forceinline__ int buffer_bits(int word, unsigned& bits, int most, int* pending, int waiting) {
  for (int i = 0; i < most; ++i) {
    const unsigned holders = __ballot_sync(WHOLE_WARP, bits);
    if (!holders) break;
    if (bits) pending[waiting + __popc(holders & lower_lanes())] = word * 32 + __ffs(static_cast<int>(bits)) - 1;
    bits &= bits - 1;
    waiting += __popc(holders);
  }
  __syncwarp();
  return waiting;
}

// All blocks pull a level: `fresh` becomes `seen` with the vertices found. *packed gets how many were found and, in
// place of their arcs, the tails that were probed without a hit.
template <class Offset, class Parents>
__device__ void pull(const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, Visits visits, int depth,
                     Wide* packed, Longer& longer, Workspace& work) {
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32 * gridDim.x, words = words_of(s.n);
  int* const pending = work.pending[warp];
  int waiting = 0, waiting_longer = 0;
  Tally tally{0, 0};
  if (threadIdx.x == 0) {
    work.found = work.long_rows = 0;
    work.missed = 0;
  }
  __syncthreads();
  const auto search = [&](bool more) {
    search_pending(s, seen, fresh, depth, more ? 32 : 1, waiting, waiting_longer, tally, longer[warp], work);
  };
  if (visits == Visits::few) {
    for (int base = (warp * gridDim.x + blockIdx.x) * 32; base < words; base += warps * 32) {
      const int word = base + lane_index();
      unsigned bits = word < words ? ~seen[word] : 0;
      if (word < words) fresh[word] = ~bits;
      do {
        waiting = buffer_bits(word, bits, 4, pending, waiting);
        search(base + warps * 32 < words || __any_sync(WHOLE_WARP, bits));
      } while (__any_sync(WHOLE_WARP, bits));
    }
  } else {
    const int begin = warp * gridDim.x + blockIdx.x, groups = words / (GROUP / 32);
    const auto word_at = [&](int group) {
      return group < groups ? seen[group * (GROUP / 32) + lane_index() / 8] : ~0u;
    };
    unsigned next = word_at(begin), after = word_at(begin + warps);
    for (int group = begin; group < groups; group += warps) {
      const unsigned word = next;
      next = after;
      after = word_at(group + 2 * warps);
      if (~next >> lane_index() % 8 * 4 & 15u) prefetch(s.strongest + (group + warps) * GROUP + lane_index() * 4);
      waiting = try_group(s, seen, fresh, word, visits == Visits::unwritten, depth, group, pending, waiting, tally);
      search(group + warps < groups);
    }
  }
  if (tally.found) atomicAdd(&work.found, tally.found);
  const Wide missed = warp_reduce(static_cast<Wide>(tally.missed));
  if (lane_index() == 0 && missed) atomicAdd(&work.missed, missed);
  __syncthreads();
  search_long_rows(s, seen, fresh, depth, work);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(packed, (static_cast<Wide>(work.found) << ARC_BITS) + work.missed);
}

// After the last pull: the vertices in `fresh` and not in `seen` become a queue again.
template <class Offset, class Parents, class Next>
__device__ void to_queue(
    const Search<Offset, Parents>& s, const unsigned* seen, const unsigned* fresh, const Next& next, int* pending) {
  const int words = words_of(s.n), warps = blockDim.x / 32 * gridDim.x;
  int waiting = 0;
  for (int base = (threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32; base < words; base += warps * 32) {
    const int word = base + lane_index();
    unsigned bits = word < words ? fresh[word] & ~seen[word] : 0;
    while (__any_sync(WHOLE_WARP, bits)) {
      waiting = buffer_bits(word, bits, 1, pending, waiting);
      if (waiting < 32) continue;
      waiting -= 32;
      enqueue(s.out, next, pending + waiting, 32);
      __syncwarp();
    }
  }
  enqueue(s.out, next, pending, waiting);
}
