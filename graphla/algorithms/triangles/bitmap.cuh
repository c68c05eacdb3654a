// The triangles u > v > w: for each arc from u to v, the vertices w that both have arcs to.
//
// Vertices are numbered by their degrees, the largest first, and arcs lead to smaller numbers. A warp owns a vertex u.
// The first vertices are hubs, and the first `rows_with_bits` vertices have their arcs to hubs as a row of bits. For
// such a v the common hubs are the bits of u, which the lanes hold, and those of v: 512 bytes that are loaded at once.
// If u has few hubs a lane owns one, and looks its bit up. Other arcs are looked up one by one: the lists of arcs of
// 32 vertices v beyond are read together, hubs against the bits of u, the rest against a hash table of u's.
//
// Total counts the triangles. Each counts them at their three vertices, Closed adds to each vertex of a triangle the
// arcs between the other two, of a directed graph: one, or two where the sign of an arc, and a second bit, say so. What
// the rows of bits say of hubs is added up in counters of a few bits, a plane of bits for each digit; that takes many
// registers, and so a launch for the rows of bits and one for all the rest.
//
// compiled: count_triangles<Offset, QUADS, Kind> with Offset = int; QUADS = 1 | 2 | 4; Kind = Total; hot
// compiled: count_triangles<Offset, QUADS, Kind> with Offset = long long; QUADS = 1 | 2 | 4; Kind = Total;
//   hot on sm_80 sm_90 sm_100
// compiled: count_triangles<Offset, QUADS, Kind> with Offset = int | long long; QUADS = 1 | 2;
//   Kind = EachByRows | EachByLists | ClosedByRows | ClosedByLists; hot
#pragma once

#include "_row.cuh"
#include "headers/primitives.cuh"

constexpr int WARPS = 4;
constexpr int AHEAD = 4;     // arcs that a lane loads before it looks at the first
constexpr int TABLE = 512;   // slots of a hash table
constexpr int CHUNK = 256;   // vertices in it at once
constexpr int NOTHING = -1;  // in an empty slot

template <bool EACH, bool DIRECTED, bool ROWS, bool LISTS>
struct Counted {
  static constexpr bool each = EACH, directed = DIRECTED, rows = ROWS, lists = LISTS;
};
using Total = Counted<false, false, true, true>;
using EachByRows = Counted<true, false, true, false>;
using EachByLists = Counted<true, false, false, true>;
using ClosedByRows = Counted<true, true, true, false>;
using ClosedByLists = Counted<true, true, false, true>;

// Blocks per multiprocessor for which registers suffice.
template <int QUADS, class Kind>
constexpr int RESIDENT =
    Kind::each && Kind::rows ? (QUADS == 1 ? 4 : 3)
    : QUADS == 1             ? 8 + 2 * !Kind::each
                             : 8 - QUADS;

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
    const Pack<int, 4> nothing{{NOTHING, NOTHING, NOTHING, NOTHING}};
    for (int i = lane_index() * 4; i < TABLE; i += 128) store_pack(slots + i, nothing);
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

// A counter for each bit of a row, in binary: the lanes hold plane after plane of the digits, as they hold rows.
template <int QUADS>
struct Counters {
  static constexpr int PLANES = 7, MOST = (1 << PLANES) - 1;
  Words digits[PLANES][QUADS], waiting[QUADS];
  bool waits;

  __device__ __forceinline__ void clear() {
    waits = false;
#pragma unroll
    for (int p = 0; p < PLANES; ++p)
#pragma unroll
      for (int q = 0; q < QUADS; ++q) digits[p][q] = {};
  }
  // Adds 1 or 2 to the counters of the bits that are set. Ones are added two at a time.
  __device__ __forceinline__ void add(const Words (&bits)[QUADS], int amount) {
    const bool second = amount == 1 && waits;
#pragma unroll
    for (int q = 0; q < QUADS; ++q)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const unsigned x = bits[q][i], y = waiting[q][i], low = digits[0][q][i];
        if (second) digits[0][q][i] = x ^ y ^ low;
        if (second || amount == 2) carry_from<1>(q, i, second ? (x & y) | (low & (x | y)) : x);
        else waiting[q][i] = x;
      }
    if (amount == 1) waits = !waits;
  }
  // Adds a digit of one word to a plane, and on to the planes above.
  template <int FIRST>
  __device__ __forceinline__ void carry_from(int q, int i, unsigned carry) {
#pragma unroll
    for (int p = FIRST; p < PLANES; ++p) {
      const unsigned next = digits[p][q][i] & carry;
      digits[p][q][i] ^= carry;
      carry = next;
    }
  }
  // Adds what waits for a second.
  __device__ __forceinline__ void finish() {
    if (!waits) return;
#pragma unroll
    for (int q = 0; q < QUADS; ++q)
#pragma unroll
      for (int i = 0; i < 4; ++i) carry_from<0>(q, i, waiting[q][i]);
    waits = false;
  }
  // The counter of bit w of the row, in the whole warp; each lane has its own w.
  __device__ __forceinline__ int read(int w) const {
    const int word = w >> 5, owner = word >> 2 & 31;
    int count = 0;
#pragma unroll
    for (int p = 0; p < PLANES; ++p)
#pragma unroll
      for (int q = 0; q < QUADS; ++q)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const unsigned digit = shuffle_from(digits[p][q][i], owner);
          if (word >> 7 == q && (word & 3) == i) count |= static_cast<int>(digit >> (w & 31) & 1u) << p;
        }
    return count;
  }
};

