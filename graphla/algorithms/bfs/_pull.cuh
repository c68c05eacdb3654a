// The pull of a direction-optimising search, over the bitmap of the vertices seen so far.
//
//   level[v] = d + 1, for every v not seen with an arc u -> v from a seen u
//
// Whoever was seen before level d has only seen heads, so among the tails of an unseen vertex "seen" means
// "in the frontier": no bitmap of the frontier is needed, only that of the seen as it was before the level.
//
// A warp owns 128 vertices at a time, a lane four of them. Each first tries its strongest tail (kept with the
// graph); those that miss and have more are collected and look at four tails, 32 rows at a time. Rows that miss again
// and are longer are collected in their turn: a few tails by the lane, the rest by the warp, and what is left of very
// long rows by the block.

#include "_frontier.cuh"

constexpr int PENDING = 160;     // vertices a warp holds back: 31 of before and 128 of now
constexpr int FEW_ROWS = 16;     // of 32: fewer that have to go on are held back until there are 32
constexpr int LONGER = 48;       // of those a warp holds back: 31 of before and 15 of now
constexpr int SERIAL_STEPS = 4;  // times four tails more of each row before the warp goes through one after the other
constexpr int LONG_ROW = 2048;   // tails left from which on a whole block searches the row
constexpr int LONG_ROWS = 64;    // such rows a block holds back

