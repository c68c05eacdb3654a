// The pull of a direction-optimising search, over the bitmap of the vertices seen so far.
//
//   level[v] = d + 1, for every v not seen with an arc u -> v from a seen u
//
// Whoever was seen before level d has only seen heads, so among the tails of an unseen vertex "seen" means
// "in the frontier": no bitmap of the frontier is needed, only that of the seen as it was before the level.
//
// A warp owns 128 vertices at a time, a lane four of them. Each first tries its strongest tail (kept with the
// graph); those that miss are collected and searched 32 rows at a time: a few tails by the lane, the rest by the
// warp, and what is left of very long rows by the block.

#include "_frontier.cuh"

constexpr int PENDING = 160;     // vertices a warp holds back: 31 of before and 128 of now
constexpr int SERIAL_STEPS = 4;  // times four tails a lane looks at alone before the warp helps
constexpr int LONG_ROW = 2048;   // tails left from which on a whole block searches the row
constexpr int LONG_ROWS = 64;    // such rows a block holds back

struct Tried {  // a bit for each of a lane's four vertices
  int hits, misses;
};

template <class Offset, class Parents>
struct Search {
  int n;
  Rows<Offset> out, in;
  const int* strongest;
  const unsigned* nobody;
  int source;
  Tree<Parents> tree;
  // Who has no answer before the first pull: vertices not seen, and those without arcs, which count as seen.
  __device__ __forceinline__ unsigned blank(const unsigned* seen, int w) const {
    return (~seen[w] | nobody[w]) & ~(w == source >> 5 ? bit_of(source) : 0u);
  }
};

struct Workspace {  // shared memory of a block
  int found;
  Wide missed;  // tails of the rows that were looked through in vain
  int answer;
  int long_rows;
  int long_row[LONG_ROWS];
  int pending[32][PENDING];
};

template <class Offset, class Parents>
__device__ __forceinline__ void found_by_pull(const Search<Offset, Parents>& s, unsigned* fresh, int v, int depth,
                                              int parent) {
  s.tree.put(v, depth + 1, parent);
  atomicOr(&fresh[v >> 5], bit_of(v));
}

// The warp looks through columns[k .. end) for a seen tail; -1 if there is none.
__device__ __forceinline__ int search_together(const int* columns, const unsigned* seen, long long k, long long end) {
  for (; k < end; k += 32) {
    const int u = k + lane_index() < end ? columns[k + lane_index()] : -1;
    const unsigned hits = __ballot_sync(WHOLE_WARP, u >= 0 && bit_test(seen, u));
    if (hits) return __shfl_sync(WHOLE_WARP, u, __ffs(hits) - 1);
  }
  return -1;
}

// A lane looks for a seen tail of v, four at a time and a few times only; k is left where it stopped.
template <class Offset>
__device__ __forceinline__ int search_alone(const int* columns, const unsigned* seen, Offset& k, Offset end) {
  for (int step = 0; step < SERIAL_STEPS && k < end; ++step, k += 4) {
    int tails[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) tails[j] = columns[min(k + j, end - 1)];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (bit_test(seen, tails[j])) return tails[j];
  }
  return -1;
}

// Each lane brings an unseen vertex (or -1); returns how many of them were found, and adds up the tails of the others.
template <class Offset, class Parents>
__device__ int search_rows(const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, int v, int depth,
                           unsigned& missed, Workspace& work) {
  Offset k = v >= 0 ? s.in.pointers[v] : 0;
  const Offset end = v >= 0 ? s.in.pointers[v + 1] : 0;
  int parent = search_alone(s.in.columns, seen, k, end);
  bool held = false;
  if (parent < 0 && end - k > LONG_ROW) {
    const int slot = atomicAdd(&work.long_rows, 1);
    held = slot < LONG_ROWS;
    if (held) work.long_row[slot] = v;
  }
  unsigned rest = __ballot_sync(WHOLE_WARP, parent < 0 && k < end && !held);
  while (rest) {
    const int lane = __ffs(rest) - 1;
    rest &= rest - 1;
    const Offset from = __shfl_sync(WHOLE_WARP, k, lane), to = __shfl_sync(WHOLE_WARP, end, lane);
    const int tail = search_together(s.in.columns, seen, from, to);
    if (lane == lane_index()) parent = tail;
  }
  if (parent >= 0) found_by_pull(s, fresh, v, depth, parent);
  else if (v >= 0) missed += unsigned(end - s.in.pointers[v]);
  return __popc(__ballot_sync(WHOLE_WARP, parent >= 0));
}

// The rows held back are searched by the whole block, one after the other.
template <class Offset, class Parents>
__device__ void search_long_rows(const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, int depth,
                                 Workspace& work) {
  const int rows = min(work.long_rows, LONG_ROWS);
  for (int r = 0; r < rows; ++r) {
    if (threadIdx.x == 0) work.answer = -1;
    __syncthreads();
    const int v = work.long_row[r];
    const Offset end = s.in.pointers[v + 1];
    for (Offset k = s.in.pointers[v] + threadIdx.x; k < end && *(volatile int*)&work.answer < 0; k += blockDim.x) {
      const int u = s.in.columns[k];
      if (bit_test(seen, u)) *(volatile int*)&work.answer = u;
    }
    __syncthreads();
    if (threadIdx.x == 0 && work.answer >= 0) {
      found_by_pull(s, fresh, v, depth, work.answer);
      work.found += 1;
    }
  }
}

