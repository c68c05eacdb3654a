// A search on the GPUs of one box, in one launch on each: bitmaps and decisions are exchanged by stores into the memory
// of the peers, and the grids of all GPUs meet at a barrier of flags there.
//
// Vertices are numbered as in ranks.cuh. Each GPU has a block of memory that its peers write:
//   two bitmaps over all places; an inbox of own words for each rank; mail: four numbers of each rank; a flag of each;
//   the parents of its vertices.
// A level is pulled, or pushed: then the bits of the unseen heads go to the inboxes of their owners, and their parents
// to where the owners keep them. Either way the own words of the new bitmap are stored into those of the peers.
//
// compiled: peers<Offset, Parents> with Offset = int | long long; Parents = LevelsOnly | WithParents
#pragma once

#include "_common.cuh"
#include "_device.py"  // RESIDENT_THREADS
#include "_frontier.cuh"
#include "_pull.cuh"
#include "_rows.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

constexpr int MOST_PEERS = 8;
constexpr int MAILS = 4;  // a rank is at most one barrier ahead of another

template <class Offset>
struct PeerParameters {
  int n;  // own vertices
  int slot;
  int ranks;
  int rank;
  int source;  // its place
  const Offset* out_indptr;
  const int* out_indices;
  const Offset* in_indptr;
  const int* in_indices;
  const int* strongest;   // fused_prepare.cuh
  const unsigned* blank;  // the vertices without arcs, over all places
  int* levels;
  int* parents;
  unsigned* sent;   // over all places
  int* vertices;    // of the queue
  Offset* offsets;  // of the queue: `before` and `shift`
  Wide* state;      // three pairs of packed sizes (of the queue, of what was found); total; open; epoch
  unsigned* barrier;
  long long everywhere;       // vertices of all ranks
  long long arcs_everywhere;  // their arcs
  long long open_everywhere;  // and those of them with arcs
  int open;                   // own vertices with arcs
  int beta;
  int gamma;
  int push_cost;
  unsigned long long peers[8];  // the blocks of memory, by rank
};

constexpr int PARENTS_BEHIND = 128;  // words of mail and flags, which the parents of the own vertices follow
constexpr int TOTAL = 6, STILL_OPEN = 7, EPOCH = 8;

// The block of memory of a rank.
struct Peer {
  unsigned* base;
  int words, ranks;  // words of a slot
  __device__ unsigned* bitmap(int turn) const { return base + static_cast<long long>(turn) * ranks * words; }
  __device__ unsigned* inbox(int rank) const { return base + (2ll * ranks + rank) * words; }
  __device__ Wide* mail(unsigned epoch) const {
    return reinterpret_cast<Wide*>(base + 3ll * ranks * words) + epoch % MAILS * ranks;
  }
  __device__ int* parents() const { return reinterpret_cast<int*>(base + 3ll * ranks * words + PARENTS_BEHIND); }
  __device__ unsigned* flags() const { return base + 3ll * ranks * words + 2 * MAILS * ranks; }
  // The block of another rank.
  template <class Parameters>
  __device__ Peer at(const Parameters& given, int rank) const {
    return {reinterpret_cast<unsigned*>(given.peers[rank]), words, ranks};
  }
};

// All grids meet; what they wrote before, here and in the memory of peers, is seen after. Returns the sum over the
// ranks of the vertices in their packed size, or of the arcs; vertices are no longer open.
template <class Offset>
__device__ Wide meet(
    const PeerParameters<Offset>& given, const Peer& own, unsigned& epoch, const Wide* packed, bool vertices) {
  ++epoch;
  __threadfence_system();
  grid_sync(given.barrier);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    const Wide size = packed ? load_fresh(packed) : 0, value = vertices ? size >> ARC_BITS : size & ARC_MASK;
    for (int rank = 0; rank < given.ranks; ++rank)
      *static_cast<volatile Wide*>(own.at(given, rank).mail(epoch) + given.rank) = value;
    __threadfence_system();
    for (int rank = 0; rank < given.ranks; ++rank)
      *static_cast<volatile unsigned*>(own.at(given, rank).flags() + given.rank) = epoch;
    Wide total = 0;
    for (int rank = 0; rank < given.ranks; ++rank) {
      const volatile unsigned* const flag = own.flags() + rank;
      while (static_cast<int>(*flag - epoch) < 0) emulator_yield();
      __threadfence_system();
      total += *static_cast<volatile Wide*>(own.mail(epoch) + rank);
    }
    given.state[TOTAL] = total;
    if (vertices) given.state[STILL_OPEN] -= value;
    __threadfence();
  }
  grid_sync(given.barrier);
  return read_for_block(given.state + TOTAL);
}

// The rule of _direction.cuh: an open vertex probes its tails until one is in the frontier.
template <class Offset>
__device__ bool is_pull_cheaper(const PeerParameters<Offset>& given, Wide arcs, Wide unexplored, Wide open) {
  const float pushed = static_cast<float>(arcs), probed = min(static_cast<float>(open) / max(pushed, 1.0f), 1.0f);
  return arcs * given.gamma > static_cast<Wide>(given.everywhere) &&
         static_cast<float>(unexplored) * probed < given.push_cost * pushed;
}

// All threads copy words to another place, 16 bytes at a time.
__device__ inline void copy_words(const unsigned* from, unsigned* to, int words) {
  for (int w = 4 * (blockIdx.x * blockDim.x + threadIdx.x); w < words; w += 4 * gridDim.x * blockDim.x)
    store_pack(to + w, load_pack<4>(from + w));
}

