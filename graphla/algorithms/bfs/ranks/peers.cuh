// A search on the GPUs of one box, in one launch on each: frontiers and counts are exchanged by stores into the memory
// of the peers, and the grids of all GPUs meet at mail that lies there.
//
// Vertices are numbered as in ranks.cuh, and every rank holds a bitmap of all vertices seen. Its peers write into its
//   bitmaps: two, over all places;
//   inboxes: a list of vertices with their parents from each rank;
//   mail:    for each meeting and rank a sum of packed sizes, and how many of the rank's blocks have added theirs;
//   parents: of its vertices that are found by a push of bits.
// All ranks take the decisions of _direction.cuh, for the sum of their frontiers. What they do:
//   queue: list the own frontier, which a pull or a push of bits has left as the difference of two bitmaps
//   push:  few arcs; the heads found go to the lists of all peers, and the owners queue them
//   push_bits: many arcs; the heads are bits of the rank's own copy, which their owners gather and distribute
//   pull:  the own words of the new bitmap are stored into the copies of all peers
//
// compiled: peers<Offset, Parents> with Offset = int | long long; Parents = LevelsOnly | WithVertices;
//   hot on sm_80 sm_90 sm_100
#pragma once

#include "../_common.cuh"
#include "../_device.py"  // RESIDENT_THREADS
#include "../_direction.cuh"
#include "../_frontier.cuh"
#include "../_pull.cuh"
#include "../_rows.cuh"
#include "_peers.py"  // MOST_PEERS, MAILS, LISTED_SHARE, MOST_TIMES
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

template <class Offset>
struct PeerParameters {
  int n;  // own vertices
  int slot;
  int ranks;
  int rank;
  int source;  // its place
  int most;    // entries of an inbox
  const Offset* out_indptr;
  const int* out_indices;
  const Offset* in_indptr;
  const int* in_indices;
  const int* strongest;   // fused_prepare.cuh
  const unsigned* blank;  // the vertices without arcs, over all places
  int* levels;
  int* parents;
  int* vertices;      // of two queues
  Offset* offsets;    // of two queues: `before` and `shift`
  Wide* state;        // three packed sizes of the own queues, which take turns; SENT; EPOCH
  unsigned* barrier;  // of the grid
  Wide* times;        // if `timed`: a clock and a step for each phase, after their count
  int everywhere;     // vertices of all ranks
  long long arcs_everywhere;
  long long open_everywhere;  // vertices of all ranks that have arcs
  int push_cost;
  int beta;
  int gamma;
  bool timed;
  long long patience;                    // clock cycles that a rank waits for the others
  unsigned long long peers[MOST_PEERS];  // the blocks of memory, by rank
};

constexpr int SENT = 3, EPOCH = 4;
constexpr int SUM_BITS = 48;  // of a number in a mail, below the blocks that have added to it
constexpr int TAILS = 64;     // where the tails of pending heads begin

// Parents are places while a search runs, and written as vertices.
struct WithVertices {
  static constexpr bool kept = true;
  int first, all;  // vertex of the first place; all places
  __device__ __forceinline__ int operator()(int place) const {
    const int vertex = place + (first - all);
    return place < 0 ? place : vertex < 0 ? vertex + all : vertex;
  }
};

// The block of memory of a rank.
struct Peer {
  unsigned* base;
  int words, ranks, most;  // words of a slot
  __device__ unsigned* bitmap(int turn) const { return base + static_cast<long long>(turn) * ranks * words; }
  __device__ Wide* inbox(int rank) const {
    return reinterpret_cast<Wide*>(base + 2ll * ranks * words) + static_cast<long long>(rank) * most;
  }
  __device__ Wide* mail(unsigned epoch) const { return inbox(ranks) + epoch % MAILS * 2 * ranks; }
  __device__ int* parents() const { return reinterpret_cast<int*>(inbox(ranks) + MAILS * 2 * MOST_PEERS); }
};

