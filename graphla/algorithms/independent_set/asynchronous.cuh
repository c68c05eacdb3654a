// chosen[v] = no neighbour of higher priority is chosen.
//
// A lane owns a vertex, and its warp looks at the undecided ones again and again until none is left. A vertex is
// chosen once none of its neighbours that are undecided has a higher priority; then its neighbours are not. A lane
// reads the first neighbours of its vertex together, the warp the rest of a longer row, and stops where one goes first.
// The answer is that of a loop over the vertices by falling priority, whatever the order of threads. states[v] is the
// priority until v is decided, and then one of two numbers. Loads and stores race on purpose: an old state only makes
// another look necessary.
//
// compiled: asynchronous<Offset> with Offset = int | long long; hot
#pragma once

#include "../shared/_hash.cuh"
#include "headers/primitives.cuh"

#include "../shared/random_order.py"  // CLASSES, HASH_BITS

constexpr unsigned LEFT_OUT = 0, CHOSEN = 0xffffffffu;
constexpr int LEAD = 4;  // neighbours that a lane reads alone

template <class Offset>
struct ChoiceParameters {
  int n;
  int average;
  unsigned seed;
  const Offset* indptr;
  const int* indices;
  unsigned* states;
  bool* chosen;
  int* waiting;
  unsigned* barrier;
};

template <class Offset>
struct Choice {
  ChoiceParameters<Offset> given;

  // The class of a degree: in 32 bits where they hold it.
  __device__ __forceinline__ unsigned rank(Offset degree) const {
    const unsigned average = static_cast<unsigned>(given.average);
    if (average < 1u << 24) return CLASSES * average / (average + static_cast<unsigned>(degree));
    return static_cast<unsigned>(
        static_cast<long long>(CLASSES) * average / (average + static_cast<long long>(degree)));
  }
  // From 1 on: the class, one more, above the hash.
  __device__ __forceinline__ unsigned make_priority(int v, Offset degree) const {
    return (rank(degree) << HASH_BITS | mix(static_cast<unsigned>(v) ^ given.seed) >> (32 - HASH_BITS)) + 1;
  }
  // A vertex without neighbours is chosen.
  __device__ __forceinline__ void begin(int v) const {
    const Offset degree = given.indptr[v + 1] - given.indptr[v];
    given.states[v] = degree ? make_priority(v, degree) : CHOSEN;
    given.chosen[v] = degree == 0;
  }
  // Whether u may still be chosen and goes before v. Neighbours of one priority go by their numbers.
  __device__ __forceinline__ bool goes_before(int u, int v, unsigned mine) const {
    if (u == v) return false;
    const unsigned other = load_fresh(given.states + u);
    return other > mine || (other == mine && u > v);
  }
  // The warp together: whether a neighbour in a part of the row of v goes first.
  __device__ __forceinline__ bool is_blocked(int v, unsigned mine, Offset begin, Offset end) const {
    for (Offset k = begin; k < end; k += 32) {
      const Offset mine_at = k + lane_index();
      const int u = mine_at < end ? load_constant(given.indices + mine_at) : v;
      if (__any_sync(WHOLE_WARP, goes_before(u, v, mine))) return true;
    }
    return false;
  }
  __device__ __forceinline__ void leave_out(int u, int v) const {
    if (u != v) store_racing(given.states + u, LEFT_OUT);
  }

  // Every lane looks at its vertex, -1 for none; true if it stays undecided.
  __device__ __forceinline__ bool look(int v) const {
    unsigned mine = LEFT_OUT;
    Offset begin = 0, end = 0;
    if (v >= 0) {
      mine = load_fresh(given.states + v);
      begin = given.indptr[v];
      end = given.indptr[v + 1];
    }
    const bool open = mine != LEFT_OUT && mine != CHOSEN;
    int near[LEAD];
    for (int j = 0; j < LEAD; ++j) near[j] = open && begin + j < end ? load_constant(given.indices + begin + j) : v;
    bool blocked = false;
    for (int j = 0; j < LEAD; ++j) blocked |= goes_before(near[j], v, mine);
    const bool longer = open && end - begin > LEAD;
    each_lane(longer && !blocked, [&](int lane) {
      const bool found = is_blocked(
          shuffle_from(v, lane), shuffle_from(mine, lane), shuffle_from(begin, lane) + LEAD, shuffle_from(end, lane));
      if (lane == lane_index()) blocked = found;
    });
    const bool goes = open && !blocked;
    if (goes) {
      store_racing(given.states + v, CHOSEN);
      given.chosen[v] = true;
      for (int j = 0; j < LEAD; ++j) leave_out(near[j], v);
    }
    each_lane(longer && goes, [&](int lane) {
      const int its = shuffle_from(v, lane);
      for (const Offset k : lane_range(static_cast<Offset>(shuffle_from(begin, lane) + LEAD), shuffle_from(end, lane)))
        leave_out(load_constant(given.indices + k), its);
    });
    return open && blocked;
  }

  // use(lane) by the whole warp, for each lane that wants it.
  template <class Use>
  static __device__ __forceinline__ void each_lane(bool wanted, Use use) {
    for (unsigned left = __ballot_sync(WHOLE_WARP, wanted); left; left &= left - 1)
      use(__ffs(static_cast<int>(left)) - 1);
  }
};

// Lanes whose vertex waits put it behind the `count` first of a list of their warp.
__device__ __forceinline__ void keep(int* list, int& count, bool waits, int v) {
  const unsigned those = __ballot_sync(WHOLE_WARP, waits);
  if (waits) list[count + __popc(those & lower_lanes())] = v;
  count += __popc(those);
}

template <class Offset>
__global__ void asynchronous(ChoiceParameters<Offset> given) {
  const Choice<Offset> choice{given};
  for (const int v : grid_range(given.n)) choice.begin(v);
  grid_sync(given.barrier);
  const int warps = gridDim.x * (blockDim.x / 32), me = warp_index() * gridDim.x + blockIdx.x;
  const int groups = given.n / 32 + (given.n % 32 != 0), each = (groups + warps - 1) / warps;
  int* list = given.waiting + static_cast<long long>(me) * each * 32;
  int count = 0;
  for (int group = me; group < groups; group += warps) {
    const int v = group * 32 + lane_index();
    keep(list, count, choice.look(v < given.n ? v : -1), v);
  }
  while (count) {
    __syncwarp();
    int kept = 0;
    for (int i = 0; i < count; i += 32) {
      const int v = i + lane_index() < count ? list[i + lane_index()] : -1;
      keep(list, kept, choice.look(v), v);
    }
    if (kept == count) emulator_yield();
    count = kept;
  }
}
