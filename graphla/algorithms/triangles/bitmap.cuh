// The triangles u > v > w: for each arc from u to v, the vertices w that both have arcs to.
//
// Vertices are numbered by their degrees, the largest first, and arcs lead to smaller numbers. A warp owns a vertex u.
// The first vertices are hubs, and the first `rows_with_bits` vertices have their arcs to hubs as a row of bits. For
// such a v the common hubs are the bits of u, which the lanes hold, and those of v: 512 bytes that are loaded at once.
// If u has few hubs a lane owns one, and looks its bit up. Other arcs are looked up one by one: of every v beyond, a
// group of lanes reads the list of arcs, hubs against the bits of u, the rest against a hash table of u's.
//
// Total counts the triangles. Each counts them at their three vertices. Closed adds to each vertex of a triangle the
// arcs between the other two, of a directed graph: one, or two where the sign of an arc, and a second bit, say so. Rows
// of hubs hold both directions then, so that a common neighbour counts for v whichever is larger; each triangle of u
// occurs twice, and is counted at u by halves.
//
// compiled: count_triangles<Offset, QUADS, Kind> with Offset = int | long long; QUADS = 1 | 2 | 4;
//   Kind = Total | Each | Closed; hot
#pragma once

#include "_row.cuh"
#include "headers/primitives.cuh"

constexpr int WARPS = 4;
constexpr int GROUP = 8;     // lanes that read a list together
constexpr int TABLE = 512;   // slots of a hash table
constexpr int CHUNK = 256;   // vertices in it at once
constexpr int NOTHING = -1;  // in an empty slot

struct Total { static constexpr bool each = false, directed = false; };
struct Each { static constexpr bool each = true, directed = false; };
struct Closed { static constexpr bool each = true, directed = true; };

// Blocks per multiprocessor for which registers suffice.
template <int QUADS, class Kind>
constexpr int RESIDENT =
    QUADS == 1   ? (Kind::directed ? 8 : 10)
    : QUADS == 2 ? 6
                 : 4;

template <class Offset>
struct CountParameters {
  int n;
  int rows_with_bits;
  const int* arcs;
  const Row<Offset>* rows;
  const unsigned* bits;
  const unsigned* both;
  unsigned long long* total;
  unsigned long long* each;
};

using Words = Pack<unsigned, 4>;

// An arc as it is stored: its head, and whether there are arcs both ways.
template <class Kind>
__device__ __forceinline__ int head_of(int arc) {
  return Kind::directed ? arc & 0x7fffffff : arc;
}
template <class Kind>
__device__ __forceinline__ int ways_of(int arc) {
  return Kind::directed && arc < 0 ? 2 : 1;
}

__device__ __forceinline__ void count_at(unsigned long long* each, int v, int count) {
  if (count) atomicAdd(each + v, static_cast<unsigned long long>(count));
}

// A set of arcs of a warp, by their heads.
template <class Kind>
struct HashTable {
  int* slots;

  __device__ __forceinline__ void clear() const {
    for (int i = lane_index(); i < TABLE; i += 32) slots[i] = NOTHING;
    __syncwarp();
  }
  __device__ __forceinline__ void insert(const int* from, int count) const {
    for (int i = lane_index(); i < count; i += 32) {
      const int arc = from[i];
      int slot = arc & (TABLE - 1);
      while (atomicCAS(slots + slot, NOTHING, arc) != NOTHING) slot = (slot + 1) & (TABLE - 1);
    }
    __syncwarp();
  }
  // The arcs between the owner and w: 0 if w is not there.
  __device__ __forceinline__ int look_up(int w) const {
    for (int slot = w & (TABLE - 1);; slot = (slot + 1) & (TABLE - 1)) {
      const int there = slots[slot];
      if (there == NOTHING) return 0;
      if (head_of<Kind>(there) == w) return ways_of<Kind>(there);
    }
  }
};

// The vertex of a warp and what it counts.
template <class Offset, int QUADS, class Kind>
struct Corner {
  static constexpr int WORDS = 128 * QUADS;
  static constexpr bool EACH = Kind::each, DIRECTED = Kind::directed;

