// Barriers, votes, shuffles: each is a rendezvous that knows its place in the text.
#pragma once

EMULATOR_FREE void __syncthreads(EMULATOR_AT) { emulator::block_barrier(0, EMULATOR_PLACE("__syncthreads")); }
EMULATOR_FREE int __syncthreads_count(int predicate, EMULATOR_AT) {
  return emulator::block_barrier(predicate, EMULATOR_PLACE("__syncthreads_count"));
}
EMULATOR_FREE int __syncthreads_or(int predicate, EMULATOR_AT) {
  return emulator::block_barrier(predicate, EMULATOR_PLACE("__syncthreads_or")) != 0;
}
EMULATOR_FREE int __syncthreads_and(int predicate, EMULATOR_AT) {
  return emulator::block_barrier(!predicate, EMULATOR_PLACE("__syncthreads_and")) == 0;
}
EMULATOR_FREE void __syncwarp(unsigned mask = ~0u, EMULATOR_AT) {
  emulator::collective(emulator::Collective::sync, mask, 0, 0, EMULATOR_PLACE("__syncwarp"));
}
EMULATOR_FREE void emulator_grid_sync(EMULATOR_AT) { emulator::grid_barrier(EMULATOR_PLACE("grid_sync")); }
EMULATOR_FREE void emulator_yield(EMULATOR_AT) { emulator::yield(EMULATOR_PLACE("emulator_yield")); }
EMULATOR_FREE void __nanosleep(unsigned, EMULATOR_AT) { emulator::yield(EMULATOR_PLACE("__nanosleep")); }
EMULATOR_FREE unsigned __activemask(EMULATOR_AT) { return emulator::active_mask(EMULATOR_PLACE("__activemask")); }
EMULATOR_FREE void __threadfence() { emulator::fence(); }
EMULATOR_FREE void __threadfence_system() { emulator::fence(); }
inline void __threadfence_block() {}

#define EMULATOR_VOTE(name, kind, result)                                                          \
  EMULATOR_FREE result name(unsigned mask, int predicate, EMULATOR_AT) {                           \
    return static_cast<result>(emulator::collective(emulator::Collective::kind, mask, predicate != 0, 0, EMULATOR_PLACE(#name))); \
  }
EMULATOR_VOTE(__ballot_sync, ballot, unsigned)
EMULATOR_VOTE(__any_sync, any, int)
EMULATOR_VOTE(__all_sync, all, int)

namespace emulator {

template <class T>
EMULATOR_FREE unsigned long long to_word(T x) {
  static_assert(sizeof(T) <= 8, "a shuffle moves 8 bytes at most");
  unsigned long long word = 0;
  memcpy(&word, &x, sizeof x);
  return word;
}
template <class T>
EMULATOR_FREE T from_word(unsigned long long word) {
  T x;
  memcpy(&x, &word, sizeof x);
  return x;
}
template <class T>
EMULATOR_FREE T shuffle(unsigned mask, T x, unsigned source, Place place) {
  return from_word<T>(collective(Collective::shuffle, mask, to_word(x), source, place));
}

}  // namespace emulator

template <class T>
EMULATOR_FREE T __shfl_sync(unsigned mask, T x, int source, int width = 32, EMULATOR_AT) {
  const unsigned lane = emulator::lane(), w = static_cast<unsigned>(width);
  return emulator::shuffle(mask, x, (lane & ~(w - 1)) | (static_cast<unsigned>(source) & (w - 1)), EMULATOR_PLACE("__shfl_sync"));
}
template <class T>
EMULATOR_FREE T __shfl_up_sync(unsigned mask, T x, unsigned delta, int width = 32, EMULATOR_AT) {
  const unsigned lane = emulator::lane(), begin = lane & ~static_cast<unsigned>(width - 1);
  return emulator::shuffle(mask, x, lane - begin >= delta ? lane - delta : lane, EMULATOR_PLACE("__shfl_up_sync"));
}
template <class T>
EMULATOR_FREE T __shfl_down_sync(unsigned mask, T x, unsigned delta, int width = 32, EMULATOR_AT) {
  const unsigned lane = emulator::lane(), end = (lane | static_cast<unsigned>(width - 1)) + 1;
  return emulator::shuffle(mask, x, delta < end - lane ? lane + delta : lane, EMULATOR_PLACE("__shfl_down_sync"));
}
template <class T>
EMULATOR_FREE T __shfl_xor_sync(unsigned mask, T x, int lanes, int width = 32, EMULATOR_AT) {
  const unsigned lane = emulator::lane(), end = (lane | static_cast<unsigned>(width - 1)) + 1;
  const unsigned source = lane ^ static_cast<unsigned>(lanes);
  return emulator::shuffle(mask, x, source < end ? source : lane, EMULATOR_PLACE("__shfl_xor_sync"));
}

template <class T>
EMULATOR_FREE unsigned __match_any_sync(unsigned mask, T x, EMULATOR_AT) {
  return static_cast<unsigned>(
      emulator::collective(emulator::Collective::match_any, mask, emulator::to_word(x), 0, EMULATOR_PLACE("__match_any_sync")));
}
template <class T>
EMULATOR_FREE unsigned __match_all_sync(unsigned mask, T x, int* all, EMULATOR_AT) {
  const unsigned same = static_cast<unsigned>(
      emulator::collective(emulator::Collective::match_all, mask, emulator::to_word(x), 0, EMULATOR_PLACE("__match_all_sync")));
  *all = same != 0;
  return same;
}

#define EMULATOR_REDUCE(name, kind, T)                                                             \
  EMULATOR_FREE T name(unsigned mask, T x, EMULATOR_AT) {                                          \
    return static_cast<T>(emulator::collective(emulator::Collective::kind, mask, static_cast<unsigned>(x), 0, EMULATOR_PLACE(#name))); \
  }
EMULATOR_REDUCE(__reduce_add_sync, add, int)
EMULATOR_REDUCE(__reduce_add_sync, add, unsigned)
EMULATOR_REDUCE(__reduce_min_sync, min, int)
EMULATOR_REDUCE(__reduce_min_sync, umin, unsigned)
EMULATOR_REDUCE(__reduce_max_sync, max, int)
EMULATOR_REDUCE(__reduce_max_sync, umax, unsigned)
EMULATOR_REDUCE(__reduce_and_sync, bit_and, unsigned)
EMULATOR_REDUCE(__reduce_or_sync, bit_or, unsigned)
EMULATOR_REDUCE(__reduce_xor_sync, bit_xor, unsigned)

// Each look at the clock is a step of it, so that a wait on it ends.
EMULATOR_FREE long long clock64() {
  static long long time = 0;
  return time += 64;
}
EMULATOR_FREE int clock() { return static_cast<int>(clock64()); }