// What this rank sees of the others; turn 1 is the next rank, and so on around.
template <class Offset>
struct Peers {
  const PeerParameters<Offset>& given;
  int words;
  __device__ Peer of(int rank) const {
    return {reinterpret_cast<unsigned*>(given.peers[rank]), words, given.ranks, given.most};
  }
  __device__ Peer own() const { return of(given.rank); }
  __device__ int rank_at(int turn) const {
    const int rank = given.rank + turn;
    return rank < given.ranks ? rank : rank - given.ranks;
  }
  __device__ Peer at(int turn) const { return of(rank_at(turn)); }
  // The own words in the bitmap of the peer at a turn.
  __device__ unsigned* words_at(int turn, int bitmap) const {
    return at(turn).bitmap(bitmap) + static_cast<long long>(given.ranks - turn) * words;
  }
  // The place that the peer at a turn has for a vertex.
  __device__ unsigned place_at(int turn, int v) const {
    const int place = v - turn * given.slot;
    return static_cast<unsigned>(place < 0 ? place + given.ranks * given.slot : place);
  }
};

// A queue being filled, and what this block has put there.
template <class Offset>
struct Counted {
  Next<Offset> next;
  Queue<Offset> queue;
  Wide* here;
  __device__ __forceinline__ Wide reserve(Wide size) const {
    atomicAdd(here, size);
    return next.reserve(size);
  }
};

// What blocks bring to a meeting, in shared memory, and the packed sizes that ranks have brought there.
struct Met {
  Wide found, sent;
  Wide total;
  Wide each[32];
};

// The sum that all blocks of a rank have mailed. A rank that does not come ends the launch.
__device__ __forceinline__ Wide await(const Wide* mail, Wide blocks, long long patience) {
  const long long begin = clock64();
  const Wide mask = (static_cast<Wide>(1) << SUM_BITS) - 1;
  for (;;) {
    const Wide vertices = load_fresh(mail), arcs = load_fresh(mail + 1);
    if (vertices >> SUM_BITS == blocks && arcs >> SUM_BITS == blocks)
      return (vertices & mask) << ARC_BITS | (arcs & mask);
    if (clock64() - begin > patience) __trap();
    emulator_yield();
  }
}

// All grids meet; what they wrote before, here and in the memory of peers, is seen after. `met` gets the sums of the
// packed sizes that the blocks bring, which are zero then. The mail of the meeting after the next is emptied: a rank is
// at most one meeting ahead of another.
template <class Offset>
__device__ void meet(const Peers<Offset>& peers, unsigned& epoch, Wide& brought, Met& met) {
  ++epoch;
  __syncthreads();
  if (warp_index() == 0) {
    const int lane = lane_index(), ranks = peers.given.ranks;
    const Wide size = brought, one = static_cast<Wide>(1) << SUM_BITS;
    if (lane < ranks) {
      __threadfence_system();
      Wide* const mail = peers.of(lane).mail(epoch) + 2 * peers.given.rank;
      atomicAdd_system(mail, one | size >> ARC_BITS);
      atomicAdd_system(mail + 1, one | (size & ARC_MASK));
    }
    __syncwarp();
    const Wide its = lane < ranks ? await(peers.own().mail(epoch) + 2 * lane, gridDim.x, peers.given.patience) : 0;
    const Wide total = warp_reduce(its);
    met.each[lane] = its;
    if (lane == 0) met.total = total;
    if (lane == 0) brought = 0;
    if (blockIdx.x == 0 && lane < 2 * ranks) peers.own().mail(epoch + 2)[lane] = 0;
    __threadfence_system();
  }
  __syncthreads();
}

// All threads copy the own words of a bitmap into those of the peers, 16 bytes at a time.
template <class Offset>
__device__ void distribute(const Peers<Offset>& peers, int bitmap) {
  const unsigned* const from = peers.own().bitmap(bitmap);
  for (int turn = 1; turn < peers.given.ranks; ++turn) {
    unsigned* const to = peers.words_at(turn, bitmap);
    for (int w = 4 * thread_id(); w < peers.words; w += 4 * gridDim.x * blockDim.x)
      store_pack(to + w, load_pack<4>(from + w));
  }
}

