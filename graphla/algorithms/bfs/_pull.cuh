// The pull of a direction-optimising search, over the bitmap of the vertices seen so far.
//
//   level[v] = d + 1, for every v not seen with an arc u -> v from a seen u
//
// Whoever was seen before level d has only seen heads, so among the tails of an unseen vertex "seen" means
// "in the frontier": no bitmap of the frontier is needed, only that of the seen as it was before the level.
//
// A warp owns 128 vertices at a time, a lane four of them. Each first tries its strongest tail (kept with the
// graph); those that miss and have more are collected, and their rows searched 32 at a time. Where few vertices are
// unseen, a lane owns a word of the bitmap, and all of them are collected.
#pragma once

#include "_common.cuh"
#include "_course.cuh"
#include "_frontier.cuh"
#include "_rows.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

struct Tried {  // a bit for each of a lane's four vertices
  int hits, misses;
  int vain;  // how many have no other tail
};

// A lane's four vertices try their strongest tails; returns who was found and who must search on. Those of `blank` get
// an answer whether they are found or not, all four in one store where they can.
template <class Offset, class Parents>
__device__ __forceinline__ Tried try_strongest(
    const Search<Offset, Parents>& s, const unsigned* seen, int first, unsigned open, unsigned blank, int depth) {
  if (!(open | blank)) return {0, 0, 0};
  const Pack<int, 4> tails = load_pack<4>(s.strongest + first);
  Pack<int, 4> levels, parents;
  int hits = 0, misses = 0, vain = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int u = tails[j] < 0 ? ~tails[j] : tails[j];
    const bool asks = (open >> j & 1) && tails[j] != NO_TAIL, hit = asks && bit_test(seen, u);
    hits |= static_cast<int>(hit) << j;
    misses |= static_cast<int>(asks && !hit && tails[j] >= 0) << j;
    vain += asks && !hit && tails[j] < 0;
    levels[j] = hit ? depth + 1 : -1;
    parents[j] = hit ? u : -1;
  }
  if (blank == 15 && first + 4 <= s.n) {
    s.tree.put_four(first, levels, parents);
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (((hits | blank) >> j & 1) && first + j < s.n) s.tree.put(first + j, levels[j], parents[j]);
  }
  return {hits, misses, vain};
}

// What no pull answered, where the search ends without one.
template <class Offset, class Parents>
__device__ void write_unreached(const Search<Offset, Parents>& s, const unsigned* seen) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < s.n; v += gridDim.x * blockDim.x)
    if (s.blank(seen, v >> 5) >> (v & 31) & 1) s.tree.put(v, -1, -1);
}

// The warp's 128 vertices of `group` try their strongest tails; those that miss are held back. Returns how many are.
template <class Offset, class Parents>
__device__ __forceinline__ int try_group(
    const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, unsigned word, bool first, int depth,
    int group, int* pending, int waiting, Tally& tally) {
  const int nibble = lane_index() % 8 * 4, at = group * 4 + lane_index() / 8;
  const unsigned blank = first ? s.blank(seen, at) >> nibble & 15u : 0u;
  const Tried tried = try_strongest(s, seen, group * 128 + lane_index() * 4, ~(word >> nibble) & 15u, blank, depth);
  unsigned bits = static_cast<unsigned>(tried.hits) << nibble;
  for (int reach = 1; reach < 8; reach *= 2) bits |= __shfl_xor_sync(WHOLE_WARP, bits, reach);
  if (lane_index() % 8 == 0) {
    fresh[at] = word | bits;
    tally.found += __popc(bits);
  }
  tally.missed += tried.vain;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const bool missed = tried.misses >> j & 1;
    const unsigned missing = __ballot_sync(WHOLE_WARP, missed);
    if (missed) pending[waiting + __popc(missing & lower_lanes())] = group * 128 + lane_index() * 4 + j;
    waiting += __popc(missing);
  }
  __syncwarp();
  return waiting;
}

// Up to `most` vertices of the lane's word, whose bits are taken away, are held back. Returns how many the warp holds.
__device__ __forceinline__ int hold_back(int word, unsigned& bits, int most, int* pending, int waiting) {
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

// All blocks pull a level: `fresh` becomes `seen` and those found. The first pull answers all that have no answer.
// Packed are how many were found, and in place of their arcs the tails that were looked at in vain.
template <class Offset, class Parents>
__device__ void pull(const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, Unseen they, int depth,
                     Wide* packed, Longer& longer, Workspace& work) {
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32 * gridDim.x, words = (s.n + 127) / 128 * 4;
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
  if (they == Unseen::few) {
    for (int base = (warp * gridDim.x + blockIdx.x) * 32; base < words; base += warps * 32) {
      const int word = base + lane_index();
      unsigned bits = word < words ? ~seen[word] : 0;
      if (word < words) fresh[word] = ~bits;
      do {
        waiting = hold_back(word, bits, 4, pending, waiting);
        search(base + warps * 32 < words || __any_sync(WHOLE_WARP, bits));
      } while (__any_sync(WHOLE_WARP, bits));
    }
  } else {
    const int begin = warp * gridDim.x + blockIdx.x, groups = words / 4;
    const auto word_at = [&](int group) { return group < groups ? seen[group * 4 + lane_index() / 8] : ~0u; };
    unsigned next = word_at(begin), after = word_at(begin + warps);
    for (int group = begin; group < groups; group += warps) {
      const unsigned word = next;
      next = after;
      after = word_at(group + 2 * warps);
      if (~next >> lane_index() % 8 * 4 & 15u) prefetch(s.strongest + (group + warps) * 128 + lane_index() * 4);
      waiting = try_group(s, seen, fresh, word, they == Unseen::unanswered, depth, group, pending, waiting, tally);
      search(group + warps < groups);
    }
  }
  if (tally.found) atomicAdd(&work.found, tally.found);
  const Wide in_vain = warp_reduce(static_cast<Wide>(tally.missed));
  if (lane_index() == 0 && in_vain) atomicAdd(&work.missed, in_vain);
  __syncthreads();
  search_long_rows(s, seen, fresh, depth, work);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(packed, (static_cast<Wide>(work.found) << ARC_BITS) + work.missed);
}

// After pulling: those of `fresh` and not of `seen` become a queue again.
template <class Offset, class Parents>
__device__ void to_queue(const Search<Offset, Parents>& s, const unsigned* seen, const unsigned* fresh,
                         const Next<Offset>& next, int* pending) {
  const int words = (s.n + 127) / 128 * 4, warps = blockDim.x / 32 * gridDim.x;
  int waiting = 0;
  for (int base = (threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32; base < words; base += warps * 32) {
    const int word = base + lane_index();
    unsigned bits = word < words ? fresh[word] & ~seen[word] : 0;
    while (__any_sync(WHOLE_WARP, bits)) {
      waiting = hold_back(word, bits, 1, pending, waiting);
      if (waiting < 32) continue;
      waiting -= 32;
      enqueue(s.out, next, pending + waiting, 32);
      __syncwarp();
    }
  }
  enqueue(s.out, next, pending, waiting);
}
