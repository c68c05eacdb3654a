// Direction-optimizing breadth-first search in one cooperative launch: each level is pushed, pulled, or left to block
// 0.
//
//   level[v] = d + 1, for every v not seen with an arc u -> v from the frontier u of level d
//
// After a grid barrier every block reads the packed size of the frontier and takes the same decision. While the
// frontier has few arcs, block 0 alone runs level after level, with block barriers only.
//
// compiled: fused<Offset, Parents> with Offset = int | long long; Parents = LevelsOnly | WithParents; hot
#pragma once

#include "_common.cuh"
#include "_direction.cuh"
#include "_frontier.cuh"
#include "_pull.cuh"
#include "_rows.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

constexpr int TINY = 512;     // arcs of a frontier whose heads fit in the shared memory of a block
constexpr int ONE_WARP = 32;  // arcs of a frontier that one warp keeps in registers

template <class Offset>
struct TinyQueues {  // two small queues in shared memory, and the packed sizes of the levels of block 0
  int vertex[2][TINY];
  Offset before[2][TINY], shift[2][TINY];
  Wide sizes[3];
  Wide packed;  // the frontier that warp 0 left
  Progress at;  // and its progress
  __device__ Queue<Offset> operator[](int turn) { return {vertex[turn], before[turn], shift[turn]}; }
};

template <class Offset>
__device__ void move_queue(const Queue<Offset>& from, const Queue<Offset>& to, int size) {
  for (int i = threadIdx.x; i < size; i += blockDim.x) {
    to.vertex[i] = from.vertex[i];
    to.before[i] = from.before[i];
    to.shift[i] = from.shift[i];
  }
}

// Block 0 pushes a level from one queue to another; returns the packed size of the next frontier.
template <class Offset, class Parents>
__device__ __forceinline__ Wide push_alone(
    const Search<Offset, Parents>& s, unsigned* seen, Progress& at, Wide packed, const Queue<Offset>& from,
    const Queue<Offset>& to, Wide* sizes, int step, Workspace& work) {
  push(s.out, s.tree, seen, at.depth, from, packed, Next<Offset>{to, &sizes[step % 3]}, threadIdx.x / 32,
       blockDim.x / 32, work.pending[threadIdx.x / 32]);
  if (threadIdx.x == 0) sizes[(step + 1) % 3] = 0;
  at.remove(packed);
  at.turn = 1 - at.turn;
  ++at.depth;
  __syncthreads();
  return sizes[step % 3];
}

// Warp 0 pushes level after level while the frontier has at most one arc per lane: vertices stay in the registers where
// they were found, and no barrier separates the levels. Writes the last frontier to the queue and returns its size.
template <class Offset, class Parents>
__device__ Wide push_by_warp(
    const Search<Offset, Parents>& s, unsigned* seen, Progress& at, Wide packed, const Queue<Offset>& queue) {
  const int lane = lane_index();
  int v = lane < static_cast<int>(packed >> ARC_BITS) ? queue.vertex[lane] : -1;
  Offset begin = 0, upto = 0, before = 0;
  for (;; ++at.depth) {
    begin = v >= 0 ? s.out.indptr[v] : 0;
    const Offset arcs = v >= 0 ? s.out.indptr[v + 1] - begin : 0;
    upto = warp_inclusive_scan(arcs);
    before = upto - arcs;
    if (!arcs) v = -1;
    packed = (static_cast<Wide>(__popc(__ballot_sync(WHOLE_WARP, v >= 0))) << ARC_BITS) +
             static_cast<Wide>(shuffle_from(upto, 31));
    if (!packed || (packed & ARC_MASK) > ONE_WARP) break;
    at.remove(packed);
    int owner = 0;  // the lanes before it own the arcs below this lane's
    for (int reach = 16; reach; reach /= 2)
      if (static_cast<int>(shuffle_from(upto, owner + reach - 1)) <= lane) owner += reach;
    const Offset where = lane + shuffle_from(begin - before, owner);
    const int tail = shuffle_from(v, owner),
              head = lane < static_cast<int>(packed & ARC_MASK) ? s.out.indices[where] : -1;
    const bool found = head >= 0 && bit_set(seen, head);
    if (found) s.tree.put(head, at.depth + 1, tail);
    v = found ? head : -1;
  }
  const int slot = __popc(__ballot_sync(WHOLE_WARP, v >= 0) & lower_lanes());
  if (v >= 0) {
    queue.vertex[slot] = v;
    queue.before[slot] = before;
    queue.shift[slot] = begin - before;
  }
  return packed;
}

// Block 0 pushes level after level while the frontier has at most `small` arcs. Tiny frontiers are queued in shared
// memory, which saves three trips to the L2 cache per level. `step` says which of the three sizes is whose.
template <class Offset, class Parents>
__device__ Wide run_alone(const Search<Offset, Parents>& s, unsigned* seen, const Queues<Offset>& queues, Progress& at,
                          Wide packed, Wide small, TinyQueues<Offset>& tiny, Workspace& work) {
  if (threadIdx.x < 3) tiny.sizes[threadIdx.x] = 0;
  __syncthreads();
  for (int step = 0; packed && (packed & ARC_MASK) <= small; ++step) {
    if ((packed & ARC_MASK) > TINY) {
      packed = push_alone(s, seen, at, packed, queues[at.turn], queues[1 - at.turn], tiny.sizes, step, work);
      continue;
    }
    move_queue(queues[at.turn], tiny[at.turn], static_cast<int>(packed >> ARC_BITS));
    __syncthreads();
    for (; packed && (packed & ARC_MASK) <= TINY; ++step) {
      packed = push_alone(s, seen, at, packed, tiny[at.turn], tiny[1 - at.turn], tiny.sizes, step, work);
      if (!packed || (packed & ARC_MASK) > ONE_WARP) continue;
      if (warp_index() == 0) {
        packed = push_by_warp(s, seen, at, packed, tiny[at.turn]);
        if (lane_index() == 0) {
          tiny.packed = packed;
          tiny.at = at;
        }
      }
      __syncthreads();
      packed = tiny.packed;
      at = tiny.at;
    }
    --step;
    move_queue(tiny[at.turn], queues[at.turn], static_cast<int>(packed >> ARC_BITS));
    __syncthreads();
  }
  return packed;
}