// The warp sends `count` found heads and their tails to the inboxes of all peers, and queues those that are its own.
template <class Offset>
__device__ void send(const Peers<Offset>& peers, const Rows<Offset>& out, const Counted<Offset>& next, Wide& sent,
                     int* heads, int count) {
  const PeerParameters<Offset>& given = peers.given;
  const int lane = lane_index(), head = lane < count ? heads[lane] : -1, tail = lane < count ? heads[TAILS + lane] : -1;
  Wide base = 0;
  if (lane == 0 && count) {
    base = atomicAdd(given.state + SENT, static_cast<Wide>(count));
    atomicAdd(&sent, static_cast<Wide>(count));
  }
  base = shuffle_from(base, 0);
  if (head >= 0)
    for (int turn = 1; turn < given.ranks; ++turn)
      peers.at(turn).inbox(given.rank)[base + static_cast<Wide>(lane)] =
          static_cast<Wide>(peers.place_at(turn, tail)) << 32 | peers.place_at(turn, head);
  __syncwarp();
  if (head >= given.slot) heads[lane] = -1;
  __syncwarp();
  enqueue(out, next, heads, count);
  __syncwarp();
}

// Pushes the own frontier into the own copy of the bitmap; the peers get a list of the heads found.
template <class Offset, class Parents>
__device__ void push_lists(
    const Peers<Offset>& peers, const Search<Offset, Parents>& s, unsigned* seen, int depth, const Queue<Offset>& queue,
    Wide packed, const Counted<Offset>& next, Wide& sent, int* pending) {
  const int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
  int waiting = 0;
  each_head(s.out, queue, packed, warp, warps, [&](int v, int entry) {
    const bool found = v >= 0 && !bit_test_racing(seen, v) && bit_set(seen, v);
    const int tail = found ? queue.vertex[entry] : 0;
    if (found && v < peers.given.slot) s.tree.put(v, depth + 1, tail);
    const unsigned finders = __ballot_sync(WHOLE_WARP, found);
    const int slot = waiting + __popc(finders & lower_lanes());
    if (found) pending[slot] = v;
    if (found) pending[TAILS + slot] = tail;
    waiting += __popc(finders);
    __syncwarp();
    if (waiting >= 32) {
      waiting -= 32;
      send(peers, s.out, next, sent, pending + waiting, 32);
    }
  });
  send(peers, s.out, next, sent, pending, waiting);
}

// The heads that the peers have found become seen; own ones that were not are found, and queued.
template <class Offset, class Parents>
__device__ void take_lists(const Peers<Offset>& peers, const Search<Offset, Parents>& s, unsigned* seen, int depth,
                           const Counted<Offset>& next, const Met& met, int* pending) {
  const int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
  int waiting = 0;
  for (int turn = 1; turn < peers.given.ranks; ++turn) {
    const int rank = peers.rank_at(turn), count = static_cast<int>(met.each[rank]);
    const Wide* const inbox = peers.own().inbox(rank);
    for (int base = warp * 32; base < count; base += warps * 32) {
      const bool some = base + lane_index() < count;
      const Wide entry = some ? load_fresh(inbox + base + lane_index()) : 0;
      const int v = static_cast<int>(entry & 0xffffffffu);
      const bool found = some && !bit_test_racing(seen, v) && bit_set(seen, v) && v < peers.given.slot;
      if (found) s.tree.put(v, depth + 1, static_cast<int>(entry >> 32));
      const unsigned finders = __ballot_sync(WHOLE_WARP, found);
      if (found) pending[waiting + __popc(finders & lower_lanes())] = v;
      waiting += __popc(finders);
      __syncwarp();
      if (waiting >= 32) {
        waiting -= 32;
        enqueue(s.out, next, pending + waiting, 32);
        __syncwarp();
      }
    }
  }
  enqueue(s.out, next, pending, waiting);
}

// Pushes the own frontier into the own copy of the bitmap alone. The parents of a vertex of another rank are stored
// into the memory of that rank.
template <class Offset, class Parents>
__device__ void push_copy(const Peers<Offset>& peers, const Search<Offset, Parents>& s, unsigned* copy,
                          const Queue<Offset>& queue, Wide packed) {
  const int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
  each_head(s.out, queue, packed, warp, warps, [&](int v, int entry) {
    if (v < 0 || bit_test_racing(copy, v) || !bit_set(copy, v)) return;
    if constexpr (Parents::kept) {
      const int turn = v / peers.given.slot, tail = queue.vertex[entry];
      peers.at(turn).parents()[peers.place_at(turn, v)] = static_cast<int>(peers.place_at(turn, tail));
    }
  });
}

