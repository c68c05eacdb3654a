// ranks[v] becomes ranks[v] right(c) / mass(c) in the component c of v: see _masses.py for right(c).
//
// A thread owns vertices a grid apart. What it has of one component, which is the largest unless the graph is odd, a
// block adds up; others are added by atomics, to the place of the component's number, its smallest vertex.
//
// compiled: sum_masses; hot
// compiled: weigh_masses; hot
// compiled: place_masses; hot
#pragma once

#include "_masses_cpu.py"  // LEAST
#include "headers/primitives.cuh"

// Of the ranks of a component, of those without leaving arcs, of where the lost go, of teleports.
struct Masses {
  double mass;
  double stuck;
  double share;
  double teleport;
};

struct MassParameters {
  int n;
  const int* labels;
  const int* common;
  const int* degrees;
  double* ranks;
  const double* share;
  int share_step;
  const double* teleport;
  int teleport_step;
  Masses* sums;
  double* totals;
  double damping;
};

__global__ void sum_masses(MassParameters given) {
  const int common = given.labels[*given.common];
  Masses own = {0, 0, 0, 0};
  for (const int v : grid_range(given.n)) {
    const double share = given.share[static_cast<long long>(v) * given.share_step];
    const double teleport = given.teleport[static_cast<long long>(v) * given.teleport_step];
    const double rank = given.ranks[v] + LEAST * (share + teleport);
    const double stuck = given.degrees[v] == 0 ? rank : 0.0;
    given.ranks[v] = rank;
    if (given.labels[v] == common) {
      own = {own.mass + rank, own.stuck + stuck, own.share + share, own.teleport + teleport};
    } else {
      Masses* sums = given.sums + given.labels[v];
      atomicAdd(&sums->mass, rank);
      atomicAdd(&sums->stuck, stuck);
      atomicAdd(&sums->share, share);
      atomicAdd(&sums->teleport, teleport);
    }
  }
  own = {block_reduce(own.mass), block_reduce(own.stuck), block_reduce(own.share), block_reduce(own.teleport)};
  if (threadIdx.x != 0) return;
  atomicAdd(&given.sums[common].mass, own.mass);
  atomicAdd(&given.sums[common].stuck, own.stuck);
  atomicAdd(&given.sums[common].share, own.share);
  atomicAdd(&given.sums[common].teleport, own.teleport);
}

// The share of a component's rank that is lost, and what settles of its rank for each unit that comes to it.
struct Turnover {
  double lost;
  double settled;
};

__device__ Turnover find_turnover(const Masses& sums, double damping) {
  const double lost = sums.stuck / sums.mass;
  return {lost, 1 / (1 - damping + damping * lost)};
}

__global__ void weigh_masses(MassParameters given) {
  double share = 0, teleport = 0;
  for (const int c : grid_range(given.n)) {
    const Masses sums = given.sums[c];
    if (!(sums.mass > 0)) continue;
    const Turnover of = find_turnover(sums, given.damping);
    share += of.lost * of.settled * sums.share;
    teleport += of.lost * of.settled * sums.teleport;
  }
  share = block_reduce(share);
  teleport = block_reduce(teleport);
  if (threadIdx.x != 0) return;
  atomicAdd(&given.totals[0], share);
  atomicAdd(&given.totals[1], teleport);
}

__global__ void place_masses(MassParameters given) {
  const double d = given.damping, lost = (1 - d) * given.totals[1] / (1 - d * given.totals[0]);
  for (const int v : grid_range(given.n)) {
    const Masses sums = given.sums[given.labels[v]];
    const double right = (d * lost * sums.share + (1 - d) * sums.teleport) * find_turnover(sums, d).settled;
    if (sums.mass > 0) given.ranks[v] *= right / sums.mass;
  }
}
