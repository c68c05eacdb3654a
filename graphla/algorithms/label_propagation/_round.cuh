// One round: whose labels count again, the labels of neighbours, and tables of counts in shared memory.
//
// A vertex is awake if all are, or if a neighbour of it changed in the round before and said so. Vertices say so in a
// round if in the one before those that changed had few arcs (`changed_before`, `few`); then in the next round
// (`changed_before_that`) only those that are awake count. `stamp` holds the last round for which a vertex was woken,
// and `next_stamp` the same of the rounds between, which this one writes: threads race to write the same number.
#pragma once

#include "headers/primitives.cuh"

template <class Offset>
struct RoundParameters {
  const int* rows;
  int count;
  const Offset* indptr;
  const int* indices;
  const int* label;
  int* next;
  const int* stamp;
  int* next_stamp;
  int round;
  unsigned long long* changed;
  const unsigned long long* changed_before;
  const unsigned long long* changed_before_that;
  unsigned long long few;
};

__device__ __forceinline__ unsigned long long rate(int count, int label) {
  return static_cast<unsigned long long>(static_cast<unsigned>(count)) << 32 | ~static_cast<unsigned>(label);
}
__device__ __forceinline__ int label_in(unsigned long long best) {
  return static_cast<int>(~static_cast<unsigned>(best));
}

constexpr unsigned GOLDEN = 0x9e3779b1u;

// How far a hash is shifted to leave as many bits as a table of at least twice the labels needs.
__device__ __forceinline__ int shift_for(int labels) { return __clz(2 * labels - 1); }

template <int Slots>
struct Counts {
  int label[Slots];
  int total[Slots];

  __device__ __forceinline__ void clear(int first, int step, int shift) {
    for (int slot = first; slot < 1 << (32 - shift); slot += step) {
      label[slot] = -1;
      total[slot] = 0;
    }
  }
  // The count of a label after `amount` more.
  __device__ __forceinline__ int add(int x, int amount, int shift) {
    const int last = (1 << (32 - shift)) - 1;
    for (int slot = static_cast<int>(static_cast<unsigned>(x) * GOLDEN >> shift);; slot = (slot + 1) & last) {
      int held = load_fresh(label + slot);
      if (held == -1) held = atomicCAS(label + slot, -1, x);
      if (held == -1 || held == x) return atomicAdd(total + slot, amount) + amount;
    }
  }
  // A label of each lane that has one. The first lane adds for all that have the same, often most of the warp.
  __device__ __forceinline__ unsigned long long add_together(bool mine, int x, int shift, unsigned long long best) {
    const unsigned votes = __ballot_sync(WHOLE_WARP, mine);
    const int leader = __ffs(static_cast<int>(votes)) - 1, common_label = shuffle_from(x, leader);
    const bool same = mine && x == common_label;
    const int common = __popc(__ballot_sync(WHOLE_WARP, same));
    if (!mine || (same && lane_index() != leader)) return best;
    const unsigned long long found = rate(add(x, same ? common : 1, shift), x);
    return found > best ? found : best;
  }
};

template <class Offset, class Parameters = RoundParameters<Offset>>
struct Round {
  const Parameters& given;
  bool everyone, wakes;

  __device__ __forceinline__ explicit Round(const Parameters& parameters)
      : given(parameters),
        everyone(*parameters.changed_before_that > parameters.few),
        wakes(*parameters.changed_before <= parameters.few) {}

  __device__ __forceinline__ bool is_awake(int v) const { return everyone || given.stamp[v] == given.round; }
  __device__ __forceinline__ int label_at(Offset k) const { return given.label[load_constant(given.indices + k)]; }

  __device__ __forceinline__ void wake(Offset begin, Offset end, int step) const {
    if (!wakes) return;
    for (Offset k = begin; k < end; k += step)
      store_racing(given.next_stamp + load_constant(given.indices + k), given.round + 1);
  }
  // The best label of [begin, end), in every thread of the block; the table holds the counts.
  template <int Slots>
  __device__ __forceinline__ unsigned long long count_piece(
      Counts<Slots>& table, Offset begin, Offset end, int shift) const {
    table.clear(static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x), shift);
    __syncthreads();
    unsigned long long best = 0;
    for (Offset k = begin + 32 * warp_index(); k < end; k += blockDim.x) {
      const bool mine = k + lane_index() < end;
      best = table.add_together(mine, mine ? label_at(k + lane_index()) : -1, shift, best);
    }
    return block_reduce(best, 0ull, Most());
  }
};
