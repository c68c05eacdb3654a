// Where vertices begin, and how far they move in a step: X += s F, with F = R(X) - L X.
//
// A thread owns a vertex. Sums of a block go to a place of its own, and each block of the next launch adds these up in
// one order.
//
// compiled: draw_cube
// compiled: place_members<DIMS> with DIMS = 2 | 3
// compiled: pull<DIMS, P> with DIMS = 2 | 3; P = int | long long; hot
// compiled: move<DIMS> with DIMS = 2 | 3; hot
#pragma once

#include "../shared/_random_words.cuh"

#include "_steps_cuda.py"  // MOVE_THREADS
#include "forces.py"       // LEAST, LONGEST, RISE, SPEED

using Number = unsigned long long;

// A coordinate of the cube [-1, 1) by its number.
__device__ __forceinline__ float draw_coordinate(long long i, Number seed) {
  return static_cast<float>(draw(mix(static_cast<Number>(i) ^ seed), 0) >> 40) * 0x1p-23f - 1;
}

__global__ void draw_cube(Number seed, float radius, long long cells, float* out) {
  for (const long long i : grid_range(cells)) out[i] = radius * draw_coordinate(i, seed);
}

// The members of a group of mass m begin around it, within sqrt(m spread).
template <int DIMS>
__global__ void place_members(const int* groups, const float* X, const float* masses, float share, float spread,
                              Number seed, long long n, float* out) {
  for (const long long i : grid_range(n * DIMS)) {
    const long long v = i / DIMS, group = groups[v];
    const float radius = sqrt(masses[group] * spread);
    out[i] = X[group * DIMS + (i - v * DIMS)] + share * radius * draw_coordinate(i, seed);
  }
}

// F += W X - D X, with the product W X, and for each block how much its vertices are drawn and swing.
template <int DIMS, class P>
__global__ __launch_bounds__(MOVE_THREADS) void pull(
    const float* values, const P* indptr, const float* sums, const float* X, const float* last, const float* masses,
    int n, float* F, float* parts) {
  float drawn = 0, swing = 0;
  for (const int v : grid_range(n)) {
    const bool filled = indptr[v] < indptr[v + 1];
    float square = 0, mean = 0;
    for (int axis = 0; axis < DIMS; ++axis) {
      const long long i = static_cast<long long>(v) * DIMS + axis;
      const float force = F[i] + (filled ? values[indptr[v] + axis] : 0.0f) - sums[v] * X[i];
      F[i] = force;
      square += (force - last[i]) * (force - last[i]);
      mean += (force + last[i]) * (force + last[i]);
    }
    swing += masses[v] * sqrt(square);
    drawn += masses[v] * (sqrt(mean) / 2);
  }
  drawn = block_reduce(drawn);
  swing = block_reduce(swing);
  if (threadIdx.x == 0) {
    parts[2 * blockIdx.x] = drawn;
    parts[2 * blockIdx.x + 1] = swing;
  }
}

// The global speed, and X += s F; the speed of the step before is infinite at first.
template <int DIMS>
__global__ __launch_bounds__(MOVE_THREADS) void move(const float* parts, int blocks, const float* F, const float* last,
                                                     int n, const float* before, float* now, float* X) {
  float drawn = 0, swing = 0;
  for (const int k : block_range(0, blocks)) {
    drawn += parts[2 * k];
    swing += parts[2 * k + 1];
  }
  drawn = block_reduce(drawn);
  swing = block_reduce(swing);
  const float wanted = drawn / fmaxf(swing, static_cast<float>(LEAST));
  const float speed = fminf(wanted, static_cast<float>(RISE) * *before);
  if (blockIdx.x == 0 && threadIdx.x == 0) *now = speed;
  for (const int v : grid_range(n)) {
    float square = 0, strength = 0;
    for (int axis = 0; axis < DIMS; ++axis) {
      const long long i = static_cast<long long>(v) * DIMS + axis;
      square += (F[i] - last[i]) * (F[i] - last[i]);
      strength += F[i] * F[i];
    }
    const float steady = static_cast<float>(SPEED) * speed / (1 + speed * sqrt(sqrt(square)));
    const float longest = static_cast<float>(LONGEST) / fmaxf(sqrt(strength), static_cast<float>(LEAST));
    const float share = fminf(steady, longest);
    for (int axis = 0; axis < DIMS; ++axis) {
      const long long i = static_cast<long long>(v) * DIMS + axis;
      X[i] += share * F[i];
    }
  }
}
