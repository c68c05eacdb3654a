// Moves on a level whose rows are spread over ranks: `move_own` those of one rank in a round, which all ranks take in by
// `move_told`. A warp or a block owns a vertex, by its row.
//
// compiled: begin_moves<Offset> with Offset = int | long long; hot
// compiled: move_own<Offset> with Offset = int | long long; hot
// compiled: move_told<Offset> with Offset = int | long long; hot
#pragma once

#include "parallel.cuh"
#include "told.cuh"

// `around` has the neighbours whose rows are here, of each vertex.
template <class Offset>
struct OwnMoveParameters {
  LevelParameters<Offset> level;
  RoundParameters rounds;
  ToldParameters told;
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
  const Class drawn = Class::draw(given.rounds.draw, given.told.number);
  const bool waiting = rounds.list([&](int v, bool& waits) { return rounds.policy.takes(v, drawn, waits); });
  rounds.propose();
  tell(rounds, given.told, waiting);
}

template <class Offset>
__global__ __launch_bounds__(THREADS, 2) void move_told(const __grid_constant__ OwnMoveParameters<Offset> given) {
  const RoundParameters& held = given.rounds;
  Rounds<Offset, Moving<OwnMoveParameters<Offset>>> rounds{given.level, {given, held}};
  for (const long long i : grid_range(given.told.count)) {
    const long long move = given.told.told[i];
    held.wanted[vertex_of(move)] = group_of(move);
    rounds.policy.change(vertex_of(move));
  }
  rounds.sync();
  const Offset* indptr = given.around_indptr;
  over_moves(rounds, indptr, given.told.told, given.told.count, given.told.numbers + 2,
             [&](const auto& team, long long, int v) {
               for (Offset k = indptr[v] + static_cast<Offset>(team.first); k < indptr[v + 1];
                    k += static_cast<Offset>(team.step)) {
                 const int u = given.around_indices[k];
                 if (held.of[u] != held.of[v]) store_racing(given.waits + u, true);
               }
             });
}
