// Moves on a level until no vertex gains, in one launch: `move` half of the vertices and an eighth of the hubs at a
// time, of those that wait; `move_apart` those of all that are alone at the two communities that they touch.
//
// compiled: move<Offset> with Offset = int | long long; hot
// compiled: move_apart<Offset> with Offset = int | long long; hot
#pragma once

#include "rounds.cuh"

template <class Offset>
struct MoveParameters {
  LevelParameters<Offset> level;
  RoundParameters rounds;
  const int* origin;
  bool* waits;
  bool limited;
  const bool* fixed;
  long long* highest;
};

// What both kinds of moves have in common: communities, their strengths, and their sizes, in which a fixed vertex
// counts twice, so that it is never alone.
template <class Given>
struct Members {
  const Given& all;
  const RoundParameters& given;

  __device__ __forceinline__ bool is_free(int v) const { return !all.limited || !all.fixed[v]; }
  __device__ __forceinline__ bool counts(int, int) const { return true; }
  __device__ __forceinline__ bool is_open(int, int) const { return true; }

  // Add strengths and size of v to a community, or take them off.
  __device__ __forceinline__ void add(int v, long long c, int sign) const {
    const int sides = all.level.sides;
    atomicAdd(given.sizes + c, sign * (is_free(v) ? 1 : 2));
#pragma unroll 1
    for (int side = 0; side < sides; ++side)
      atomicAdd(given.totals + c * sides + side, sign * all.level.strengths[static_cast<long long>(v) * sides + side]);
  }
  __device__ __forceinline__ void begin() const {
    for (const int v : grid_range(all.level.n)) {
      const int c = all.origin[v];
      given.of[v] = c;
      given.wanted[v] = c;
      all.waits[v] = is_free(v);
      add(v, c, 1);
    }
  }
  __device__ __forceinline__ void change(int v) const {
    add(v, given.of[v], -1);
    given.of[v] = given.wanted[v];
    add(v, given.wanted[v], 1);
  }
};

template <class Given>
struct Moving : Members<Given> {
  using Members<Given>::given;
  using Members<Given>::all;

  __device__ __forceinline__ bool takes(int v, const Class& drawn, bool& waiting) const {
    if (!load_racing(all.waits + v) || !this->is_free(v)) return false;
    waiting = true;
    const long long n = all.level.n, length = all.level.indptr[v + 1] - all.level.indptr[v];
    if (!drawn.has(v, length * n > HUB * all.level.entries ? HUB_CLASSES : CLASSES)) return false;
    store_racing(all.waits + v, false);
    return true;
  }
  // Of two vertices that are alone and would swap only the larger one moves; the other one waits again.
  __device__ __forceinline__ void settle(int v, int best, const Sums&) const {
    const int own = given.of[v];
    if (best > own && given.sizes[own] == 1 && given.sizes[best] == 1) store_racing(all.waits + v, true);
    else given.wanted[v] = best;
  }
  __device__ __forceinline__ bool moves(int v) const { return given.wanted[v] != given.of[v]; }
  __device__ __forceinline__ void apply(int v, bool moves) const {
    if (moves) this->change(v);
  }
  // The neighbours of v wait, but those that are of its community after the round.
  template <class Offset>
  __device__ __forceinline__ void follow(
      const LevelParameters<Offset>& level, int v, unsigned first, unsigned step) const {
    const Offset end = level.indptr[v + 1];
    for (Offset k = level.indptr[v] + static_cast<Offset>(first); k < end; k += static_cast<Offset>(step)) {
      const int u = level.indices[k];
      if (given.wanted[u] != given.wanted[v]) store_racing(all.waits + u, true);
    }
  }
};

template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void move(const __grid_constant__ MoveParameters<Offset> given) {
  Rounds<Offset, Moving<MoveParameters<Offset>>> rounds{given.level, {given, given.rounds}};
  const auto& policy = rounds.policy;
  policy.begin();
  rounds.sync();
  bool quiet = false;  // in the turn before
  for (int turn = 0; turn < MOST_TURNS; ++turn) {
    unsigned moved = 0;
    for (int number = 0; number < CLASSES; ++number) {
      const Class drawn = Class::draw(given.rounds.draw + turn, number);
      const bool waiting = rounds.list([&](int v, bool& waits) { return policy.takes(v, drawn, waits); });
      if (number == 0 && quiet && !waiting) return;
      rounds.propose();
      moved += rounds.apply();
    }
    quiet = !moved;
  }
}

template <class Given>
struct Apart : Members<Given> {
  using Members<Given>::given;
  using Members<Given>::all;
  unsigned state = 0;

  __device__ __forceinline__ void settle(int v, int best, const Sums&) const { given.wanted[v] = best; }
  __device__ __forceinline__ long long key_of(int v) const {
    return static_cast<long long>(mix(static_cast<unsigned>(v) ^ state) >> 1) << 32 | v;
  }
  __device__ __forceinline__ void compete(int v) const {
    if (given.wanted[v] == given.of[v]) return;
    atomicMax(all.highest + given.of[v], key_of(v));
    atomicMax(all.highest + given.wanted[v], key_of(v));
  }
  __device__ __forceinline__ bool moves(int v) const {
    const int own = given.of[v], to = given.wanted[v];
    return to != own && load_fresh(all.highest + own) == key_of(v) && load_fresh(all.highest + to) == key_of(v);
  }
  __device__ __forceinline__ void apply(int v, bool moves) const {
    if (moves) this->change(v);
    else given.wanted[v] = given.of[v];
  }
  template <class Level>
  __device__ __forceinline__ void follow(const Level&, int, unsigned, unsigned) const {}
};

template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void move_apart(const __grid_constant__ MoveParameters<Offset> given) {
  Rounds<Offset, Apart<MoveParameters<Offset>>> rounds{given.level, {{given, given.rounds}}};
  auto& policy = rounds.policy;
  policy.begin();
  rounds.sync();
  unsigned moved = 1;
  for (long long turn = 0; moved; ++turn) {
    policy.state = Class::draw(given.rounds.draw + turn, 0).state;
    rounds.list([&](int v, bool&) {
      given.highest[v] = -1;
      return policy.is_free(v);
    });
    rounds.propose();
    const unsigned wide = rounds.many(&rounds.now()->wide), narrow = rounds.many(&rounds.now()->narrow);
    for (const unsigned i : grid_range(wide)) policy.compete(given.rounds.queue[given.level.n + i]);
    for (const unsigned i : grid_range(narrow)) policy.compete(given.rounds.queue[i]);
    rounds.sync();
    moved = rounds.apply();
  }
}
