// mate[v] = u and mate[u] = v if the edge is the best at both ends, among those that better edges leave.
//
// suitors[u] holds the best proposal to u so far: its weight above the vertex that made it. Every vertex proposes to
// the best neighbour that has no better proposal. Who is ousted proposes again, and in the end suitors are mates. A
// lane owns a vertex, and then the one that it has ousted; long rows are read by the warp together. Words only become
// better, so an old one that is read makes another look necessary, and never a wrong proposal.
//
// compiled: suitor<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/primitives.cuh"

#include "_keys.py"   // FIRST, INNER_SHIFT, OUTER_SHIFT, SECOND
#include "suitor.py"  // LONG_ROW

constexpr int AHEAD = 4;  // loads of a lane at once

template <class Offset>
struct SuitorParameters {
  int n;
  bool weighted;
  unsigned long long salt;
  const Offset* indptr;
  const int* indices;
  const unsigned* heights;
  unsigned long long* suitors;
  int* mates;
  unsigned* barrier;
};

// An edge from its other end: weights come first, then the hash. No vertex is -1.
struct Edge {
  unsigned height;
  int other;
  long long key;
  __device__ __forceinline__ bool beats(const Edge& edge) const {
    if (other < 0 || edge.other < 0) return other >= 0;
    return height != edge.height ? height > edge.height : key > edge.key;
  }
};

template <class Offset>
struct Matching {
  SuitorParameters<Offset> given;

  __device__ __forceinline__ long long find_key(int u, int v) const {
    const unsigned long long small = static_cast<unsigned>(min(u, v)), large = static_cast<unsigned>(max(u, v));
    unsigned long long x = (small << 32 | large) ^ given.salt;
    x = (x ^ x >> OUTER_SHIFT) * static_cast<unsigned long long>(FIRST);
    x = (x ^ x >> INNER_SHIFT) * static_cast<unsigned long long>(SECOND);
    return static_cast<long long>(x ^ x >> OUTER_SHIFT);
  }
  __device__ __forceinline__ static unsigned long long pack(unsigned height, int v) {
    return static_cast<unsigned long long>(height) << 32 | static_cast<unsigned>(v + 1);
  }
  __device__ __forceinline__ static int find_suitor(unsigned long long word) {
    return static_cast<int>(static_cast<unsigned>(word)) - 1;
  }
  // Whether u would prefer v, an edge of this height, to the suitor of a word.
  __device__ __forceinline__ bool prefers(int u, unsigned long long word, unsigned height, int v) const {
    if (!word) return true;
    const unsigned before = static_cast<unsigned>(word >> 32);
    return height != before ? height > before : find_key(u, v) > find_key(u, find_suitor(word));
  }
  // The best of AHEAD arcs of v, `step` apart, that the other end would prefer.
  __device__ __forceinline__ void look(int v, long long at, long long last, int step, Edge& best) const {
    int heads[AHEAD];
    unsigned heights[AHEAD];
    unsigned long long words[AHEAD];
    for (int j = 0; j < AHEAD; ++j) {
      const long long k = at + j * step;
      heads[j] = k < last ? load_constant(given.indices + k) : v;
      heights[j] = given.weighted && k < last ? load_constant(given.heights + k) : 0;
    }
    for (int j = 0; j < AHEAD; ++j) words[j] = load_fresh(given.suitors + heads[j]);
    for (int j = 0; j < AHEAD; ++j) {
      if (heads[j] == v || (best.other >= 0 && heights[j] < best.height)) continue;
      const Edge edge{heights[j], heads[j], find_key(heads[j], v)};
      if (edge.beats(best) && prefers(heads[j], words[j], heights[j], v)) best = edge;
    }
  }
  // The best edge for each lane's vertex; -1 for the lanes that have none. Every lane calls this.
  __device__ __forceinline__ Edge find_best(int v) const {
    const long long begin = v < 0 ? 0 : given.indptr[v], end = v < 0 ? 0 : given.indptr[v + 1];
    const bool by_warp = end - begin > LONG_ROW;
    Edge best{0, -1, 0};
    for (long long at = begin; !by_warp && at < end; at += AHEAD) look(v, at, end, 1, best);
    for (unsigned rows = __ballot_sync(WHOLE_WARP, by_warp); rows; rows &= rows - 1) {
      const int owner = __ffs(static_cast<int>(rows)) - 1;
      const int row = __shfl_sync(WHOLE_WARP, v, owner);
      const long long first = shuffle_from(begin, owner), last = shuffle_from(end, owner);
      Edge mine{0, -1, 0};
      for (long long at = first + lane_index(); at < last; at += 32 * AHEAD) look(row, at, last, 32, mine);
      for (int lanes = 16; lanes; lanes /= 2) {
        const int other = shuffle_xor(mine.other, lanes);
        const Edge there{shuffle_xor(mine.height, lanes), other, shuffle_xor(mine.key, lanes)};
        if (there.beats(mine)) mine = there;
      }
      if (lane_index() == owner) best = mine;
    }
    return best;
  }
  // Who has to propose next: the vertex that v has ousted, v itself if it came too late, or -1.
  __device__ __forceinline__ int propose(int v, const Edge& best) const {
    if (best.other < 0) return -1;
    unsigned long long* const place = given.suitors + best.other;
    const unsigned long long word = pack(best.height, v);
    for (unsigned long long seen = load_fresh(place);;) {
      if (!prefers(best.other, seen, best.height, v)) return v;
      const unsigned long long found = atomicCAS(place, seen, word);
      if (found == seen) return find_suitor(seen);
      seen = found;
    }
  }
};

template <class Offset>
__global__ void suitor(SuitorParameters<Offset> given) {
  const Matching<Offset> matching{given};
  const int padded = (given.n + 31) & ~31;
  for (const int i : grid_range(padded)) {
    int v = i < given.n ? i : -1;
    while (__any_sync(WHOLE_WARP, v >= 0)) v = matching.propose(v, matching.find_best(v));
  }
  grid_sync(given.barrier);
  for (const int v : grid_range(given.n)) given.mates[v] = matching.find_suitor(load_fresh(given.suitors + v));
}