struct Tried {  // a bit for each of a lane's four vertices
  int hits, misses;
  int vain;  // how many have no other tail
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

using Longer = int[32][LONGER];  // shared memory, too, that a pull alone needs

// What a warp found and looked at in a pull; `found` is lane 0's.
struct Tally {
  int found;
  unsigned missed;
};

template <class Offset, class Parents>
__device__ __forceinline__ void found_by_pull(const Search<Offset, Parents>& s, unsigned* fresh, int v, int depth,
                                              int parent) {
  s.tree.put(v, depth + 1, parent);
  atomicOr(&fresh[v >> 5], bit_of(v));
}

// Each lane brings a vertex that was found (its parent is none of -1) or looked for in vain among `tails`, or -1.
template <class Offset, class Parents>
__device__ __forceinline__ void settle(const Search<Offset, Parents>& s, unsigned* fresh, int v, int parent,
                                       Offset tails, int depth, Tally& tally) {
  if (v >= 0 && parent >= 0) found_by_pull(s, fresh, v, depth, parent);
  else if (v >= 0) tally.missed += unsigned(tails);
  const unsigned finders = __ballot_sync(WHOLE_WARP, v >= 0 && parent >= 0);
  if (lane_index() == 0) tally.found += __popc(finders);
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

// Each lane brings a row and learns of a seen tail among its next four, -1 if there is none. Four lanes at a time read a
// row side by side, which takes the memory pipe a fourth of what four loads a lane would.
template <class Parents, class Offset>
__device__ __forceinline__ int search_four(const int* columns, const unsigned* seen, Offset k, Offset end) {
  const int lane = lane_index();
  int tails[4], found = -1;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const Offset at = shuffle_from(k, 8 * j + lane / 4) + lane % 4;
    tails[j] = at < shuffle_from(end, 8 * j + lane / 4) ? columns[at] : -1;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const unsigned hits = __ballot_sync(WHOLE_WARP, tails[j] >= 0 && bit_test(seen, tails[j]));
    const int hit = __ffs(int(hits >> lane % 8 * 4 & 15u)) - 1;
    const int tail = Parents::kept ? shuffle_from(tails[j], lane % 8 * 4 + max(hit, 0)) : 0;
    if (lane / 8 == j && hit >= 0) found = tail;
  }
  return found;
}

// Each lane brings an unseen vertex (or -1) and what of its row is left. What the lane's steps and the warp's do not end
// is left to the block.
template <class Offset, class Parents>
__device__ __forceinline__ void search_longer(const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh,
                                              int v, Offset k, Offset end, int depth, Tally& tally, Workspace& work) {
  int parent = -1;
  for (int step = 0; step < SERIAL_STEPS && __any_sync(WHOLE_WARP, parent < 0 && k < end); ++step) {
    const int tail = search_four<Parents>(s.in.columns, seen, k, parent < 0 ? end : k);
    if (parent < 0) parent = tail, k += 4;
  }
  bool held = false;
  if (parent < 0 && end - k > LONG_ROW) {
    const int slot = atomicAdd(&work.long_rows, 1);
    held = slot < LONG_ROWS;
    if (held) work.long_row[slot] = v;
  }
  for (unsigned rest = __ballot_sync(WHOLE_WARP, parent < 0 && k < end && !held); rest; rest &= rest - 1) {
    const int lane = __ffs(int(rest)) - 1;
    const int tail = search_together(s.in.columns, seen, shuffle_from(k, lane), shuffle_from(end, lane));
    if (lane == lane_index()) parent = tail;
  }
  settle(s, fresh, v, parent, v >= 0 ? end - s.in.pointers[v] : 0, depth, tally);
}

// The warp searches the vertices it holds back, 32 at a time and down to fewer than `least`: four tails each. If few of
// the 32 have to go on, these are held back in their turn.
template <class Offset, class Parents>
__device__ __forceinline__ void search_pending(const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh,
                                               int depth, int least, int& waiting, int& waiting_longer, Tally& tally,
                                               int* longer, Workspace& work) {
  const int* const pending = work.pending[warp_index()];
  const auto last = [](const int* held, int count) { return lane_index() < count ? held[count - 1 - lane_index()] : -1; };
  while (waiting >= least || (least == 1 && waiting_longer)) {
    int v = last(pending, waiting);
    Offset k = v >= 0 ? s.in.pointers[v] : 0, end = v >= 0 ? s.in.pointers[v + 1] : 0;
    waiting = max(waiting - 32, 0);
    const int parent = search_four<Parents>(s.in.columns, seen, k, end);
    const bool on = parent < 0 && k + 4 < end;
    settle(s, fresh, on ? -1 : v, parent, end - k, depth, tally);
    const unsigned others = __ballot_sync(WHOLE_WARP, on);
    k += 4;
    if (!on) v = -1, end = k;
    if (__popc(others) < FEW_ROWS) {
      if (on) longer[waiting_longer + __popc(others & lower_lanes())] = v;
      waiting_longer += __popc(others);
      __syncwarp();
      if (waiting_longer < (waiting ? 32 : least)) continue;
      v = last(longer, waiting_longer);
      waiting_longer = max(waiting_longer - 32, 0);
      k = v >= 0 ? s.in.pointers[v] + 4 : 0, end = v >= 0 ? s.in.pointers[v + 1] : 0;
    }
    search_longer(s, seen, fresh, v, k, end, depth, tally, work);
    __syncwarp();
  }
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
  if (!(open | blank)) return {0, 0, 0};
  const Pack<int, 4> tails = load_pack<4>(s.strongest + first);
  Pack<int, 4> levels, parents;
  int hits = 0, misses = 0, vain = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int u = tails[j] < 0 ? ~tails[j] : tails[j];
    const bool asks = (open >> j & 1) && tails[j] != NO_TAIL, hit = asks && bit_test(seen, u);
    hits |= int(hit) << j, misses |= int(asks && !hit && tails[j] >= 0) << j, vain += asks && !hit && tails[j] < 0;
    levels[j] = hit ? depth + 1 : -1, parents[j] = hit ? u : -1;
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

// All blocks pull a level: `fresh` becomes `seen` and those found. The first pull answers all that have no answer.
// Packed are how many were found, and in place of their arcs the tails that were looked at in vain.
template <class Offset, class Parents>
__device__ void pull(const Search<Offset, Parents>& s, const unsigned* seen, unsigned* fresh, bool first, int depth,
                     Wide* packed, Longer& longer, Workspace& work) {
  const int warp = threadIdx.x / 32, warps = blockDim.x / 32 * gridDim.x, nibble = lane_index() % 8 * 4;
  const int groups = (s.n + 127) / 128;
  int* pending = work.pending[warp];
  int waiting = 0, waiting_longer = 0;
  Tally tally{0, 0};
  if (threadIdx.x == 0) work.found = work.long_rows = 0, work.missed = 0;
  __syncthreads();
  const int begin = warp * gridDim.x + blockIdx.x;
  const auto word_at = [&](int group) { return group < groups ? seen[group * 4 + lane_index() / 8] : ~0u; };
  unsigned next = word_at(begin), after = word_at(begin + warps);
  for (int group = begin; group < groups; group += warps) {
    const unsigned word = next;
    next = after, after = word_at(group + 2 * warps);
    if (~next >> nibble & 15u) prefetch(s.strongest + (group + warps) * 128 + lane_index() * 4);
    const unsigned blank = first ? s.blank(seen, group * 4 + lane_index() / 8) >> nibble & 15u : 0u;
    const Tried tried =
        try_strongest(s, seen, group * 128 + lane_index() * 4, ~(word >> nibble) & 15u, blank, depth);
    unsigned bits = unsigned(tried.hits) << nibble;
    for (int reach = 1; reach < 8; reach *= 2) bits |= __shfl_xor_sync(WHOLE_WARP, bits, reach);
    if (lane_index() % 8 == 0) {
      fresh[group * 4 + lane_index() / 8] = word | bits;
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
    search_pending(s, seen, fresh, depth, group + warps < groups ? 32 : 1, waiting, waiting_longer, tally,
                   longer[warp], work);
  }
  if (tally.found) atomicAdd(&work.found, tally.found);
  const Wide in_vain = warp_reduce(Wide(tally.missed));
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
  int waiting = 0;
  for (int base = (threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32; base < words; base += warps * 32) {
    const int word = base + lane_index();
    unsigned bits = word < words ? fresh[word] & ~seen[word] : 0;
    while (const unsigned holders = __ballot_sync(WHOLE_WARP, bits)) {
      if (bits) pending[waiting + __popc(holders & lower_lanes())] = word * 32 + __ffs(bits) - 1;
      bits &= bits - 1;
      waiting += __popc(holders);
      __syncwarp();
      if (waiting < 32) continue;
      waiting -= 32;
      enqueue(s.out, next, pending + waiting, 32);
      __syncwarp();
    }
  }
  enqueue(s.out, next, pending, waiting);
}