// The lists of arcs that a warp reads together, without the empty ones.
template <class Offset>
struct Lists {
  Offset* base;  // where a list stands, less the number of arcs before it
  int* arc;      // to the vertex that it is of
  int* of_v;     // what this vertex gets

  __device__ __forceinline__ void open(int list, Offset begin, int to) const {
    base[list] = begin;
    arc[list] = to;
    of_v[list] = 0;
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
  Lists<Offset> lists;

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

  // Calls act(arc) for each arc of u to a vertex with a row of bits, in the whole warp; the lanes load 32 at a time.
  template <class Act>
  __device__ __forceinline__ void for_each_arc(Act act) const {
#pragma unroll 1
    for (int part = 0; part < 2; ++part) {
      const Offset begin = part ? row.rest : row.hub;
      const int count = part ? row.rests : row.hubs;
#pragma unroll 1
      for (int first = 0; first < count; first += 32) {
        const int left = count - first < 32 ? count - first : 32;
        const int next = lane_index() < left ? given.arcs[begin + first + lane_index()] : 0;
#pragma unroll(EACH ? 1 : 4)
        for (int i = 0; i < left; ++i) {
          const int arc = shuffle_from(next, i);
          if (head_of<Kind>(arc) < given.rows_with_bits) act(arc);
        }
      }
    }
  }

  // At most 32 hubs: each lane looks its own up in the rows of the others, and in those of the rest.
  __device__ __forceinline__ int look_up() const {
    const bool there = lane_index() < row.hubs;
    const int own = there ? given.arcs[row.hub + lane_index()] : 0, w = head_of<Kind>(own);
    int of_u = 0, of_w = 0;
    const auto look_up_in = [&](int arc) {
      const int v = head_of<Kind>(arc);
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
    for_each_arc(look_up_in);
    if constexpr (EACH) count_at(given.each, w, of_w);
    return of_u;
  }

  // More hubs: rows of bits against each other.
  __device__ __forceinline__ int intersect() const {
    Words held[QUADS], held_both[QUADS];
    Counters<QUADS> counters;
    load_mine(held, mine);
    if constexpr (DIRECTED) load_mine(held_both, mine_both);
    if constexpr (EACH) counters.clear();
    int found = 0, added = 0;
    const auto act = [&](int arc) {
      found += intersect_with(arc, held, held_both, counters);
      if (!EACH || ++added < Counters<QUADS>::MOST / 2) return;
      count_hubs(counters);
      added = 0;
    };
    for_each_arc(act);
    if (EACH && added) count_hubs(counters);
    return found;
  }
  __device__ __forceinline__ void load_mine(Words (&held)[QUADS], const unsigned* from) const {
#pragma unroll
    for (int q = 0; q < QUADS; ++q) held[q] = load_pack<4>(from + (q * 32 + lane_index()) * 4);
  }
  __device__ __forceinline__ int intersect_with(
      int arc, const Words (&held)[QUADS], const Words (&held_both)[QUADS], Counters<QUADS>& counters) const {
    const int v = head_of<Kind>(arc);
    Words common[QUADS];
    int of_u = 0, of_v = 0;
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
      const int word = (q * 32 + lane_index()) * 4;
      const bool before = word * 32 < v;
      common[q] = before ? load_pack<4>(given.bits + place_of(v) + word) : Words{};
      Words both = {};
      if (DIRECTED && before) both = load_pack<4>(given.both + place_of(v) + word);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        common[q][i] &= held[q][i];
        const int count = __popc(common[q][i]);
        of_u += count;
        if constexpr (EACH) of_v += count;
        if constexpr (DIRECTED) of_u += __popc(common[q][i] & both[i]);
        if constexpr (DIRECTED) of_v += __popc(common[q][i] & held_both[q][i]);
      }
    }
    if constexpr (EACH) {
      counters.add(common, ways_of<Kind>(arc));
      of_v = __reduce_add_sync(WHOLE_WARP, of_v);
      if (lane_index() == 0) count_at(given.each, v, of_v);
    }
    return of_u;
  }
  __device__ __forceinline__ void count_hubs(Counters<QUADS>& counters) const {
    counters.finish();
    for (int first = 0; first < row.hubs; first += 32) {
      const bool there = first + lane_index() < row.hubs;
      const int w = there ? head_of<Kind>(given.arcs[row.hub + first + lane_index()]) : 0;
      const int count = counters.read(w);
      if (there) count_at(given.each, w, count);
    }
    counters.clear();
  }

