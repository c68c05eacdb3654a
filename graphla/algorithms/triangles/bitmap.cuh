// The triangles u > v > w: for each arc from u to v, the vertices w that both have arcs to.
//
// Vertices are numbered by their degrees, the largest first, and arcs lead to smaller numbers. A warp owns a vertex u.
// The first vertices are hubs, and the first `rows_with_bits` vertices have their arcs to hubs as a row of
// bits. For such a v the common hubs are the bits of u, which the lanes hold, and those of v: 512 bytes that are loaded
// at once. If u has few hubs a lane owns one, and looks its bit up. Other arcs are looked up one by one: of every v
// beyond, a group of lanes reads the list of arcs, hubs against the bits of u, the rest against a hash table of u's.
//
// With EACH the triangles are counted at their three vertices. Rows of bits of hubs hold both directions then, so that
// a common neighbour counts for v whichever is larger; each triangle occurs twice, and is counted at u by halves.
//
// compiled: count_triangles<Offset, QUADS, EACH> with Offset = int | long long; QUADS = 1 | 2 | 4;
//   EACH = false | true; hot
#pragma once

#include "_row.cuh"
#include "headers/primitives.cuh"

constexpr int WARPS = 4;
constexpr int GROUP = 8;     // lanes that read a list together
constexpr int TABLE = 512;   // slots of a hash table
constexpr int CHUNK = 256;   // vertices in it at once
constexpr int NOTHING = -1;  // in an empty slot

template <class Offset>
struct CountParameters {
  int n;
  int rows_with_bits;
  const int* arcs;
  const Row<Offset>* rows;
  const unsigned* bits;
  unsigned long long* total;
  unsigned long long* each;
};

using Words = Pack<unsigned, 4>;

__device__ __forceinline__ void count_at(unsigned long long* each, int v, int count) {
  if (count) atomicAdd(each + v, static_cast<unsigned long long>(count));
}

// A set of vertices of a warp.
struct HashTable {
  int* slots;

  __device__ __forceinline__ void clear() const {
    for (int i = lane_index(); i < TABLE; i += 32) slots[i] = NOTHING;
    __syncwarp();
  }
  __device__ __forceinline__ void insert(const int* from, int count) const {
    for (int i = lane_index(); i < count; i += 32) {
      const int w = from[i];
      int slot = w & (TABLE - 1);
      while (atomicCAS(slots + slot, NOTHING, w) != NOTHING) slot = (slot + 1) & (TABLE - 1);
    }
    __syncwarp();
  }
  __device__ __forceinline__ bool holds(int w) const {
    for (int slot = w & (TABLE - 1);; slot = (slot + 1) & (TABLE - 1)) {
      const int there = slots[slot];
      if (there == w) return true;
      if (there == NOTHING) return false;
    }
  }
};

// The vertex of a warp and what it counts.
template <class Offset, int QUADS, bool EACH>
struct Corner {
  static constexpr int WORDS = 128 * QUADS;

  const CountParameters<Offset>& given;
  const Row<Offset> row;
  unsigned* mine;
  HashTable table;

  __device__ __forceinline__ void set_mine() const {
    for (int i = lane_index(); i < WORDS; i += 32) mine[i] = 0;
    __syncwarp();
    for (int i = lane_index(); i < row.hubs; i += 32) {
      const int w = given.arcs[row.hub + i];
      atomicOr(mine + (w >> 5), 1u << (w & 31));
    }
    __syncwarp();
  }
  __device__ __forceinline__ const unsigned* bits_of(int v) const {
    return given.bits + static_cast<long long>(v) * WORDS;
  }

  // At most 32 hubs: each lane looks its own up in the rows of the others, and in those of the rest.
  __device__ __forceinline__ int look_up() const {
    const int w = lane_index() < row.hubs ? given.arcs[row.hub + lane_index()] : NOTHING;
    int found = 0;
#pragma unroll 4
    for (int i = 0; i < row.hubs; ++i) found += look_up_in(shuffle_from(w, i), w);
    for (int first = 0; first < row.rests; first += 32) {
      const int left = row.rests - first, mine_of = lane_index();
      const int next = mine_of < left ? given.arcs[row.rest + first + mine_of] : given.rows_with_bits;
#pragma unroll 4
      for (int i = 0; i < (left < 32 ? left : 32); ++i) {
        const int v = shuffle_from(next, i);
        if (v < given.rows_with_bits) found += look_up_in(v, w);
      }
    }
    if (EACH && found) count_at(given.each, w, found);
    return found;
  }
  __device__ __forceinline__ int look_up_in(int v, int w) const {
    const bool hit = w >= 0 && w < v && (load_constant(bits_of(v) + (w >> 5)) >> (w & 31) & 1u);
    if constexpr (EACH) {
      const unsigned votes = __ballot_sync(WHOLE_WARP, hit);
      if (lane_index() == 0) count_at(given.each, v, __popc(votes));
    }
    return hit;
  }

