// A search on the GPUs of one box, in one launch on each: bitmaps and decisions are exchanged by stores into the memory
// of the peers, and the grids of all GPUs meet at a barrier of flags there.
//
// Vertices are numbered as in ranks.cuh. Each GPU has a block of memory that its peers write:
//   two bitmaps over all places; an inbox of own words for each rank; mail: four numbers of each rank; a flag of each;
//   the parents of its vertices.
// A level is pulled, or pushed: then the bits of the unseen heads go to the inboxes of their owners, and their parents
// to where the owners keep them; the owners queue them and count their arcs. Either way the own words of the new bitmap
// are stored into those of the peers. A frontier that was pulled is queued only if the next level may be a push.
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
  Wide* state;      // three pairs of packed sizes (of a queue after a pull, of what was found); epoch
  unsigned* barrier;
  long long everywhere;       // vertices of all ranks
  long long arcs_everywhere;  // their arcs
  long long open_everywhere;  // and those of them with arcs
  int beta;
  int gamma;
  int push_cost;
  unsigned long long peers[8];  // the blocks of memory, by rank
};

constexpr int PARENTS_BEHIND = 128;  // words of mail and flags, which the parents of the own vertices follow
constexpr int EPOCH = 6;

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

// How many vertices all ranks found, and their arcs; of a pull the tails that were probed without a hit.
struct Found { Wide vertices, arcs; };

// All grids meet; what they wrote before, here and in the memory of peers, is seen after. Returns the sums over the
// ranks of both parts of their packed sizes. Block 0 writes the flags of this rank; each block waits for those of all.
template <class Offset>
__device__ Found meet(
    const PeerParameters<Offset>& given, const Peer& own, unsigned& epoch, const Wide* packed, Found& total) {
  ++epoch;
  __threadfence_system();
  grid_sync(given.barrier);
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      const Wide size = packed ? load_fresh(packed) : 0;
      for (int rank = 0; rank < given.ranks; ++rank)
        *static_cast<volatile Wide*>(own.at(given, rank).mail(epoch) + given.rank) = size;
      __threadfence_system();
      for (int rank = 0; rank < given.ranks; ++rank)
        *static_cast<volatile unsigned*>(own.at(given, rank).flags() + given.rank) = epoch;
    }
    total = {0, 0};
    for (int rank = 0; rank < given.ranks; ++rank) {
      const volatile unsigned* const flag = own.flags() + rank;
      while (static_cast<int>(*flag - epoch) < 0) emulator_yield();
      __threadfence_system();
      const Wide size = *static_cast<volatile Wide*>(own.mail(epoch) + rank);
      total.vertices += size >> ARC_BITS;
      total.arcs += size & ARC_MASK;
    }
  }
  __syncthreads();
  return total;
}

// The rule of _direction.cuh: an open vertex probes its tails until one is in the frontier.
template <class Offset>
__device__ bool is_pull_cheaper(const PeerParameters<Offset>& given, Wide arcs, Wide unexplored, Wide open) {
  const float pushed = static_cast<float>(arcs), probed = min(static_cast<float>(open) / max(pushed, 1.0f), 1.0f);
  return arcs * given.gamma > static_cast<Wide>(given.everywhere) &&
         static_cast<float>(unexplored) * probed < given.push_cost * pushed;
}

// Whether the level after a pull is pulled, too, without a look at the arcs of its frontier: many vertices were found,
// or few are open and few tails of theirs were probed without a hit. A push reads all bitmaps, and meets once more.
template <class Offset>
__device__ bool is_pulled_on(const PeerParameters<Offset>& given, const Found& found, Wide open) {
  const Wide everywhere = static_cast<Wide>(given.everywhere);
  return found.vertices * given.beta >= everywhere ||
         (open * FEW_UNSEEN < everywhere && found.arcs * given.gamma < everywhere);
}

// All threads copy words to another place, 16 bytes at a time.
__device__ inline void copy_words(const unsigned* from, unsigned* to, int words) {
  for (int w = 4 * (blockIdx.x * blockDim.x + threadIdx.x); w < words; w += 4 * gridDim.x * blockDim.x)
    store_pack(to + w, load_pack<4>(from + w));
}

