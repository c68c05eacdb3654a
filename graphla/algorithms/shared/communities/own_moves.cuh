// Moves on a level whose rows are spread over ranks: `move_own` lists those of one rank in a round, and `apply_moves`
// takes in those of all. A warp or a block owns a vertex, by its row.
//
// compiled: begin_moves<Offset> with Offset = int | long long; hot
// compiled: move_own<Offset> with Offset = int | long long; hot
// compiled: apply_moves<Offset> with Offset = int | long long; hot
#pragma once

#include "exchange.cuh"
#include "parallel.cuh"

// `around` has the neighbours whose rows are here, of each vertex.
template <class Offset>
struct OwnMoveParameters {
  LevelParameters<Offset> level;
  RoundParameters rounds;
  ExchangeParameters exchange;
  const int* origin;
  bool* waits;
  bool limited;
  const bool* fixed;
  const Offset* around_indptr;
  const int* around_indices;
};

template <class Offset>
__global__ void begin_moves(const __grid_constant__ OwnMoveParameters<Offset> given) {
  Members<OwnMoveParameters<Offset>>{given, given.rounds}.begin();
}

template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void move_own(const __grid_constant__ OwnMoveParameters<Offset> given) {
  Rounds<Offset, Moving<OwnMoveParameters<Offset>>> rounds{given.level, {given, given.rounds}};
  const Class drawn = Class::draw(given.rounds.draw, given.exchange.number);
  const bool waiting = rounds.list([&](int v, bool& waits) { return rounds.policy.takes(v, drawn, waits); });
  rounds.propose();
  list_moves(rounds, given.exchange, waiting);
}

template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void apply_moves(const __grid_constant__ OwnMoveParameters<Offset> given) {
  const RoundParameters& held = given.rounds;
  Rounds<Offset, Moving<OwnMoveParameters<Offset>>> rounds{given.level, {given, held}};
  for (const long long i : grid_range(given.exchange.many)) {
    const long long move = given.exchange.moves[i];
    held.wanted[vertex_of(move)] = group_of(move);
    rounds.policy.change(vertex_of(move));
  }
  rounds.sync();
  const Offset* indptr = given.around_indptr;
  over_moves(rounds, indptr, given.exchange.moves, given.exchange.many, given.exchange.counts + 2,
             [&](const auto& team, long long, int v) {
               for (Offset k = indptr[v] + static_cast<Offset>(team.first); k < indptr[v + 1];
                    k += static_cast<Offset>(team.step)) {
                 const int u = given.around_indices[k];
                 if (held.of[u] != held.of[v]) store_racing(given.waits + u, true);
               }
             });
}