  // More hubs: rows of bits against each other.
  __device__ __forceinline__ int intersect() const {
    Words held[QUADS];
    for (int q = 0; q < QUADS; ++q) held[q] = load_pack<4>(mine + (q * 32 + lane_index()) * 4);
    int hubs = 0, others = 0;
    for (int first = 0; first < row.hubs; first += 32) {
      const int left = row.hubs - first;
      const int next = lane_index() < left ? given.arcs[row.hub + first + lane_index()] : 0;
#pragma unroll 4
      for (int i = 0; i < (left < 32 ? left : 32); ++i) hubs += intersect_with(shuffle_from(next, i), held, EACH);
    }
    for (int first = 0; first < row.rests; first += 32) {
      const int left = row.rests - first;
      const int next = lane_index() < left ? given.arcs[row.rest + first + lane_index()] : given.rows_with_bits;
#pragma unroll 4
      for (int i = 0; i < (left < 32 ? left : 32); ++i) {
        const int v = shuffle_from(next, i);
        if (v < given.rows_with_bits) others += intersect_with(v, held, false);
      }
    }
    return EACH ? static_cast<int>(warp_reduce(hubs) / 2 * (lane_index() == 0)) + others : hubs + others;
  }
  // `both`: the row holds both directions, and counts at v alone.
  __device__ __forceinline__ int intersect_with(int v, const Words* held, bool both) const {
    int count = 0;
    for (int q = 0; q < QUADS; ++q) {
      const int word = (q * 32 + lane_index()) * 4;
      if (!both && word * 32 >= v) continue;
      const Words theirs = load_words(bits_of(v) + word);
      for (int i = 0; i < 4; ++i) {
        const unsigned common = held[q][i] & theirs[i];
        count += __popc(common);
        if (EACH && !both) count_bits(common, (word + i) * 32);
      }
    }
    if constexpr (EACH) {
      const int sum = warp_reduce(count);
      if (lane_index() == 0) count_at(given.each, v, sum);
    }
    return count;
  }
  static __device__ __forceinline__ Words load_words(const unsigned* p) { return load_pack<4>(p); }
  __device__ __forceinline__ void count_bits(unsigned bits, int first) const {
    for (; bits; bits &= bits - 1) count_at(given.each, first + __ffs(static_cast<int>(bits)) - 1, 1);
  }

  // The lists of arcs of the vertices beyond the hubs.
  __device__ __forceinline__ int read_lists() const {
    int found = read_all<true>(row.rests > 1 ? 0 : NOTHING);
    for (int first = CHUNK; first < row.rests; first += CHUNK) found += read_all<false>(first);
    return found;
  }
  // Looks up rests among the chunk of u's that begins at `first`, if there is one, and hubs the first time.
  template <bool HUBS>
  __device__ __forceinline__ int read_all(int first) const {
    if (first >= 0) {
      const int left = row.rests - first;
      table.clear();
      table.insert(given.arcs + row.rest + first, left < CHUNK ? left : CHUNK);
    }
    int found = 0;
    for (int i = lane_index() / GROUP; i < row.rests; i += 32 / GROUP) {
      const int v = given.arcs[row.rest + i];
      const Row<Offset> other = given.rows[v];
      int hits = 0;
      if (HUBS && row.hubs && v >= given.rows_with_bits)
        hits += read_list(other.hub, other.hubs, [this](int w) { return bit_test(mine, w); });
      if (first >= 0) hits += read_list(other.rest, other.rests, [this](int w) { return table.holds(w); });
      if constexpr (EACH) count_at(given.each, v, hits);
      found += hits;
    }
    __syncwarp();
    return found;
  }
  template <class Test>
  __device__ __forceinline__ int read_list(Offset begin, int count, Test test) const {
    int hits = 0;
    for (int k = lane_index() % GROUP; k < count; k += GROUP) {
      const int w = given.arcs[begin + k];
      const bool hit = test(w);
      if (EACH && hit) count_at(given.each, w, 1);
      hits += hit;
    }
    return hits;
  }

  __device__ __forceinline__ int count() const {
    const bool few = row.hubs <= 32;
    if (row.hubs && (!few || row.rests)) set_mine();
    int found = row.hubs == 0 ? 0 : few ? look_up() : intersect();
    if (row.rests) found += read_lists();
    return found;
  }
};

template <class Offset, int QUADS, bool EACH>
__global__ void __launch_bounds__(WARPS * 32, QUADS == 1   ? 10
                                              : QUADS == 2 ? 6
                                                           : 4) count_triangles(CountParameters<Offset> given) {
  __shared__ Words mine[WARPS][32 * QUADS];
  __shared__ int slots[WARPS][TABLE];
  const long long warps = static_cast<long long>(gridDim.x) * WARPS;
  unsigned long long found = 0;
  for (long long u = static_cast<long long>(blockIdx.x) * WARPS + warp_index(); u < given.n; u += warps) {
    const Row<Offset> row = given.rows[u];
    if (row.hubs + row.rests < 2) continue;
    const Corner<Offset, QUADS, EACH> corner{given, row, mine[warp_index()][0].at, {slots[warp_index()]}};
    const unsigned long long here = static_cast<unsigned long long>(corner.count());
    if constexpr (EACH) {
      const unsigned long long sum = warp_reduce(here);
      if (lane_index() == 0 && sum) atomicAdd(given.each + u, sum);
    }
    found += here;
    __syncwarp();
  }
  found = block_reduce(found);
  if (threadIdx.x == 0 && found) atomicAdd(given.total, found);
}
