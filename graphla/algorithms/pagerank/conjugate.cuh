// Conjugate gradients for (I − d P) x = b in ⟨x, y⟩ = ∑ x y / out: x the ranks, r = b + d P x − x the residuals, p the
// way that is gone, f = (I − d P) p what of r falls along it. `shares` are r / out, and `sums` their product, P r.
//
// A thread owns vertices a grid apart; a block adds to sums by one atomic each. survey_arcs finds what vertices without
// arcs hold, and the sum of `out`; begin_descent makes r of ranks that are given and their product, or of ranks that
// P keeps. Then a round is a product; weigh_descent, which finds ⟨r, P r⟩; and step_descent. Once the residuals are
// within the goal, or rounding has left no slope, later rounds leave everything as it is.
//
// compiled: survey_arcs<T> with T = float | double; hot
// compiled: begin_descent<T> with T = float | double; hot
// compiled: weigh_descent<T> with T = float | double; hot
// compiled: step_descent<T> with T = float | double; hot
#pragma once

#include "headers/primitives.cuh"

// Of vertices without arcs, what of teleports and of what is lost goes there; of others the sum of `out`.
struct ArcSums {
  double teleport;
  double share;
  double out;
};

// ∑ |r|, ⟨r, r⟩ and that of the round before, ⟨r, P r⟩, and how far the round before went.
struct DescentRound {
  double size;
  double square;
  double before;
  double product;
  double alpha;
};

template <class T>
struct DescentParameters {
  int n;
  const T* sums;
  const bool* present;
  bool every;
  const T* inverse;
  const T* teleport;
  int teleport_step;
  const T* share;
  int share_step;
  bool given;     // there are ranks to begin with, and their product
  double spread;  // else 1 if ranks begin in proportion to `out`, 0 if at 0
  double kept;    // 0 if what is lost goes nowhere, else 1
  T* ranks;
  T* residuals;
  T* ways;
  T* falls;
  T* shares;
  ArcSums* known;
  DescentRound* rounds;  // this one, and the next
  double damping;
  double goal;
};

template <class T>
__device__ __forceinline__ double sum_of(const DescentParameters<T>& given, int v) {
  return given.every || given.present[v] ? static_cast<double>(given.sums[v]) : 0.0;
}

template <class T>
__global__ void survey_arcs(DescentParameters<T> given) {
  ArcSums own = {0, 0, 0};
  for (const int v : grid_range(given.n)) {
    const T inverse = given.inverse[v];
    if (inverse > static_cast<T>(0)) {
      own.out += 1 / static_cast<double>(inverse);
    } else {
      own.teleport += static_cast<double>(given.teleport[static_cast<long long>(v) * given.teleport_step]);
      own.share += static_cast<double>(given.share[static_cast<long long>(v) * given.share_step]);
    }
    if (given.given) given.shares[v] = given.ranks[v] * inverse;
  }
  own = {block_reduce(own.teleport), block_reduce(own.share), block_reduce(own.out)};
  if (threadIdx.x != 0) return;
  atomicAdd(&given.known->teleport, own.teleport);
  atomicAdd(&given.known->share, own.share);
  atomicAdd(&given.known->out, own.out);
}

template <class T>
__device__ __forceinline__ void add_residuals(DescentRound* round, double size, double square) {
  size = block_reduce(size);
  square = block_reduce(square);
  if (threadIdx.x != 0) return;
  atomicAdd(&round->size, size);
  atomicAdd(&round->square, square);
}

template <class T>
__global__ void begin_descent(DescentParameters<T> given) {
  const ArcSums known = *given.known;
  const double d = given.damping, lost = (1 - d) * known.teleport / (1 - d * known.share);
  const double others = (1 - d + d * lost * given.kept - lost) / (1 - d);
  const double scale = known.out > 0 ? given.spread * others / known.out : 0.0;
  double size = 0, square = 0;
  for (const int v : grid_range(given.n)) {
    const double share = static_cast<double>(given.share[static_cast<long long>(v) * given.share_step]);
    const double teleport = static_cast<double>(given.teleport[static_cast<long long>(v) * given.teleport_step]);
    const double b = (1 - d) * teleport + d * lost * share, inverse = static_cast<double>(given.inverse[v]);
    const bool alone = !(inverse > 0);
    const T rank = static_cast<T>(alone ? b : given.given ? static_cast<double>(given.ranks[v]) : scale / inverse);
    const double sum = given.given ? sum_of(given, v) : static_cast<double>(rank);
    const T left = static_cast<T>(alone ? 0.0 : b + d * sum - static_cast<double>(rank));
    given.ranks[v] = rank;
    given.residuals[v] = left;
    given.shares[v] = left * static_cast<T>(inverse);
    given.ways[v] = given.falls[v] = static_cast<T>(0);
    size += fabs(static_cast<double>(left));
    square += static_cast<double>(left) * static_cast<double>(left) * inverse;
  }
  add_residuals<T>(given.rounds, size, square);
  if (blockIdx.x == 0 && threadIdx.x == 0)
    given.rounds->before = given.rounds->alpha = __longlong_as_double(0x7ff0000000000000ll);
}

template <class T>
__global__ void weigh_descent(DescentParameters<T> given) {
  if (given.rounds->size <= given.goal) return;
  double product = 0;
  for (const int v : grid_range(given.n)) product += static_cast<double>(given.shares[v]) * sum_of(given, v);
  product = block_reduce(product);
  if (threadIdx.x == 0) atomicAdd(&given.rounds->product, product);
}

template <class T>
__global__ void step_descent(DescentParameters<T> given) {
  const DescentRound now = given.rounds[0];
  const double d = given.damping, beta = now.square / now.before;
  const double slope = now.square - d * now.product - beta * now.square / now.alpha, alpha = now.square / slope;
  const bool leads = blockIdx.x == 0 && threadIdx.x == 0;
  if (now.size <= given.goal || !(slope > 0)) {
    if (leads) given.rounds[1] = {now.size, now.square, now.before, 0, now.alpha};
    return;
  }
  double size = 0, square = 0;
  for (const int v : grid_range(given.n)) {
    const double before = static_cast<double>(given.residuals[v]), inverse = static_cast<double>(given.inverse[v]);
    const double way = before + beta * static_cast<double>(given.ways[v]);
    const double fall = before - d * sum_of(given, v) + beta * static_cast<double>(given.falls[v]);
    const double left = before - alpha * fall;
    given.ways[v] = static_cast<T>(way);
    given.falls[v] = static_cast<T>(fall);
    given.residuals[v] = static_cast<T>(left);
    given.shares[v] = static_cast<T>(left * inverse);
    given.ranks[v] = static_cast<T>(static_cast<double>(given.ranks[v]) + alpha * way);
    size += fabs(left);
    square += left * left * inverse;
  }
  add_residuals<T>(given.rounds + 1, size, square);
  if (!leads) return;
  given.rounds[1].before = now.square;
  given.rounds[1].alpha = alpha;
}