// All blocks clear the bitmap; one warp makes the source the frontier. The answer is not cleared: the first pull, or
// the end of the search, writes it for the vertices that are not reached.
template <class Offset, class Parents>
__device__ void begin(const Search<Offset, Parents>& s, unsigned* seen, int words, const Queue<Offset>& queue,
                      Wide* state, Workspace& work) {
  for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x)
    seen[w] = s.isolated[w] | (w == s.source >> 5 ? bit_of(s.source) : 0);
  if (blockIdx.x == 0 && threadIdx.x < 32) {
    if (threadIdx.x < 3) state[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
      work.pending[0][0] = s.source;
      s.tree.put(s.source, 0, s.source);
    }
    __syncwarp();
    enqueue(s.out, Next<Offset>{queue, state}, work.pending[0], 1);
  }
}

template <class Offset>
struct FusedParameters {
  int n;
  Offset arcs;
  const Offset* out_indptr;
  const int* out_indices;
  const Offset* in_indptr;
  const int* in_indices;
  const int* strongest;      // fused_prepare.cuh
  const unsigned* isolated;  // fused_prepare.cuh
  int* levels;
  int* parents;
  unsigned* bitmaps;  // two
  int* vertices;      // of two queues
  Offset* offsets;    // of two queues: `before` and `shift`
  Wide* state;
  unsigned* barrier;
  int source;
  int small;      // arcs of a frontier up to which block 0 is faster alone
  int push_cost;  // of an arc that is pushed, relative to a probe of a pull
  int beta;       // pull no longer where fewer than n / beta vertices were found
  int gamma;      // pull for more than n / gamma arcs only
  int open;       // vertices that have tails
};

template <class Offset, class Parents>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1) fused(const __grid_constant__ FusedParameters<Offset> given) {
  __shared__ Workspace work;
  __shared__ union {  // a block that is alone does not pull
    TinyQueues<Offset> tiny;
    Longer longer;
  } shared;
  __shared__ Direction direction;
  const int n = given.n;
  const Rows<Offset> out{given.out_indptr, given.out_indices}, in{given.in_indptr, given.in_indices};
  const Tree<Parents> tree{given.levels, given.parents};
  const Search<Offset, Parents> s{n, out, in, given.strongest, given.isolated, given.source, tree};
  const Queues<Offset> queues{given.vertices, given.offsets, n};
  const Thresholds limits{given.small, given.push_cost, given.beta, given.gamma};
  unsigned* const bitmaps = given.bitmaps;
  unsigned* const barrier = given.barrier;
  Wide* const state = given.state;
  const int words = words_of(n);
  const int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
  begin(s, bitmaps, words, queues[0], state, work);
  if (threadIdx.x == 0) {
    const float degree = static_cast<float>(given.arcs) / static_cast<float>(given.open);
    direction = {{0, 0, static_cast<Wide>(given.arcs), static_cast<Wide>(given.open)}, degree};
  }
  grid_sync(barrier);

  for (;;) {
    if (threadIdx.x == 0) direction.choose(state, limits, n);
    __syncthreads();
    const Step step = direction.step;
    if (step == Step::stop) break;
    const Wide packed = direction.packed;
    unsigned* const seen = bitmaps + (direction.swapped ? words : 0);
    unsigned* const other = bitmaps + (direction.swapped ? 0 : words);
    Wide* const size = &state[(direction.turn + 1) % 3];
    const Queue<Offset> queue = queues[direction.at.turn];
    const Next<Offset> next{queues[1 - direction.at.turn], size};
    if (blockIdx.x == 0 && threadIdx.x == 0) state[(direction.turn + 2) % 3] = 0;
    if (direction.levels_pending) {
      write_levels(s.tree, other, seen, words, direction.at.depth, warp, warps);
      if (step == Step::pull) grid_sync(barrier);
    }
    if (step == Step::pull) {
      pull(s, seen, other, direction.visits(n), direction.at.depth, size, shared.longer, work);
    } else if (step == Step::queue) {
      to_queue(s, other, seen, next, work.pending[warp_index()]);
    } else if (step == Step::push) {
      push(s.out, s.tree, seen, direction.at.depth, queue, packed, next, warp, warps, work.pending[warp_index()]);
    } else if (step == Step::push_bits) {
      for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x) other[w] = seen[w];
      grid_sync(barrier);
      const int found = block_reduce(push_bits(s.out, s.tree, other, queue, packed, warp, warps));
      if (threadIdx.x == 0) atomicAdd(size, static_cast<Wide>(found) << ARC_BITS);
    } else if (blockIdx.x == 0) {
      Progress at = direction.at;
      const Wide left = run_alone(s, seen, queues, at, packed, given.small, shared.tiny, work);
      if (threadIdx.x == 0) {
        *size = left;
        publish(state, at);
      }
    }
    grid_sync(barrier);
    if (threadIdx.x == 0) direction.advance(state);
  }
  if (!direction.answered) write_unreached(s, bitmaps + (direction.swapped ? words : 0));
}
