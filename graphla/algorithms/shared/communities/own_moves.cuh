// Moves on a level whose rows are spread over ranks: `move_own` lists those of one rank in a round, and `apply_moves`
// takes in those of all. A warp or a block owns a vertex, by its row.
//
// compiled: begin_moves<Offset> with Offset = int | long long; hot
// compiled: move_own<Offset> with Offset = int | long long; hot
// compiled: apply_moves<Offset> with Offset = int | long long; hot
// compiled: take_flags<Offset> with Offset = int | long long; hot
#pragma once

#include "exchange.cuh"
#include "parallel.cuh"

// Own vertices are `first` … last - 1; `arrived` has a row of flags of them from each rank, that of its own left out.
template <class Offset>
struct OwnMoveParameters {
  LevelParameters<Offset> level;
  RoundParameters rounds;
  ExchangeParameters exchange;
  const int* origin;
  bool* waits;
  bool limited;
  const bool* fixed;
  int first;
  int last;
  int rank;
  int ranks;
  const bool* arrived;
};

template <class Offset>
__device__ __forceinline__ bool owns(const OwnMoveParameters<Offset>& given, int v) {
  return given.first <= v && v < given.last;
}

template <class Offset>
__global__ void begin_moves(const __grid_constant__ OwnMoveParameters<Offset> given) {
  Members<OwnMoveParameters<Offset>>{given, given.rounds}.begin();
  for (const int v : grid_range(given.level.n))
    if (!owns(given, v)) given.waits[v] = false;
}

template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void move_own(const __grid_constant__ OwnMoveParameters<Offset> given) {
  Rounds<Offset, Moving<OwnMoveParameters<Offset>>> rounds{given.level, {given, given.rounds}};
  const Class drawn = Class::draw(given.rounds.draw, given.exchange.number);
  const bool waiting = rounds.list([&](int v, bool& waits) { return rounds.policy.takes(v, drawn, waits); });
  rounds.propose();
  list_moves(rounds, given.exchange, waiting);
}

// All move; the neighbours of own vertices that do are flagged, on any rank.
template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void apply_moves(const __grid_constant__ OwnMoveParameters<Offset> given) {
  Rounds<Offset, Moving<OwnMoveParameters<Offset>>> rounds{given.level, {given, given.rounds}};
  for (const long long i : grid_range(given.exchange.many)) {
    const long long move = given.exchange.moves[i];
    given.rounds.wanted[vertex_of(move)] = group_of(move);
    rounds.policy.change(vertex_of(move));
  }
  rounds.sync();
  over_moves(rounds, given.level.indptr, given.exchange.own, given.exchange.count, given.exchange.counts + 2,
             [&](const auto& team, long long, int v) { rounds.policy.follow(given.level, v, team.first, team.step); });
}

// Own vertices wait that another rank has flagged, too; what it has been sent is no more.
template <class Offset>
__global__ void take_flags(const __grid_constant__ OwnMoveParameters<Offset> given) {
  const long long own = given.last - given.first;
  for (const int v : grid_range(given.level.n)) {
    if (!owns(given, v)) given.waits[v] = false;
    else
      for (int rank = 0; rank < given.ranks; ++rank)
        if (rank != given.rank && given.arrived[rank * own + v - given.first]) given.waits[v] = true;
  }
}
