// Joins on a level whose rows are spread over ranks: `join_own` lists those of one rank in a round, `apply_joins` takes
// in those of all, and `change_outside` what they change outside of parts. A warp or a block owns a vertex, by its row.
//
// compiled: begin_joins<Offset> with Offset = int | long long; hot
// compiled: link_joins<Offset> with Offset = int | long long; hot
// compiled: join_own<Offset> with Offset = int | long long; hot
// compiled: apply_joins<Offset> with Offset = int | long long; hot
// compiled: change_outside<Offset> with Offset = int | long long; hot
#pragma once

#include "../shared/communities/exchange.cuh"
#include "joins.cuh"

// `changes` of the weights outside of the parts that own vertices join; then those of all.
template <class Offset>
struct OwnJoinParameters {
  LevelParameters<Offset> level;
  RoundParameters rounds;
  ExchangeParameters exchange;
  const int* members;
  double* whole;
  double* outside;
  double* between;
  bool* linked;
  bool* open;
  double* changes;
};

// The weights from own vertices to the rest of their communities.
template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void begin_joins(const __grid_constant__ OwnJoinParameters<Offset> given) {
  Rounds<Offset, Joining<OwnJoinParameters<Offset>>> rounds{given.level, {given, given.rounds}};
  const auto& policy = rounds.policy;
  rounds.list([&](int v, bool&) {
    policy.begin(v);
    return true;
  });
  rounds.work_through([&](const auto& team, const Sums&, int v) { policy.measure(team, given.level, v); });
  if (blockIdx.x == 0 && threadIdx.x == 0) *rounds.now() = {};
}

// Once they are known of all vertices.
template <class Offset>
__global__ void link_joins(const __grid_constant__ OwnJoinParameters<Offset> given) {
  const Joining<OwnJoinParameters<Offset>> policy{given, given.rounds};
  for (const int v : grid_range(given.level.n)) given.linked[v] = policy.is_linked(v);
}

template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void join_own(const __grid_constant__ OwnJoinParameters<Offset> given) {
  Rounds<Offset, Joining<OwnJoinParameters<Offset>>> rounds{given.level, {given, given.rounds}};
  const Class drawn = Class::draw(given.rounds.draw, given.exchange.number);
  rounds.list([&](int v, bool&) { return rounds.policy.takes(v, drawn); });
  rounds.propose();
  list_moves(rounds, given.exchange, false);
}

// What joins v with its part is outside no more: from the part, and from v, with those that join beside it.
template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void apply_joins(const __grid_constant__ OwnJoinParameters<Offset> given) {
  const RoundParameters& held = given.rounds;
  Rounds<Offset, Joining<OwnJoinParameters<Offset>>> rounds{given.level, {given, held}};
  for (const long long i : grid_range(given.exchange.many)) {
    const int v = vertex_of(given.exchange.moves[i]), part = group_of(given.exchange.moves[i]);
    held.of[v] = part;
    held.wanted[v] = part;
    atomicAdd(held.sizes + part, 1);
    rounds.policy.add(held.totals, v, part);
  }
  rounds.sync();
  const Offset* indptr = given.level.indptr;
  const auto change = [&](const auto& team, long long i, int v) {
    double mine = 0.0;
    for (Offset k = indptr[v] + static_cast<Offset>(team.first); k < indptr[v + 1]; k += static_cast<Offset>(team.step))
      if (held.of[given.level.indices[k]] == held.of[v]) mine += given.level.values[k];
    mine = team.reduce(mine);
    if (team.first == 0) given.changes[i] = given.outside[v] - given.between[v] - mine;
  };
  over_moves(rounds, indptr, given.exchange.own, given.exchange.count, given.exchange.counts + 2, change);
}

template <class Offset>
__global__ void change_outside(const __grid_constant__ OwnJoinParameters<Offset> given) {
  for (const long long i : grid_range(given.exchange.many))
    atomicAdd(given.outside + group_of(given.exchange.moves[i]), given.changes[i]);
}
