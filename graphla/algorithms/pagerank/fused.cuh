// rank[v] = d (sum[v] + lost share[v]) + (1 - d) teleport[v], how much that changes the ranks, what v hands on, and
// what is lost. A round that mixes leaves (rank[v] + mix before[v]) / (1 + mix).
//
// A thread owns vertices a grid apart; a block adds to the two sums of the round by one atomic each. `before` are those
// of the round before, `after` those of this one. Once a round has changed the ranks by no more than the tolerance,
// later ones leave everything as it is. Where many GPUs own vertices, each has its sums at the end of its slot, and
// join_sums adds up those of all: one warp.
//
// What comes before the first round: invert, 1 over the sum of the arcs that leave a vertex; start_ranks, equal ranks
// or those that are there, none below 0, and what of them is lost; begin_rounds, the sums of a round that has not been:
// one thread.
//
// compiled: invert<Sum, T> with Sum = int | double; T = float | double; hot
// compiled: start_ranks<T> with T = float | double; hot
// compiled: begin_rounds
// compiled: finish_round<T> with T = float | double; hot
// compiled: join_sums
#pragma once

#include "headers/primitives.cuh"

struct RoundSums {
  double residual;
  double lost;
};

template <class Sum, class T>
__global__ void invert(int n, const Sum* sums, T* inverse) {
  for (const int v : grid_range(n))
    inverse[v] = sums[v] > static_cast<Sum>(0) ? static_cast<T>(1.0 / static_cast<double>(sums[v])) : static_cast<T>(0);
}

template <class T>
__global__ void start_ranks(int n, T rank, bool alike, const T* inverse, T* ranks, T* contributions, double* lost) {
  double dangling = 0;
  for (const int v : grid_range(n)) {
    const T own = alike ? rank : max(ranks[v], static_cast<T>(0));
    ranks[v] = own;
    contributions[v] = own * inverse[v];
    if (inverse[v] == static_cast<T>(0)) dangling += static_cast<double>(own);
  }
  dangling = block_reduce(dangling);
  if (threadIdx.x == 0) atomicAdd(lost, dangling);
}

__global__ void begin_rounds(const double* lost, RoundSums* before) {
  *before = {__longlong_as_double(0x7ff0000000000000ll), *lost};
}

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
  const RoundSums* before;
  RoundSums* after;
  double damping;
  double mix;
  double tolerance;
};

template <class T>
__global__ void finish_round(FinishParameters<T> given) {
  if (given.before->residual <= given.tolerance) {
    if (blockIdx.x == 0 && threadIdx.x == 0) given.after->residual = given.before->residual;
    return;
  }
  const double lost = given.before->lost, damping = given.damping, kept = 1 / (1 + given.mix);
  double change = 0, dangling = 0;
  for (const int v : grid_range(given.n)) {
    const double sum = given.every || given.present[v] ? static_cast<double>(given.sums[v]) : 0.0;
    const double share = static_cast<double>(given.share[static_cast<long long>(v) * given.share_step]);
    const double teleport = static_cast<double>(given.teleport[static_cast<long long>(v) * given.teleport_step]);
    const double now = static_cast<double>(static_cast<T>(damping * (sum + lost * share) + (1 - damping) * teleport));
    const double before = static_cast<double>(given.ranks[v]);
    const T rank = static_cast<T>((now + given.mix * before) * kept), inverse = given.inverse[v];
    change += now < before ? before - now : now - before;
    if (inverse == static_cast<T>(0)) dangling += static_cast<double>(rank);
    given.ranks[v] = rank;
    given.contributions[v] = rank * inverse;
  }
  change = block_reduce(change);
  dangling = block_reduce(dangling);
  if (threadIdx.x != 0) return;
  atomicAdd(&given.after->residual, change);
  atomicAdd(&given.after->lost, dangling);
}

// `sums` are those of the first slot, `stride` of them before those of the next one; those of the own slot begin anew.
__global__ void join_sums(RoundSums* sums, long long stride, int ranks, int own, const RoundSums* before,
                          RoundSums* after, double tolerance) {
  double residual = 0, lost = 0;
  for (int rank = static_cast<int>(threadIdx.x); rank < ranks; rank += 32) {
    residual += sums[rank * stride].residual;
    lost += sums[rank * stride].lost;
    if (rank == own) sums[rank * stride] = {0, 0};
  }
  residual = warp_reduce(residual);
  lost = warp_reduce(lost);
  if (threadIdx.x == 0) *after = {before->residual <= tolerance ? before->residual : residual, lost};
}