// The own words of the copies of all ranks are joined, and distributed; writes levels and parents. Returns how many own
// vertices this thread's words have gained.
template <class Offset, class Parents>
__device__ int gather_copies(
    const Peers<Offset>& peers, const Tree<Parents>& tree, const unsigned* seen, int bitmap, int depth) {
  unsigned* const copy = peers.own().bitmap(bitmap);
  const int lane = lane_index();
  int found = 0;
  for (int base = thread_id() - lane; 4 * base < peers.words; base += gridDim.x * blockDim.x) {
    const int first = 4 * (base + lane);
    const bool some = first < peers.words;
    Pack<unsigned, 4> joined{}, fresh{};
    if (some) joined = load_pack<4>(copy + first);
    for (int turn = 1; some && turn < peers.given.ranks; ++turn) {
      const Pack<unsigned, 4> theirs = load_pack<4>(peers.words_at(turn, bitmap) + first);
      for (int j = 0; j < 4; ++j) joined[j] |= theirs[j];
    }
    if (some) {
      const Pack<unsigned, 4> before = load_pack<4>(seen + first);
      for (int j = 0; j < 4; ++j) {
        fresh[j] = joined[j] & ~before[j];
        found += __popc(fresh[j]);
      }
      store_pack(copy + first, joined);
      for (int turn = 1; turn < peers.given.ranks; ++turn) store_pack(peers.words_at(turn, bitmap) + first, joined);
    }
#pragma unroll
    for (int j = 0; j < 4; ++j)
      for (unsigned holders = __ballot_sync(WHOLE_WARP, fresh[j]); holders; holders &= holders - 1) {
        const int holder = __ffs(static_cast<int>(holders)) - 1;
        if (!(shuffle_from(fresh[j], holder) >> lane & 1)) continue;
        const int v = (4 * (base + holder) + j) * 32 + lane;
        tree.put(v, depth + 1, Parents::kept ? peers.own().parents()[v] : 0);
      }
  }
  return found;
}

// The bitmaps begin with the vertices without arcs, and the source in that of the seen; its owner queues it.
template <class Offset, class Parents>
__device__ void begin_peers(const Peers<Offset>& peers, const Search<Offset, Parents>& s, const Queue<Offset>& queue,
                            Met& met, Workspace& work) {
  const PeerParameters<Offset>& given = peers.given;
  const int threads = gridDim.x * blockDim.x;
  unsigned *const seen = peers.own().bitmap(0), *const other = peers.own().bitmap(1);
  for (int w = thread_id(); w < peers.words * given.ranks; w += threads)
    seen[w] = given.blank[w] | (w == given.source >> 5 ? bit_of(given.source) : 0u);
  for (int w = thread_id(); w < peers.words; w += threads) other[w] = given.blank[w];
  if (blockIdx.x == 0 && threadIdx.x < 32) {
    if (threadIdx.x <= SENT) given.state[threadIdx.x] = 0;
    if (threadIdx.x == 0) work.pending[0][0] = given.source;
    if (threadIdx.x == 0 && given.source < given.n) s.tree.put(given.source, 0, given.source);
    __syncwarp();
    const Next<Offset> next{queue, given.state};
    if (given.source < given.n) enqueue(s.out, Counted<Offset>{next, queue, &met.found}, work.pending[0], 1);
  }
}

// Notes when a phase begins; thread 0 of the grid calls it.
__device__ inline void note_time(Wide* times, int step) {
  const Wide count = times[0];
  if (count >= MOST_TIMES) return;
  times[1 + 2 * count] = static_cast<Wide>(clock64());
  times[2 + 2 * count] = static_cast<Wide>(step);
  times[0] = count + 1;
}

