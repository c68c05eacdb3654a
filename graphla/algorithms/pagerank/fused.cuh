// rank[v] = d (sum[v] + lost share[v]) + (1 - d) teleport[v], what v hands on, how much the ranks changed, and what is
// lost.
//
// A thread owns vertices a grid apart; a block adds to the two sums of the round by one atomic each. `residual` and
// `lost` point to those of the round before; the next ones are of this round. Once a round has changed the ranks by no
// more than the tolerance, later ones leave everything as it is.
//
// compiled: finish_round<T> with T = float | double; hot
#pragma once

#include "headers/primitives.cuh"

template <class T>
struct FinishParameters {
  int n;
  const T* sums;
  const bool* present;
  bool every;
  const T* inverse;
  const T* teleport;
  int teleport_step;
  const T* share;
  int share_step;
  T* ranks;
  T* contributions;
  double* residual;
  double* lost;
  double damping;
  double tolerance;
};

template <class T>
__global__ void finish_round(FinishParameters<T> given) {
  if (given.residual[0] <= given.tolerance) {
    if (blockIdx.x == 0 && threadIdx.x == 0) given.residual[1] = given.residual[0];
    return;
  }
  const double lost = given.lost[0], damping = given.damping;
  double change = 0, dangling = 0;
  for (const int v : grid_range(given.n)) {
    const double sum = given.every || given.present[v] ? static_cast<double>(given.sums[v]) : 0.0;
    const double share = static_cast<double>(given.share[static_cast<long long>(v) * given.share_step]);
    const double teleport = static_cast<double>(given.teleport[static_cast<long long>(v) * given.teleport_step]);
    const T rank = static_cast<T>(damping * (sum + lost * share) + (1 - damping) * teleport);
    const T inverse = given.inverse[v];
    const double difference = static_cast<double>(rank) - static_cast<double>(given.ranks[v]);
    change += difference < 0 ? -difference : difference;
    if (inverse == static_cast<T>(0)) dangling += static_cast<double>(rank);
    given.ranks[v] = rank;
    given.contributions[v] = rank * inverse;
  }
  change = block_reduce(change);
  dangling = block_reduce(dangling);
  if (threadIdx.x != 0) return;
  atomicAdd(given.residual + 1, change);
  atomicAdd(given.lost + 1, dangling);
}
