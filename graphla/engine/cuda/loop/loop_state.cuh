// What a loop of expressions works on, and what all blocks know of how far it has come.
#pragma once

#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

constexpr int LOOP_THREADS = 1024, LOOP_WARPS = LOOP_THREADS / 32;
constexpr int MOST_SLOTS = 6, MOST_NUMBERS = 4;
constexpr int GROUP = 128;  // places that a warp looks at together: four words of bits

// The vectors of a loop: slot s has a bit for each place from word s * words on, and a value for each place. After the
// last slot come the bits of the product.
struct Slots {
  unsigned* bits;
  int n, words;
  unsigned char* values[MOST_SLOTS];
  unsigned char* present[MOST_SLOTS];
  Wide numbers[MOST_NUMBERS];

  __device__ __forceinline__ unsigned* words_of(int slot) const { return bits + static_cast<long long>(slot) * words; }
  template <class T>
  __device__ __forceinline__ T* at(int slot) const {
    return reinterpret_cast<T*>(values[slot]);
  }
  template <class T>
  __device__ __forceinline__ T bound(int place) const {
    return same_bits<T>(static_cast<Word<T>>(numbers[place]));
  }
};

template <class Side, class S, class Offset>
struct Rows {
  const Offset* start;
  const int* column;
  const typename Side::template Matrix<S>* value;
};

// What a round is decided by: entries of the slot that keeps the loop going, of the operand and of the product's mask.
struct Tally { Wide live, entries, closed; };

// What the blocks tell each other in a turn; three go round: of now, of the next turn, one being cleared.
struct Turn {
  Tally tally;
  Wide packed;         // entries and arcs of the queue
  int members, found;  // lengths of the lists of the operand's entries, and of the places that a push met besides
};

// Where the loop stands: the same in all blocks after a barrier of the grid.
struct Standing {
  int round, turn, pulled;
  bool queued;  // the operand's entries are in the queue, and listed
  Tally seen;
  Wide packed;
};

// Who works: all warps of the grid, or those of one block.
struct Team { int warp, warps; };

struct Choice {  // how a product is computed: facts of the matrix, and the thresholds of the plan
  int told;      // 0: each round decides, 1: push, 2: pull
  float size, arcs, filled, row_flag, push_cost;
  Wide alone;   // arcs of an operand up to which block 0 is faster alone
  Wide listed;  // entries and arcs up to which places are listed: each 32 of a list cost an atomic on its length

  __device__ __forceinline__ bool small(Wide leaving) const { return told != 2 && leaving <= alone; }

  // Is it cheaper to meet the operand from the other side, if so many arcs leave it? Where a row ends at its first
  // term, it looks at arcs / leaving of them if they fall at random, and never at more than it has.
  template <class Body>
  __device__ __forceinline__ bool pull_pays(const Tally& seen, float leaving) const {
    const float degree = arcs / filled, closed = seen.closed;
    const float rows = Body::closed < 0 ? filled : Body::complement ? max(filled - closed, 0.0f) : closed;
    const float probes = Body::early ? min(degree, arcs / max(leaving, 1.0f)) : degree;
    return size * row_flag + rows * (1 + probes) < push_cost * leaving;
  }
};

constexpr int PENDING = 160;    // rows that a warp of a pull holds back: 31 of before and 128 of now
constexpr int LONG_ROW = 2048;  // arcs left from which on a whole block takes a row
constexpr int LONG_ROWS = 256;  // such rows a block holds back

template <class S, class Side, class Offset>
struct Loop {  // in the shared memory of a block: it is the same for all threads
  using Operand = typename Side::template Vector<S>;
  Slots slots;
  Rows<Side, S, Offset> out, in;
  const int* strongest;
  const unsigned* filled;  // rows of `in` that have arcs
  typename S::C* product;
  unsigned* found;  // the bits of the product
  Queue<Offset> queue;
  int* members[2];  // lists of the operand's entries, of this turn and of the next
  int* met;         // list of the places that a push met and that are no members
  Turn* turns;
  Tally mine;  // of this block
  int rows;    // long rows held back
  int row[LONG_ROWS];
  int pending[LOOP_WARPS][PENDING];
};

// By a name, so that the compiler sees that it is shared memory in every function.
template <class S, class Side, class Offset>
__device__ __forceinline__ Loop<S, Side, Offset>& loop_of_block() {
  __shared__ Loop<S, Side, Offset> loop;
  return loop;
}

__device__ __forceinline__ bool leads() { return blockIdx.x == 0 && threadIdx.x == 0; }
__device__ __forceinline__ Team team_of_grid() {
  return {warp_index() * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x),
          LOOP_WARPS * static_cast<int>(gridDim.x)};
}
__device__ __forceinline__ int warp_of_grid() { return warp_index() * gridDim.x + blockIdx.x; }
__device__ __forceinline__ int warps_of_grid() { return LOOP_WARPS * gridDim.x; }

// Words of bits that a warp takes at once, one a lane: as many as keep all warps of the grid at work.
__device__ __forceinline__ int span_of(int words) {
  int span = 32;
  while (span > 1 && words <= span / 2 * warps_of_grid()) span /= 2;
  return span;
}

// What other blocks wrote before the last barrier, read once a block.
template <class T>
__device__ __forceinline__ T read_for_block(const T* place) {
  constexpr int words = sizeof(T) / sizeof(Wide);
  __shared__ Wide read[words];
  if (threadIdx.x < words) read[threadIdx.x] = load_fresh(reinterpret_cast<const Wide*>(place) + threadIdx.x);
  __syncthreads();
  const T value = *reinterpret_cast<const T*>(read);
  __syncthreads();
  return value;
}

// Add what the threads counted to the tally of all.
__device__ __forceinline__ void add_up(Tally counted, Tally& block, Tally* total) {
  __syncthreads();
  if (threadIdx.x == 0) block = Tally{0, 0, 0};
  __syncthreads();
  const Wide sums[3] = {warp_reduce(counted.live), warp_reduce(counted.entries), warp_reduce(counted.closed)};
#pragma unroll
  for (int k = 0; k < 3; ++k)
    if (lane_index() == 0 && sums[k]) atomicAdd(reinterpret_cast<Wide*>(&block) + k, sums[k]);
  __syncthreads();
  if (threadIdx.x < 3) {
    const Wide sum = reinterpret_cast<Wide*>(&block)[threadIdx.x];
    if (sum) atomicAdd(reinterpret_cast<Wide*>(total) + threadIdx.x, sum);
  }
}