// The step of the sum of all frontiers. Few arcs are pushed by lists; no block is alone.
__device__ inline void choose_step(Direction& direction, Wide packed, const Thresholds& limits, int n) {
  direction.choose_for(packed, limits, n);
  if (direction.step == Step::stop || direction.step == Step::pull || direction.step == Step::queue) return;
  const Wide arcs = packed & ARC_MASK;
  const bool few = arcs <= static_cast<Wide>(limits.small) && arcs * LISTED_SHARE <= static_cast<Wide>(n);
  direction.step = few ? Step::push : Step::push_bits;
}

template <class Offset, class Parents>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1) peers(const __grid_constant__ PeerParameters<Offset> given) {
  __shared__ Workspace work;
  __shared__ Longer longer;
  __shared__ Direction direction;
  __shared__ Met met;
  const Peers<Offset> peers{given, given.slot / 32};
  const Rows<Offset> out{given.out_indptr, given.out_indices}, in{given.in_indptr, given.in_indices};
  Tree<Parents> tree{given.levels, given.parents};
  if constexpr (Parents::kept) tree.name = {given.rank * given.slot, given.ranks * given.slot};
  const int source = given.source < given.n ? given.source : -1;
  const Search<Offset, Parents> s{given.n, out, in, given.strongest, given.blank, source, tree};
  const Queues<Offset> queues{given.vertices, given.offsets, given.n};
  const Thresholds limits{given.most, given.push_cost, given.beta, given.gamma};
  const bool notes = given.timed && thread_id() == 0;
  Wide* const state = given.state;
  unsigned epoch = static_cast<unsigned>(load_fresh(state + EPOCH));
  if (notes) note_time(given.times, -1);
  if (threadIdx.x == 0) {
    met.found = met.sent = 0;
    const float degree = static_cast<float>(given.arcs_everywhere) / static_cast<float>(given.open_everywhere);
    direction = {{0, 0, static_cast<Wide>(given.arcs_everywhere), static_cast<Wide>(given.open_everywhere)}, degree};
  }
  __syncthreads();
  begin_peers(peers, s, queues[0], met, work);
  meet(peers, epoch, met.found, met);

  for (;;) {
    if (threadIdx.x == 0) choose_step(direction, met.total, limits, given.everywhere);
    __syncthreads();
    const Step step = direction.step;
    if (notes) note_time(given.times, static_cast<int>(step));
    if (step == Step::stop) break;
    const int turn = direction.swapped, depth = direction.at.depth;
    unsigned *const seen = peers.own().bitmap(turn), *const other = peers.own().bitmap(1 - turn);
    const Queue<Offset> queue = queues[direction.at.turn], other_queue = queues[1 - direction.at.turn];
    const Counted<Offset> next{{other_queue, &state[(direction.turn + 1) % 3]}, other_queue, &met.found};
    const Wide packed = met.each[given.rank];
    int* const pending = work.pending[warp_index()];
    if (thread_id() == 0) state[(direction.turn + 2) % 3] = 0;
    if (step == Step::pull) {
      pull(s, seen, other, direction.visits(given.everywhere), depth, &met.found, longer, work);
      grid_sync(given.barrier);
      distribute(peers, 1 - turn);
    } else if (step == Step::queue) {
      to_queue(s, other, seen, next, pending);
    } else if (step == Step::push) {
      push_lists(peers, s, seen, depth, queue, packed, next, met.sent, pending);
      meet(peers, epoch, met.sent, met);
      take_lists(peers, s, seen, depth, next, met, pending);
      if (thread_id() == 0) state[SENT] = 0;
    } else {
      for (int w = thread_id(); w < peers.words * given.ranks; w += gridDim.x * blockDim.x) other[w] = seen[w];
      grid_sync(given.barrier);
      push_copy(peers, s, other, queue, packed);
      meet(peers, epoch, met.sent, met);
      const int found = block_reduce(gather_copies(peers, tree, seen, 1 - turn, depth));
      if (threadIdx.x == 0) met.found = static_cast<Wide>(found) << ARC_BITS;
    }
    meet(peers, epoch, met.found, met);
    if (threadIdx.x == 0) direction.advance(state);
  }
  if (!direction.answered) write_unreached(s, peers.own().bitmap(direction.swapped));
  if (thread_id() == 0) state[EPOCH] = epoch;
}
