// Labels of vertices, and what is added up by them. A thread owns an element.
//
// compiled: mark; hot
// compiled: number; hot
// compiled: find_least; hot
// compiled: pick; hot
// compiled: lift; hot
// compiled: count; hot
// compiled: number_sizes; hot
// compiled: rank; hot
// compiled: add_to; hot
// compiled: multiply; hot
// compiled: flag_ends; hot
// compiled: flag_between; hot
// compiled: add_apart; hot
// compiled: round_scaled; hot
// compiled: pack<Place> with Place = int | long long; hot
// compiled: flag_first; hot
// compiled: fold; hot
// compiled: count_up; hot
// compiled: scale_twice; hot
// compiled: count_long<Offset> with Offset = int | long long; hot
#pragma once

#include "headers/primitives.cuh"

using Number = unsigned long long;

__global__ void count_up(int n, int* out) {
  for (const int v : grid_range(n)) out[v] = v;
}
// used[c] = 1 for the labels c that there are.
__global__ void mark(const int* labels, int n, long long* used) {
  for (const int v : grid_range(n)) store_racing(used + labels[v], 1LL);
}
// out[v] = how many labels there are below that of v.
__global__ void number(const int* labels, const long long* upto, int n, int* out) {
  for (const int v : grid_range(n)) out[v] = static_cast<int>(upto[labels[v]]);
}
// least[c] = the smallest vertex of label c.
__global__ void find_least(const int* labels, int n, int* least) {
  for (const int v : grid_range(n)) atomicMin(least + labels[v], v);
}
// out[v] = held[labels[v]]
__global__ void pick(const int* labels, const int* held, int n, int* out) {
  for (const int v : grid_range(n)) out[v] = held[labels[v]];
}
// out[labels[v]] = labels[owners[v]], which is one for all vertices of a label.
__global__ void lift(const int* labels, const int* owners, int n, int* out) {
  for (const int v : grid_range(n)) store_racing(out + labels[v], labels[owners[v]]);
}
__global__ void count(const int* labels, int n, int* sizes) {
  for (const int v : grid_range(n)) atomicAdd(sizes + labels[v], 1);
}
// A number for each label that rises from the largest to the smallest, of equal ones with the label.
__global__ void number_sizes(const int* sizes, int many, int n, long long* keys) {
  for (const int c : grid_range(many)) keys[c] = static_cast<long long>(n - sizes[c]) << 32 | c;
}
// ranks[c] = the place of label c in these numbers, sorted.
__global__ void rank(const long long* keys, int many, int* ranks) {
  for (const int i : grid_range(many)) ranks[keys[i] & 0x7fffffff] = i;
}

// sums[places[k], side + j] += values[k, j], of `width` columns, where sums have `sides`.
__global__ void add_to(
    const int* places, const double* values, long long many, int width, double* sums, int sides, int side) {
  for (const long long k : grid_range(many))
    for (int j = 0; j < width; ++j)
      atomicAdd(sums + static_cast<long long>(places[k]) * sides + side + j, values[k * width + j]);
}
// out[c] = the product of the first and the last strength of c, over the weight of all arcs.
__global__ void multiply(const double* sums, int many, int sides, double total, double* out) {
  for (const long long c : grid_range(static_cast<long long>(many)))
    out[c] = sums[c * sides] * (sums[c * sides + sides - 1] / total);
}

// Arcs whose ends have the same label, or others.
__global__ void flag_ends(
    const int* tails, const int* heads, const int* labels, long long many, bool same, bool* flags) {
  for (const long long k : grid_range(many)) flags[k] = (labels[tails[k]] == labels[heads[k]]) == same;
}
// Arcs whose ends have different labels, that of the tail from `first` to below `last`.
__global__ void flag_between(
    const int* tails, const int* heads, const int* labels, long long many, int first, int last, bool* flags) {
  for (const long long k : grid_range(many)) {
    const int own = labels[tails[k]];
    flags[k] = first <= own && own < last && labels[heads[k]] != own;
  }
}
// The weight of arcs whose ends have different labels.
__global__ void add_apart(
    const int* tails, const int* heads, const double* values, const int* labels, long long many, double* total) {
  double mine = 0.0;
  for (const long long k : grid_range(many))
    if (labels[tails[k]] != labels[heads[k]]) mine += values[k];
  mine = block_reduce(mine);
  if (threadIdx.x == 0 && mine != 0.0) atomicAdd(total, mine);
}
// out[k] = second (first values[k])
__global__ void scale_twice(const double* values, double first, double second, long long many, double* out) {
  for (const long long k : grid_range(many)) out[k] = __dmul_rn(second, __dmul_rn(first, values[k]));
}
// The nearest whole number, the even one of two, of factor values[k]: products are less than 2^52.
__global__ void round_scaled(const double* values, double factor, long long many, double* out) {
  constexpr double UNIT = 4503599627370496.0;
  for (const long long k : grid_range(many)) out[k] = __dadd_rn(__dadd_rn(__dmul_rn(factor, values[k]), UNIT), -UNIT);
}

// The pair of labels of some arcs as one number, and their weights.
template <class Place>
__global__ void pack(const Place* chosen, const int* tails, const int* heads, const double* values, const int* labels,
                     long long many, long long* pairs, double* packed) {
  for (const long long i : grid_range(many)) {
    const Place k = chosen[i];
    pairs[i] = static_cast<long long>(labels[tails[k]]) << 32 | labels[heads[k]];
    packed[i] = values[k];
  }
}
// first[i] = 1 where sorted pairs differ from the one before.
__global__ void flag_first(const long long* pairs, const long long* order, long long many, long long* first) {
  for (const long long i : grid_range(many)) first[i] = i == 0 || pairs[order[i]] != pairs[order[i - 1]];
}
// Each pair once, with all of its weight; the weights of pair i go to place upto[i + 1] - 1.
__global__ void fold(const long long* pairs, const long long* order, const double* packed, const long long* upto,
                     long long many, int* tails, int* heads, double* sums) {
  for (const long long i : grid_range(many)) {
    const long long place = upto[i + 1] - 1;
    atomicAdd(sums + place, packed[order[i]]);
    if (upto[i] == upto[i + 1]) continue;
    tails[place] = static_cast<int>(pairs[order[i]] >> 32);
    heads[place] = static_cast<int>(pairs[order[i]] & 0x7fffffff);
  }
}

// The entries of the rows that are longer than a bound.
template <class Offset>
__global__ void count_long(const Offset* indptr, int n, long long bound, Number* total) {
  Number mine = 0;
  for (const int v : grid_range(n)) {
    const Offset length = indptr[v + 1] - indptr[v];
    if (length > bound) mine += static_cast<Number>(length);
  }
  mine = block_reduce(mine);
  if (threadIdx.x == 0 && mine) atomicAdd(total, mine);
}
