// Parts of communities in one launch: vertices that are alone join the part that gains most, half of them at a time,
// until none joins another one.
//
// A part is open if none of it moves in the round, and as much weight joins it with the rest of its community as chance
// would put there; `outside` follows that weight, and `linked` says so of each vertex by itself.
//
// compiled: join<Offset> with Offset = int | long long; hot
#pragma once

#include "../shared/communities/rounds.cuh"

template <class Offset>
struct JoinParameters {
  LevelParameters<Offset> level;
  RoundParameters rounds;
  const int* members;
  double* whole;
  double* outside;
  double* between;
  bool* linked;
  bool* open;
};

template <class Given>
struct Joining {
  const Given& all;
  const RoundParameters& given;

  __device__ __forceinline__ bool counts(int v, int u) const { return all.members[u] == all.members[v]; }
  __device__ __forceinline__ bool is_open(int, int part) const { return all.open[part]; }
  __device__ __forceinline__ const double* at(const double* sums, long long group) const {
    return sums + group * all.level.sides;
  }

  // Whether as much weight joins a part with the rest of its community as chance would put there.
  __device__ __forceinline__ bool is_linked(int part) const {
    const double* community = at(all.whole, all.members[part]);
    return all.outside[part] >= find_share(all.level.scale, all.level.sides, at(given.totals, part), community, true);
  }
  // Add the strengths of v to a group.
  __device__ __forceinline__ void add(double* sums, int v, long long group) const {
    const int sides = all.level.sides;
#pragma unroll 1
    for (int side = 0; side < sides; ++side) atomicAdd(sums + group * sides + side, at(all.level.strengths, v)[side]);
  }
  // Each vertex is a part by itself.
  __device__ __forceinline__ void begin(int v) const {
    given.of[v] = v;
    given.wanted[v] = v;
    given.sizes[v] = 1;
    all.outside[v] = 0.0;
    all.linked[v] = false;
    add(given.totals, v, v);
    add(all.whole, v, all.members[v]);
  }
  // The weight from v to the rest of its community.
  template <bool Block, class Offset>
  __device__ __forceinline__ void measure(const Team<Block>& team, const LevelParameters<Offset>& level, int v) const {
    const Offset end = level.indptr[v + 1];
    double mine = 0.0;
    for (Offset k = level.indptr[v] + static_cast<Offset>(team.first); k < end; k += static_cast<Offset>(team.step))
      if (counts(v, level.indices[k])) mine += level.values[k];
    mine = team.reduce(mine);
    if (team.first != 0) return;
    all.outside[v] = mine;
    all.linked[v] = is_linked(v);
  }
  __device__ __forceinline__ bool takes(int v, const Class& drawn) const {
    const bool mover = all.linked[v] && given.of[v] == v && given.sizes[v] == 1 && drawn.has(v, CLASSES);
    all.open[v] = !mover && is_linked(v);
    return mover;
  }
  __device__ __forceinline__ void settle(int v, int best, const Sums& table) const {
    given.wanted[v] = best;
    all.between[v] = table.find(best);
  }
  __device__ __forceinline__ bool moves(int v) const { return given.wanted[v] != v; }
  __device__ __forceinline__ void apply(int v, bool moves) const {
    if (!moves) return;
    const int part = given.wanted[v];
    given.of[v] = part;
    atomicAdd(given.sizes + part, 1);
    add(given.totals, v, part);
    atomicAdd(all.outside + part, all.outside[v] - all.between[v]);
  }
  // What joins v with its part is outside no more: from the part, above, and from v, with those that join beside it.
  template <class Offset>
  __device__ __forceinline__ void follow(
      const LevelParameters<Offset>& level, int v, unsigned first, unsigned step) const {
    const Offset end = level.indptr[v + 1];
    double mine = 0.0;
    for (Offset k = level.indptr[v] + static_cast<Offset>(first); k < end; k += static_cast<Offset>(step)) {
      const int u = level.indices[k];
      if (given.wanted[u] == given.wanted[v]) mine += level.values[k];
    }
    if (mine != 0.0) atomicAdd(all.outside + given.wanted[v], -mine);
  }
};

template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void join(const __grid_constant__ JoinParameters<Offset> given) {
  Rounds<Offset, Joining<JoinParameters<Offset>>> rounds{given.level, {given, given.rounds}};
  const auto& policy = rounds.policy;
  rounds.list([&](int v, bool&) {
    policy.begin(v);
    return true;
  });
  rounds.work_through([&](const auto& team, const Sums&, int v) { policy.measure(team, given.level, v); });
  ++rounds.round;
  unsigned joined = 1;
  for (long long turn = 0; joined; ++turn) {
    joined = 0;
    for (int number = CLASSES - 1; number >= 0; --number) {
      const Class drawn = Class::draw(~(given.rounds.draw + turn), number);
      rounds.list([&](int v, bool&) { return policy.takes(v, drawn); });
      rounds.propose();
      joined += rounds.apply();
    }
  }
}