// The own vertices that a rank has sent are found: `fresh` becomes `seen` with them, and they are queued. The ranks
// that have sent them know that they are unseen, and have stored their parents. `sent` is cleared.
template <class Offset, class Parents>
__device__ void take(const PeerParameters<Offset>& given, const Peer& own, const Search<Offset, Parents>& s,
                     const unsigned* seen, unsigned* fresh, int depth, const Next<Offset>& next, int* pending) {
  const int warps = blockDim.x / 32 * gridDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  int waiting = 0;
  for (int base = (threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32; base < own.words; base += warps * 32) {
    const int word = base + lane_index();
    unsigned bits = word < own.words ? given.sent[word] : 0;
    for (int rank = 0; rank < given.ranks; ++rank)
      if (rank != given.rank && word < own.words) bits |= load_fresh(own.inbox(rank) + word);
    if (word < own.words) {
      given.sent[word] = 0;
      fresh[word] = seen[word] | bits;
    }
    while (__any_sync(WHOLE_WARP, bits)) {
      if (bits) s.tree.levels[word * 32 + __ffs(static_cast<int>(bits)) - 1] = depth + 1;
      waiting = buffer_bits(word, bits, 1, pending, waiting);
      if (waiting < 32) continue;
      waiting -= 32;
      enqueue(s.out, next, pending + waiting, 32);
      __syncwarp();
    }
  }
  enqueue(s.out, next, pending, waiting);
  for (int w = own.words + thread; w < own.words * given.ranks; w += gridDim.x * blockDim.x) given.sent[w] = 0;
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
  __shared__ Found total;
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
  for (int w = thread; w < all; w += threads) {
    own.bitmap(0)[w] = given.blank[w] | (w == given.source >> 5 ? bit_of(given.source) : 0u);
    given.sent[w] = 0;
  }
  for (int w = thread; w < words; w += threads) own.bitmap(1)[w] = given.blank[w];
  if (blockIdx.x == 0 && threadIdx.x < 32) {
    if (threadIdx.x < EPOCH) given.state[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
      work.pending[0][0] = given.source;
      if (mine) tree.put(given.source, 0, given.source);
    }
    __syncwarp();
    if (mine) enqueue(out, Next<Offset>{queue, given.state + 5}, work.pending[0], 1);
  }
  const unsigned *before = given.blank, *last = own.bitmap(0);
  bool answered = false, pulled = false;
  Wide unexplored = static_cast<Wide>(given.arcs_everywhere), open = static_cast<Wide>(given.open_everywhere);
  Found found = meet(given, own, epoch, given.state + 5, total);

  for (int depth = 0; found.vertices; ++depth) {
    unsigned *const seen = own.bitmap(depth & 1), *const fresh = own.bitmap(1 - (depth & 1));
    Wide *const pair = given.state + 2 * (depth % 3), *const counted = pair + 1,
                *const next = given.state + 2 * ((depth + 1) % 3);
    const Wide* const listed = pulled ? pair : given.state + 2 * ((depth + 2) % 3) + 1;
    if (thread == 0) next[0] = next[1] = 0;
    open -= min(found.vertices, open);
    bool pulls = pulled && is_pulled_on(given, found, open);
    if (!pulls) {
      if (pulled) {
        to_queue(s, before, seen, Next<Offset>{queue, pair}, work.pending[warp_index()]);
        found = meet(given, own, epoch, listed, total);
      }
      unexplored -= min(found.arcs, unexplored);
      pulls = is_pull_cheaper(given, found.arcs, unexplored, open);
    }
    pulled = pulls;
    if (pulls) {
      const bool few = open * FEW_UNSEEN < static_cast<Wide>(given.everywhere);
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
      meet(given, own, epoch, nullptr, total);
      take(given, own, s, seen, fresh, depth, Next<Offset>{queue, counted}, work.pending[warp_index()]);
    }
    grid_sync(given.barrier);
    copy_to_peers(fresh, 0, [&](const Peer& peer, int slot) {
      return peer.bitmap(1 - (depth & 1)) + static_cast<long long>(slot) * words;
    });
    found = meet(given, own, epoch, counted, total);
    before = seen;
    last = fresh;
  }
  if (!answered) write_unreached(s, last);
  if (thread == 0) given.state[EPOCH] = epoch;
}