// The own vertices that a rank has sent are found: `fresh` becomes `seen` with them. The ranks that have sent them know
// that they are unseen, and have stored their parents.
template <class Offset, class Parents>
__device__ void take(const PeerParameters<Offset>& given, const Peer& own, const Tree<Parents>& tree,
                     const unsigned* seen, unsigned* fresh, int depth, Wide* packed) {
  int found = 0;
  for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < own.words; w += gridDim.x * blockDim.x) {
    unsigned bits = given.sent[w];
    for (int rank = 0; rank < given.ranks; ++rank)
      if (rank != given.rank) bits |= load_fresh(own.inbox(rank) + w);
    fresh[w] = seen[w] | bits;
    found += __popc(bits);
    for (; bits; bits &= bits - 1) tree.levels[w * 32 + __ffs(static_cast<int>(bits)) - 1] = depth + 1;
  }
  found = block_reduce(found);
  if (threadIdx.x == 0 && found) atomicAdd(packed, static_cast<Wide>(found) << ARC_BITS);
}

// The head at place v, which its owner has not seen, gets a bit in `sent`, and its parent in the memory of its owner.
template <class Offset, class Parents>
__device__ __forceinline__ void send(const PeerParameters<Offset>& given, const Peer& own, int v, int tail) {
  if (bit_test_racing(given.sent, v) || !bit_set(given.sent, v)) return;
  if constexpr (Parents::kept) {
    const int slot = 32 * own.words, turn = v / slot, owner = (given.rank + turn) % given.ranks;
    const int size = slot * given.ranks, place = tail - turn * slot;
    own.at(given, owner).parents()[v - turn * slot] = place < 0 ? place + size : place;
  }
}

template <class Offset, class Parents>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1) peers(const __grid_constant__ PeerParameters<Offset> given) {
  __shared__ Workspace work;
  __shared__ Longer longer;
  const int slot = given.slot, words = slot / 32, all = words * given.ranks;
  const Peer own{reinterpret_cast<unsigned*>(given.peers[given.rank]), words, given.ranks};
  const Rows<Offset> out{given.out_indptr, given.out_indices}, in{given.in_indptr, given.in_indices};
  const Tree<Parents> tree{given.levels, given.parents};
  const bool mine = given.source < given.n;
  const Search<Offset, Parents> s{given.n, out, in, given.strongest, given.blank, mine ? given.source : -1, tree};
  const Queue<Offset> queue{given.vertices, given.offsets, given.offsets + given.n};
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
  unsigned epoch = static_cast<unsigned>(load_fresh(given.state + EPOCH));
  const auto copy_to_peers = [&](const unsigned* from, int stride, auto place) {
    for (int j = 1; j < given.ranks; ++j)
      copy_words(from + static_cast<long long>(j) * stride,
                 place(own.at(given, (given.rank + j) % given.ranks), given.ranks - j), words);
  };
  for (int w = thread; w < all; w += threads)
    own.bitmap(0)[w] = given.blank[w] | (w == given.source >> 5 ? bit_of(given.source) : 0u);
  for (int w = thread; w < words; w += threads) own.bitmap(1)[w] = given.blank[w];
  if (thread == 0) {
    for (int i = 0; i < TOTAL; ++i) given.state[i] = i == 5 && mine ? static_cast<Wide>(1) << ARC_BITS : 0;
    given.state[STILL_OPEN] = static_cast<Wide>(given.open);
    if (mine) tree.put(given.source, 0, given.source);
  }
  const unsigned* before = given.blank;
  bool answered = false, pulled = false;
  Wide unexplored = static_cast<Wide>(given.arcs_everywhere), open = static_cast<Wide>(given.open_everywhere);
  Wide found = meet(given, own, epoch, given.state + 5, true);

  for (int depth = 0; found; ++depth) {
    unsigned *const seen = own.bitmap(depth & 1), *const fresh = own.bitmap(1 - (depth & 1));
    Wide *const listed = given.state + 2 * (depth % 3), *const counted = listed + 1,
                *const next = given.state + 2 * ((depth + 1) % 3);
    if (thread == 0) next[0] = next[1] = 0;
    open -= found;
    bool pulls = pulled && found * given.beta >= static_cast<Wide>(given.everywhere);
    if (!pulls) {
      to_queue(s, before, seen, Next<Offset>{queue, listed}, work.pending[warp_index()]);
      for (int w = thread; w < all; w += threads) given.sent[w] = 0;
      const Wide arcs = meet(given, own, epoch, listed, false);
      unexplored -= min(arcs, unexplored);
      pulls = is_pull_cheaper(given, arcs, unexplored, open);
    }
    pulled = pulls;
    if (pulls) {
      const bool few = read_for_block(given.state + STILL_OPEN) * FEW_UNSEEN < static_cast<Wide>(given.n);
      pull(s, seen, fresh,
           !answered ? Visits::unwritten
           : few     ? Visits::few
                     : Visits::unseen,
           depth, counted, longer, work);
      answered = true;
    } else {
      each_head(out, queue, read_for_block(listed), warp, warps, [&](int v, int entry) {
        if (v >= 0 && !bit_test(seen, v)) send<Offset, Parents>(given, own, v, queue.vertex[entry]);
      });
      grid_sync(given.barrier);
      copy_to_peers(given.sent, words, [&](const Peer& peer, int) { return peer.inbox(given.rank); });
      meet(given, own, epoch, nullptr, false);
      take(given, own, tree, seen, fresh, depth, counted);
    }
    grid_sync(given.barrier);
    copy_to_peers(fresh, 0, [&](const Peer& peer, int slot) {
      return peer.bitmap(1 - (depth & 1)) + static_cast<long long>(slot) * words;
    });
    found = meet(given, own, epoch, counted, true);
    before = seen;
  }
  if (!answered) write_unreached(s, before);
  if (thread == 0) given.state[EPOCH] = epoch;
}