  const CountParameters<Offset>& given;
  const Row<Offset> row;
  unsigned* mine;
  unsigned* mine_both;
  HashTable<Kind> table;

  __device__ __forceinline__ void set_mine() const {
    for (int i = lane_index(); i < WORDS; i += 32) {
      mine[i] = 0;
      if constexpr (DIRECTED) mine_both[i] = 0;
    }
    __syncwarp();
    for (int i = lane_index(); i < row.hubs; i += 32) {
      const int arc = given.arcs[row.hub + i], w = head_of<Kind>(arc);
      atomicOr(mine + (w >> 5), 1u << (w & 31));
      if (DIRECTED && arc < 0) atomicOr(mine_both + (w >> 5), 1u << (w & 31));
    }
    __syncwarp();
  }
  __device__ __forceinline__ long long place_of(int v) const { return static_cast<long long>(v) * WORDS; }

  // Calls act(arc) for each arc of a list, in the whole warp; the lanes load 32 at a time.
  template <class Act>
  __device__ __forceinline__ void for_each_arc(Offset begin, int count, Act act) const {
    for (int first = 0; first < count; first += 32) {
      const int left = count - first < 32 ? count - first : 32;
      const int next = lane_index() < left ? given.arcs[begin + first + lane_index()] : 0;
#pragma unroll 4
      for (int i = 0; i < left; ++i) act(shuffle_from(next, i));
    }
  }

  // At most 32 hubs: each lane looks its own up in the rows of the others, and in those of the rest.
  __device__ __forceinline__ int look_up() const {
    const bool there = lane_index() < row.hubs;
    const int own = there ? given.arcs[row.hub + lane_index()] : 0, w = head_of<Kind>(own);
    int of_u = 0, of_w = 0;
    const auto look_up_in = [&](int arc) {
      const int v = head_of<Kind>(arc);
      if (v >= given.rows_with_bits) return;
      const long long word = place_of(v) + (w >> 5);
      const bool hit = there && w < v && load_constant(given.bits + word) >> (w & 31) & 1u;
      of_u += hit;
      if (DIRECTED && hit) of_u += load_constant(given.both + word) >> (w & 31) & 1u;
      if constexpr (EACH) {
        int of_v = __popc(__ballot_sync(WHOLE_WARP, hit));
        if constexpr (DIRECTED) of_v += __popc(__ballot_sync(WHOLE_WARP, hit && own < 0));
        if (lane_index() == 0) count_at(given.each, v, of_v);
        if (hit) of_w += ways_of<Kind>(arc);
      }
    };
    for_each_arc(row.hub, row.hubs, look_up_in);
    for_each_arc(row.rest, row.rests, look_up_in);
    if constexpr (EACH) count_at(given.each, w, of_w);
    return of_u;
  }

