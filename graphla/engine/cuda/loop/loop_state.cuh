// What a loop of expressions works on, and what all blocks know about its progress.
#pragma once

#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"
#include "kernel.py"  // GROUP, LOOP_THREADS, MOST_NUMBERS, MOST_VECTORS, PULL_ALWAYS

constexpr int LOOP_WARPS = LOOP_THREADS / 32;

// The vectors of a loop: slot s has a presence bit per index, from word s * words on, and a value per index. The bits
// of the product follow those of the last slot.
struct Slots {
  unsigned* bits;
  int n, words;
  unsigned char* values[MOST_VECTORS];
  unsigned char* present[MOST_VECTORS];
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
  const Offset* indptr;
  const int* indices;
  const typename Side::template Matrix<S>* values;
};

// The counts that decide a round: entries of the slot that keeps the loop going, of the operand and of the product's
// mask.
struct Tally { Wide live, entries, closed; };

// What the blocks share in a turn; three take turns: of this turn, of the next one, and one being cleared.
struct Turn {
  Tally tally;
  Wide packed;         // entries and arcs of the queue
  int members, found;  // lengths of the lists of the operand's entries, and of the other indices that a push reached
};

// The progress of the loop: the same in all blocks after a grid barrier.
struct Progress {
  int round, turn, pulled;
  bool queued;  // the operand's entries are in the queue, and listed
  Tally seen;
  Wide packed;
};

// The warps that work together: all of the grid, or those of one block.
struct Team { int warp, warps; };

struct Choice {   // how a product is computed: facts of the matrix, and the thresholds of the plan
  int direction;  // what the caller requested
  float size, arcs, filled, row_flag, push_cost;
  Wide alone;   // arcs of an operand up to which block 0 is faster alone
  Wide listed;  // entries and arcs up to which indices are listed: each 32 of a list cost an atomic on its length

  __device__ __forceinline__ bool small(Wide leaving) const { return direction != PULL_ALWAYS && leaving <= alone; }

  // Whether a pull is expected to cost less than a push of `leaving` arcs. A row that ends at its first term probes
  // arcs / leaving of its arcs if they are random, and never more than it has.
  template <class Body>
  __device__ __forceinline__ bool pull_is_cheaper(const Tally& seen, float leaving) const {
    const float degree = arcs / filled, closed = seen.closed;
    const float rows = Body::closed < 0 ? filled : Body::complement ? max(filled - closed, 0.0f) : closed;
    const float probes = Body::early ? min(degree, arcs / max(leaving, 1.0f)) : degree;
    return size * row_flag + rows * (1 + probes) < push_cost * leaving;
  }
};

constexpr int PENDING = 160;    // rows that a warp of a pull buffers: 31 left over and 128 new ones
constexpr int LONG_ROW = 2048;  // arcs left from which on a whole block takes a row
constexpr int LONG_ROWS = 256;  // such rows that a block buffers

template <class S, class Side, class Offset>
struct Loop {  // in shared memory, because it is the same for all threads of a block
  using Operand = typename Side::template Vector<S>;
  Slots slots;
  Rows<Side, S, Offset> out, in;
  const int* strongest;
  const unsigned* filled;  // rows of `in` that have arcs
  typename S::C* product;
  unsigned* found;  // the bits of the product
  Queue<Offset> queue;
  int* members[2];  // lists of the operand's entries, of this turn and of the next
  int* met;         // list of the indices that a push reached and that are no members
  Turn* turns;
  Tally mine;  // of this block
  int rows;    // long rows buffered
  int row[LONG_ROWS];
  int pending[LOOP_WARPS][PENDING];
};

// Named here, so that the compiler knows in every function that it is shared memory.
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

// Words of bits that a warp takes at once, one per lane: as many as keep all warps of the grid busy.
__device__ __forceinline__ int span_of(int words) {
  int span = 32;
  while (span > 1 && words <= span / 2 * warps_of_grid()) span /= 2;
  return span;
}

// What other blocks wrote before the last barrier, read once per block.
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

// Adds what the threads of the block counted to the common tally.
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