// A lane's four vertices try their strongest tails; returns who was found and who must search on. Those of `blank` get
// an answer whether they are found or not, all four in one store where they can.
template <class Offset, class Parents>
__device__ __forceinline__ Tried try_strongest(const Search<Offset, Parents>& s, const unsigned* seen, int first,
                                              unsigned open, unsigned blank, int depth) {
  if (!(open | blank)) return {0, 0};
  const Pack<int, 4> tails = load_pack<4>(s.strongest + first);
  Pack<int, 4> levels, parents;
  int hits = 0, misses = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const bool asks = (open >> j & 1) && tails[j] >= 0, hit = asks && bit_test(seen, tails[j]);
    hits |= int(hit) << j, misses |= int(asks && !hit) << j;
    levels[j] = hit ? depth + 1 : -1, parents[j] = hit ? tails[j] : -1;
  }
  if (blank == 15 && first + 4 <= s.n) {
    s.tree.put_four(first, levels, parents);
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (((hits | blank) >> j & 1) && first + j < s.n) s.tree.put(first + j, levels[j], parents[j]);
  }
  return {hits, misses};
}

// What no pull answered, where the search ends without one.
template <class Offset, class Parents>
__device__ void write_unreached(const Search<Offset, Parents>& s, const unsigned* seen) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < s.n; v += gridDim.x * blockDim.x)
    if (s.blank(seen, v >> 5) >> (v & 31) & 1) s.tree.put(v, -1, -1);
}

// All blocks pull a level: `fresh` becomes `seen` and those found. The first pull answers all that have no answer.
// Packed are how many were found, and in place of their arcs the tails that were looked at in vain.
template <class Offset, class Parents>
__device__ void pull(const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, bool first, int depth,
                     Wide* packed, Workspace& work) {
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32 * gridDim.x, nibble = lane_index() % 8 * 4;
  const int groups = (s.n + 127) / 128;
  int* pending = work.pending[warp];
  int waiting = 0, found = 0;
  unsigned missed = 0;
  if (threadIdx.x == 0) work.found = work.long_rows = 0, work.missed = 0;
  __syncthreads();
  for (int group = warp * gridDim.x + blockIdx.x; group < groups; group += warps) {
    const unsigned word = seen[group * 4 + lane_index() / 8];
    const unsigned blank = first ? s.blank(seen, group * 4 + lane_index() / 8) >> nibble & 15u : 0u;
    const Tried tried =
        try_strongest(s, seen, group * 128 + lane_index() * 4, ~(word >> nibble) & 15u, blank, depth);
    unsigned bits = unsigned(tried.hits) << nibble;
    for (int reach = 1; reach < 8; reach *= 2) bits |= __shfl_xor_sync(WHOLE_WARP, bits, reach);
    if (lane_index() % 8 == 0) {
      fresh[group * 4 + lane_index() / 8] = word | bits;
      found += __popc(bits);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const bool missed = tried.misses >> j & 1;
      const unsigned missing = __ballot_sync(WHOLE_WARP, missed);
      if (missed) pending[waiting + __popc(missing & lower_lanes())] = group * 128 + lane_index() * 4 + j;
      waiting += __popc(missing);
    }
    __syncwarp();
    while (waiting >= 32) {
      waiting -= 32;
      const int more = search_rows(s, seen, fresh, pending[waiting + lane_index()], depth, missed, work);
      if (lane_index() == 0) found += more;
    }
    __syncwarp();
  }
  if (waiting) {
    const int more = search_rows(s, seen, fresh, lane_index() < waiting ? pending[lane_index()] : -1, depth, missed,
                                 work);
    if (lane_index() == 0) found += more;
  }
  if (found) atomicAdd(&work.found, found);
  const Wide in_vain = warp_reduce(Wide(missed));
  if (lane_index() == 0 && in_vain) atomicAdd(&work.missed, in_vain);
  __syncthreads();
  search_long_rows(s, seen, fresh, depth, work);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(packed, (Wide(work.found) << ARC_BITS) + work.missed);
}

// After pulling: those of `fresh` and not of `seen` become a queue again.
template <class Offset, class Parents>
__device__ void to_queue(const Search<Offset, Parents>& s, const unsigned* seen, const unsigned* fresh,
                         const Next<Offset>& next, int* pending) {
  const int words = (s.n + 127) / 128 * 4, warps = blockDim.x / 32 * gridDim.x;
  for (int base = (threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32; base < words; base += warps * 32) {
    const int word = base + lane_index();
    unsigned bits = word < words ? fresh[word] & ~seen[word] : 0;
    while (__any_sync(WHOLE_WARP, bits)) {
      const unsigned holders = __ballot_sync(WHOLE_WARP, bits);
      if (bits) pending[__popc(holders & lower_lanes())] = word * 32 + __ffs(bits) - 1;
      bits &= bits - 1;
      __syncwarp();
      enqueue(s.out, next, pending, __popc(holders));
      __syncwarp();
    }
  }
}