  // More hubs: rows of bits against each other.
  __device__ __forceinline__ int intersect() const {
    Words held[QUADS], held_both[QUADS];
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
      held[q] = load_pack<4>(mine + (q * 32 + lane_index()) * 4);
      if constexpr (DIRECTED) held_both[q] = load_pack<4>(mine_both + (q * 32 + lane_index()) * 4);
    }
    int hubs = 0, others = 0;
    for_each_arc(row.hub, row.hubs, [&](int arc) { hubs += intersect_with<EACH>(arc, held, held_both); });
    for_each_arc(row.rest, row.rests, [&](int arc) {
      if (head_of<Kind>(arc) < given.rows_with_bits) others += intersect_with<false>(arc, held, held_both);
    });
    if constexpr (!EACH) return hubs + others;
    hubs = warp_reduce(hubs) / 2;
    return (lane_index() == 0 ? hubs : 0) + others;
  }
  // MIRRORED: the row holds both directions, and counts at v alone.
  template <bool MIRRORED>
  __device__ __forceinline__ int intersect_with(int arc, const Words* held, const Words* held_both) const {
    const int v = head_of<Kind>(arc);
    int of_u = 0, of_v = 0;
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
      const int word = (q * 32 + lane_index()) * 4;
      if (!MIRRORED && word * 32 >= v) continue;
      const Words theirs = load_pack<4>(given.bits + place_of(v) + word);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const unsigned common = held[q][i] & theirs[i];
        const int count = __popc(common);
        of_u += count;
        if constexpr (DIRECTED) {
          of_u += __popc(common & given.both[place_of(v) + word + i]);
          of_v += __popc(common & held_both[q][i]);
        }
        if constexpr (EACH) of_v += count;
        if constexpr (EACH && !MIRRORED) count_bits(common, (word + i) * 32, ways_of<Kind>(arc));
      }
    }
    if constexpr (EACH) {
      const int sum = warp_reduce(of_v);
      if (lane_index() == 0) count_at(given.each, v, sum);
    }
    return of_u;
  }
  __device__ __forceinline__ void count_bits(unsigned bits, int first, int ways) const {
    for (; bits; bits &= bits - 1) count_at(given.each, first + __ffs(static_cast<int>(bits)) - 1, ways);
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
      const int arc = given.arcs[row.rest + i], v = head_of<Kind>(arc);
      const Row<Offset> other = given.rows[v];
      int of_v = 0;
      if (HUBS && row.hubs && v >= given.rows_with_bits)
        found += read_list(other.hub, other.hubs, ways_of<Kind>(arc), of_v, [this](int w) { return hub_ways(w); });
      if (first >= 0)
        found +=
            read_list(other.rest, other.rests, ways_of<Kind>(arc), of_v, [this](int w) { return table.look_up(w); });
      if constexpr (EACH) count_at(given.each, v, of_v);
    }
    __syncwarp();
    return found;
  }
  // The arcs between u and the hub w.
  __device__ __forceinline__ int hub_ways(int w) const {
    const int there = bit_test(mine, w);
    return DIRECTED && there ? 1 + bit_test(mine_both, w) : there;
  }
  // What the arcs of v from `begin` add to u and, in of_v, to v; `ways` arcs are between these two.
  template <class Ways>
  __device__ __forceinline__ int read_list(Offset begin, int count, int ways, int& of_v, Ways ways_to) const {
    int of_u = 0;
    for (int k = lane_index() % GROUP; k < count; k += GROUP) {
      const int arc = given.arcs[begin + k], w = head_of<Kind>(arc), between = ways_to(w);
      if (!between) continue;
      of_u += ways_of<Kind>(arc);
      of_v += between;
      if constexpr (EACH) count_at(given.each, w, ways);
    }
    return of_u;
  }

  __device__ __forceinline__ int count() const {
    const bool few = row.hubs <= 32;
    if (row.hubs && (!few || row.rests)) set_mine();
    int found = row.hubs == 0 ? 0 : few ? look_up() : intersect();
    if (row.rests) found += read_lists();
    return found;
  }
};

template <class Offset, int QUADS, class Kind>
__global__ void __launch_bounds__(WARPS * 32, RESIDENT<QUADS, Kind>) count_triangles(CountParameters<Offset> given) {
  __shared__ Words mine[WARPS][32 * QUADS];
  __shared__ Words mine_both[Kind::directed ? WARPS : 1][32 * QUADS];
  __shared__ int slots[WARPS][TABLE];
  const long long warps = static_cast<long long>(gridDim.x) * WARPS;
  const int warp = warp_index();
  unsigned long long found = 0;
  for (long long u = static_cast<long long>(blockIdx.x) * WARPS + warp; u < given.n; u += warps) {
    const Row<Offset> row = given.rows[u];
    if (row.hubs + row.rests < 2) continue;
    const Corner<Offset, QUADS, Kind> corner{
        given, row, mine[warp][0].at, mine_both[Kind::directed ? warp : 0][0].at, {slots[warp]}};
    const unsigned long long here = static_cast<unsigned long long>(corner.count());
    if constexpr (Kind::each) {
      const unsigned long long sum = warp_reduce(here);
      if (lane_index() == 0 && sum) atomicAdd(given.each + u, sum);
    }
    found += here;
    __syncwarp();
  }
  found = block_reduce(found);
  if (threadIdx.x == 0 && found) atomicAdd(given.total, found);
}
