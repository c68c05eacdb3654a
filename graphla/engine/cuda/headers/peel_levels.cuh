// Peeling by levels in one cooperative launch: at each level the items with that many leave, and those that fall to it.
//
// `Peeling` scans the items that are left, which gives the queue of a level, those that stay and the least that one of
// them has; then it removes what is queued, round by round, until no item falls to the level. A level that finds none
// goes on with the least.
#pragma once

#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"

constexpr int NOTHING_LEFT = 0x7fffffff;

// Of each three counters one is read, one is added to and one is cleared; `kept` and `least` change with the scans.
struct PeelCounts {
  int queued[3];
  int kept[3];
  int least[3];
};

// Every thread of the grid calls this. `left` and `other` have room for the items that stay, `queue` for all.
template <class Peeling>
__device__ __forceinline__ void peel_levels(const Peeling& peeling, int size, int level, bool one_level) {
  PeelCounts* const counts = reinterpret_cast<PeelCounts*>(peeling.given.counts);
  const bool clears = blockIdx.x == 0 && threadIdx.x == 0;
  const int* list = nullptr;
  int *other = peeling.given.left, *queue = peeling.given.queue, *next = peeling.given.other;
  int round = 0;
  for (int scans = 0;; ++scans) {
    const int now = scans % 3, later = (scans + 1) % 3;
    if (clears) {
      counts->kept[later] = 0;
      counts->least[later] = NOTHING_LEFT;
      counts->queued[(round + 2) % 3] = 0;
    }
    int* const added = counts->queued + (round + 1) % 3;
    peeling.scan(list, size, level, round + 1, queue, added, other, counts->kept + now, counts->least + now);
    grid_sync(peeling.given.barrier);
    ++round;
    int queued = read_for_block(counts->queued + round % 3);
    const int kept = read_for_block(counts->kept + now), least = read_for_block(counts->least + now);
    if (kept == 0) return;
    const int following = queued ? level + 1 : least;
    while (queued) {
      if (clears) counts->queued[(round + 2) % 3] = 0;
      queue += queued;
      peeling.remove_all(queue - queued, queued, level, round, queue, counts->queued + (round + 1) % 3);
      grid_sync(peeling.given.barrier);
      ++round;
      queued = read_for_block(counts->queued + round % 3);
    }
    if (one_level) return;
    int* const before = list == nullptr ? next : const_cast<int*>(list);
    list = other;
    other = before;
    size = kept;
    level = following;
  }
}
