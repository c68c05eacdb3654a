// Direction-optimising breadth-first search in one cooperative launch: push, pull, or leave it to one block.
//
//   level[v] = d + 1, for every v not seen with an arc u -> v from the frontier u of level d
//
// Every block reads the packed size of the frontier after a barrier of the grid and comes to the same decision.
// A frontier of few arcs is left to block 0, which runs level after level with barriers of its own only.
//
// compiled: fused<Offset, Parents> with Offset = int | long long; Parents = LevelsOnly | WithParents; hot
#pragma once

#include "_common.cuh"
#include "_course.cuh"
#include "_frontier.cuh"
#include "_pull.cuh"
#include "_rows.cuh"
#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

constexpr int TINY = 512;     // arcs of a frontier whose heads have room in the shared memory of a block
constexpr int ONE_WARP = 32;  // arcs of a frontier that one warp keeps in registers

template <class Offset>
struct Queues {  // two queues in one pair of arrays
  int* vertices;
  Offset* numbers;
  long long n;
  __device__ Queue<Offset> operator[](int turn) const {
    return {vertices + turn * n, numbers + 2 * turn * n, numbers + (2 * turn + 1) * n};
  }
};

template <class Offset>
struct Near {  // two small queues in shared memory, and the packed sizes of block 0 alone
  int vertex[2][TINY];
  Offset before[2][TINY], shift[2][TINY];
  Wide sizes[3];
  Wide left;    // what warp 0 left,
  Place place;  // and where
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

// Block 0 pushes a level from one queue to another; returns the size of the next.
template <class Offset, class Parents>
__device__ __forceinline__ Wide push_alone(
    const Search<Offset, Parents>& s, unsigned* seen, Place& at, Wide packed, const Queue<Offset>& from,
    const Queue<Offset>& to, Wide* sizes, int step, Workspace& work) {
  push(s.out, s.tree, seen, at.depth, from, packed, Next<Offset>{to, &sizes[step % 3]}, threadIdx.x / 32,
       blockDim.x / 32, work.pending[threadIdx.x / 32]);
  if (threadIdx.x == 0) sizes[(step + 1) % 3] = 0;
  at.passed(packed);
  at.turn = 1 - at.turn;
  ++at.depth;
  __syncthreads();
  return sizes[step % 3];
}

// Warp 0 pushes level after level while the frontier has an arc a lane at most: vertices stay in registers, where
// they were found, and no barrier parts the levels. Returns the size of the next, which is put back to the queue.
template <class Offset, class Parents>
__device__ Wide push_by_warp(
    const Search<Offset, Parents>& s, unsigned* seen, Place& at, Wide packed, const Queue<Offset>& queue) {
  const int lane = lane_index();
  int v = lane < static_cast<int>(packed >> ARC_BITS) ? queue.vertex[lane] : -1;
  Offset begin = 0, upto = 0, before = 0;
  for (;; ++at.depth) {
    begin = v >= 0 ? s.out.pointers[v] : 0;
    const Offset arcs = v >= 0 ? s.out.pointers[v + 1] - begin : 0;
    upto = warp_inclusive_scan(arcs);
    before = upto - arcs;
    if (!arcs) v = -1;
    packed = (static_cast<Wide>(__popc(__ballot_sync(WHOLE_WARP, v >= 0))) << ARC_BITS) +
             static_cast<Wide>(shuffle_from(upto, 31));
    if (!packed || (packed & ARC_MASK) > ONE_WARP) break;
    at.passed(packed);
    int owner = 0;  // the lanes before it own the arcs below this lane's
    for (int reach = 16; reach; reach /= 2)
      if (static_cast<int>(shuffle_from(upto, owner + reach - 1)) <= lane) owner += reach;
    const Offset where = lane + shuffle_from(begin - before, owner);
    const int tail = shuffle_from(v, owner),
              head = lane < static_cast<int>(packed & ARC_MASK) ? s.out.columns[where] : -1;
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

// The same while the frontier has at most `small` arcs. Tiny frontiers are queued in shared memory meanwhile, which
// saves a level three trips to the L2 cache. `step` says whose turn the sizes are.
template <class Offset, class Parents>
__device__ Wide run_alone(const Search<Offset, Parents>& s, unsigned* seen, const Queues<Offset>& queues, Place& at,
                          Wide packed, Wide small, Near<Offset>& near, Workspace& work) {
  if (threadIdx.x < 3) near.sizes[threadIdx.x] = 0;
  __syncthreads();
  for (int step = 0; packed && (packed & ARC_MASK) <= small; ++step) {
    if ((packed & ARC_MASK) > TINY) {
      packed = push_alone(s, seen, at, packed, queues[at.turn], queues[1 - at.turn], near.sizes, step, work);
      continue;
    }
    move_queue(queues[at.turn], near[at.turn], static_cast<int>(packed >> ARC_BITS));
    __syncthreads();
    for (; packed && (packed & ARC_MASK) <= TINY; ++step) {
      packed = push_alone(s, seen, at, packed, near[at.turn], near[1 - at.turn], near.sizes, step, work);
      if (!packed || (packed & ARC_MASK) > ONE_WARP) continue;
      if (warp_index() == 0) {
        packed = push_by_warp(s, seen, at, packed, near[at.turn]);
        if (lane_index() == 0) {
          near.left = packed;
          near.place = at;
        }
      }
      __syncthreads();
      packed = near.left;
      at = near.place;
    }
    --step;
    move_queue(near[at.turn], queues[at.turn], static_cast<int>(packed >> ARC_BITS));
    __syncthreads();
  }
  return packed;
}

// The bitmap is cleared by all; one warp makes the source the frontier. The answer is not cleared: the first pull
// writes those that it does not find, or the end of the search does.
template <class Offset, class Parents>
__device__ void begin(const Search<Offset, Parents>& s, unsigned* seen, int words, const Queue<Offset>& queue,
                      Wide* state, Workspace& work) {
  for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x)
    seen[w] = s.nobody[w] | (w == s.source >> 5 ? bit_of(s.source) : 0);
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

template <class Offset, class Parents>
__global__ void __launch_bounds__(1024, 1)
    fused(int n, Offset arcs, const Offset* out_pointers, const int* out_columns, const Offset* in_pointers,
          const int* in_columns, const int* strongest, const unsigned* nobody, int* levels, int* parents,
          unsigned* bitmaps, int* vertices, Offset* numbers, Wide* state, unsigned* barrier, int source, int small,
          int push_cost, int beta, int gamma, int open) {
  __shared__ Workspace work;
  __shared__ union {  // a block that is alone does not pull
    Near<Offset> near;
    Longer longer;
  } shared;
  __shared__ Course course;
  const Rows<Offset> out{out_pointers, out_columns}, in{in_pointers, in_columns};
  const Search<Offset, Parents> s{n, out, in, strongest, nobody, source, {levels, parents}};
  const Queues<Offset> queues{vertices, numbers, n};
  const Limits limits{small, push_cost, beta, gamma};
  const int words = (n + 127) / 128 * 4;
  const int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
  begin(s, bitmaps, words, queues[0], state, work);
  if (threadIdx.x == 0)
    course = {
        {0, 0, static_cast<Wide>(arcs), static_cast<Wide>(open)}, static_cast<float>(arcs) / static_cast<float>(open)};
  grid_sync(barrier);

  for (;;) {
    if (threadIdx.x == 0) course.choose(state, limits, n);
    __syncthreads();
    const Step step = course.step;
    if (step == Step::stop) break;
    const Wide packed = course.packed;
    unsigned* const seen = bitmaps + (course.swapped ? words : 0);
    unsigned* const other = bitmaps + (course.swapped ? 0 : words);
    Wide* const size = &state[(course.turn + 1) % 3];
    const Queue<Offset> queue = queues[course.at.turn];
    const Next<Offset> next{queues[1 - course.at.turn], size};
    if (blockIdx.x == 0 && threadIdx.x == 0) state[(course.turn + 2) % 3] = 0;
    if (course.owed) {
      pay(s.tree, other, seen, words, course.at.depth, warp, warps);
      if (step == Step::pull) grid_sync(barrier);
    }
    if (step == Step::pull) {
      pull(s, seen, other, course.unseen(n), course.at.depth, size, shared.longer, work);
    } else if (step == Step::queue) {
      to_queue(s, other, seen, next, work.pending[warp_index()]);
    } else if (step == Step::push) {
      push(s.out, s.tree, seen, course.at.depth, queue, packed, next, warp, warps, work.pending[warp_index()]);
    } else if (step == Step::push_bits) {
      for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x) other[w] = seen[w];
      grid_sync(barrier);
      const int found = block_reduce(push_bits(s.out, s.tree, other, queue, packed, warp, warps));
      if (threadIdx.x == 0) atomicAdd(size, static_cast<Wide>(found) << ARC_BITS);
    } else if (blockIdx.x == 0) {
      Place at = course.at;
      const Wide left = run_alone(s, seen, queues, at, packed, small, shared.near, work);
      if (threadIdx.x == 0) {
        *size = left;
        leave(state, at);
      }
    }
    grid_sync(barrier);
    if (threadIdx.x == 0) course.took(state);
  }
  if (!course.answered) write_unreached(s, bitmaps + (course.swapped ? words : 0));
}