  // The arcs of the vertices beyond the hubs, 32 lists at a time: rests against the table, hubs against the bits of u.
  __device__ __forceinline__ int read_lists() const {
    int found = 0;
    for (int chunk = 0; chunk < row.rests; chunk += CHUNK) {
      const int left = row.rests - chunk;
      if (row.rests > 1) {
        table.clear();
        table.insert(given.arcs + row.rest + chunk, left < CHUNK ? left : CHUNK);
      }
      for (int first = 0; first < row.rests; first += 32) found += read_some(first, chunk == 0 && row.hubs);
      __syncwarp();
    }
    return found;
  }
  __device__ __forceinline__ int read_some(int first, bool hubs) const {
    const bool there = first + lane_index() < row.rests;
    const int arc = there ? given.arcs[row.rest + first + lane_index()] : 0, v = head_of<Kind>(arc);
    Row<Offset> other{0, 0, 0, 0};
    if (there) other = given.rows[v];
    int found = 0;
    if (row.rests > 1) found += read_batch(arc, other.rest, other.rests, [this](int w) { return table.look_up(w); });
    if (hubs)
      found +=
          read_batch(arc, other.hub, v < given.rows_with_bits ? 0 : other.hubs, [this](int w) { return hub_ways(w); });
    return found;
  }
  // The arcs between u and the hub w.
  __device__ __forceinline__ int hub_ways(int w) const {
    const int there = bit_test(mine, w);
    return DIRECTED && there ? 1 + bit_test(mine_both, w) : there;
  }
  // The lists of the lanes, one after the other: `count` arcs from `begin` on, of the head of `arc`. Each lane takes
  // every 32nd arc. Bits of a vote tell the places where lists begin among 32 arcs, and so of which list an arc is.
  template <class Ways>
  __device__ __forceinline__ int read_batch(int arc, Offset begin, int count, Ways ways_to) const {
    const int start = warp_exclusive_sum(count), total = shuffle_from(start + count, 31);
    if (total == 0) return 0;
    const int mine_of = __popc(__ballot_sync(WHOLE_WARP, count > 0) & lower_lanes());
    if (count) lists.open(mine_of, begin - start, arc);
    __syncwarp();
    int of_u = 0, opened = 0;
    for (int first = 0; first < total; first += 32 * AHEAD) {
      int list[AHEAD], next[AHEAD];
#pragma unroll
      for (int i = 0; i < AHEAD; ++i) {
        const int from = first + 32 * i, place = from + lane_index();
        if (from >= total) break;
        const bool begins = count && start >= from && start < from + 32;
        const unsigned begun = __reduce_or_sync(WHOLE_WARP, begins ? 1u << (start - from) : 0u);
        list[i] = opened + __popc(begun & (lower_lanes() << 1 | 1u)) - 1;
        next[i] = place < total ? given.arcs[lists.base[list[i]] + place] : 0;
        opened += __popc(begun);
      }
#pragma unroll
      for (int i = 0; i < AHEAD; ++i)
        if (first + 32 * i + lane_index() < total) of_u += add(list[i], next[i], ways_to(head_of<Kind>(next[i])));
    }
    __syncwarp();
    if (EACH && count) count_at(given.each, head_of<Kind>(arc), lists.of_v[mine_of]);
    __syncwarp();
    return of_u;
  }
  // What an arc of a list adds, if `between` arcs are between u and its head; returned is what it adds to u.
  __device__ __forceinline__ int add(int list, int arc, int between) const {
    if (!between) return 0;
    if constexpr (EACH) {
      atomicAdd(lists.of_v + list, between);
      count_at(given.each, head_of<Kind>(arc), ways_of<Kind>(lists.arc[list]));
    }
    return ways_of<Kind>(arc);
  }

  __device__ __forceinline__ int count() const {
    const bool few = row.hubs <= 32, rows = Kind::rows && !few;
    if (rows || (row.hubs && Kind::lists && row.rests)) set_mine();
    int found = 0;
    if constexpr (Kind::lists) {
      if (row.rests) found += read_lists();
      if (row.hubs && few) found += look_up();
    }
    if constexpr (Kind::rows) {
      if (rows) found += intersect();
    }
    return found;
  }
};

template <class Offset, int QUADS, class Kind>
__global__ void __launch_bounds__(WARPS * 32, RESIDENT<QUADS, Kind>) count_triangles(CountParameters<Offset> given) {
  __shared__ Words mine[WARPS][32 * QUADS];
  __shared__ Words mine_both[Kind::directed ? WARPS : 1][32 * QUADS];
  __shared__ Pack<int, 4> slots[WARPS][TABLE / 4];
  __shared__ Offset base[WARPS][32];
  __shared__ int list_arc[WARPS][32], list_of_v[WARPS][32];
  const long long warps = static_cast<long long>(gridDim.x) * WARPS;
  const int warp = warp_index();
  unsigned long long found = 0;
  for (long long u = static_cast<long long>(blockIdx.x) * WARPS + warp; u < given.n; u += warps) {
    const Row<Offset> row = given.rows[u];
    if (row.hubs + row.rests < 2 || (!Kind::lists && row.hubs <= 32)) continue;
    const Corner<Offset, QUADS, Kind> corner{
        given,
        row,
        mine[warp][0].at,
        mine_both[Kind::directed ? warp : 0][0].at,
        {slots[warp][0].at},
        {base[warp], list_arc[warp], list_of_v[warp]}};
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
