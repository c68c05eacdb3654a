// heads[offsets[i] …] = heads of the arcs that vertices[i] draws, arcs[…] their places; -1 where there is none.
//
// A thread owns a vertex. Its random numbers are hashes of its key and of the words of the draws. Different places are
// chosen by Floyd's method: the j-th draw is one of the first n - k + j + 1, and the last of these if it is there
// already. By weights a number below the sum of what is left is moved past the places that are taken, which stand in
// order in `arcs` meanwhile.
//
// compiled: count_draws<Offset, Time> with Offset = int | long long; Time = long long | double; hot
// compiled: draw_arcs<Offset, Time> with Offset = int | long long; Time = long long | double; hot
#pragma once

#include "headers/primitives.cuh"

#include "../shared/_random_words.cuh"

template <class Offset, class Time>
struct DrawParameters {
  int count;
  int fanout;
  int replace;
  int latest;
  int weighted;
  int timed;
  int disjoint;
  int placed;
  long long base;
  const long long* vertices;
  const long long* trees;
  const unsigned long long* roots;
  const Time* limits;
  const unsigned long long* words;
  const Offset* indptr;
  const int* indices;
  const long long* places;
  const unsigned long long* sums;
  const Time* times;
  long long* offsets;
  long long* tails;
  long long* heads;
  long long* arcs;
};

template <class Offset, class Time>
struct Drawer {
  DrawParameters<Offset, Time> given;
  unsigned long long key;
  long long begin;
  long long end;
  long long size;
  long long* out;
  long long* taken;

  __device__ __forceinline__ unsigned long long draw(long long j) const { return mix(key ^ given.words[j]); }
  __device__ __forceinline__ unsigned long long sum_below(long long place) const {
    return place > begin ? load_constant(given.sums + place - 1) : 0;
  }
  __device__ __forceinline__ unsigned long long weigh(long long place) const {
    return load_constant(given.sums + place) - sum_below(place);
  }
  __device__ __forceinline__ void take_all(long long first, bool weighted) const {
    for (long long j = 0; j < size; ++j) out[j] = weighted && weigh(first + j) == 0 ? -1 : first + j;
  }
  __device__ __forceinline__ void draw_repeatedly() const {
    const unsigned long long total = given.weighted ? load_constant(given.sums + end - 1) : 0;
    for (long long j = 0; j < size; ++j) {
      const unsigned long long number = draw(j);
      if (!given.weighted) out[j] = begin + scale_word(number, static_cast<unsigned long long>(end - begin));
      else out[j] = total == 0 ? -1 : find_exceeding(given.sums, begin, end, multiply_high(number, total));
    }
  }
  __device__ __forceinline__ void draw_distinct() const {
    for (long long j = 0; j < size; ++j) {
      const long long last = end - size + j;
      long long found = begin + scale_word(draw(j), static_cast<unsigned long long>(last - begin + 1));
      for (long long i = 0; i < j; ++i) {
        if (out[i] == found) {
          found = last;
          break;
        }
      }
      out[j] = found;
    }
  }
  __device__ __forceinline__ void draw_by_weight() const {
    unsigned long long left = load_constant(given.sums + end - 1);
    for (long long j = 0; j < size; ++j) {
      if (left == 0) {
        out[j] = -1;
        continue;
      }
      unsigned long long x = multiply_high(draw(j), left);
      long long at = 0;
      for (; at < j && x >= sum_below(taken[at]); ++at) x += weigh(taken[at]);
      const long long place = find_exceeding(given.sums, begin, end, x);
      for (long long i = j; i > at; --i) taken[i] = taken[i - 1];
      taken[at] = place;
      out[j] = place;
      left -= weigh(place);
    }
  }
};

template <class Offset, class Time>
__device__ __forceinline__ long long find_end(const DrawParameters<Offset, Time>& given, int i) {
  const long long v = given.vertices[i];
  long long low = given.indptr[v], high = given.indptr[v + 1];
  if (!given.timed) return high;
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (given.times[middle] <= given.limits[i]) low = middle + 1;
    else high = middle;
  }
  return low;
}

template <class Offset, class Time>
__global__ void count_draws(DrawParameters<Offset, Time> given) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= given.count) return;
  const long long degree = find_end(given, i) - given.indptr[given.vertices[i]];
  const bool all = given.fanout < 0 || (degree < given.fanout && !(given.replace && degree > 0));
  given.offsets[i] = all ? degree : given.fanout;
}

template <class Offset, class Time>
__global__ void draw_arcs(DrawParameters<Offset, Time> given) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= given.count) return;
  const long long v = given.vertices[i], first = given.offsets[i], size = given.offsets[i + 1] - first;
  if (size == 0) return;
  const unsigned long long root = given.roots[given.disjoint ? given.trees[i] : 0];
  const Drawer<Offset, Time> drawer{
      given,
      mix(root ^ static_cast<unsigned long long>(v)),
      given.indptr[v],
      find_end(given, i),
      size,
      given.heads + first,
      given.arcs + first};
  if (given.replace && given.fanout > 0) drawer.draw_repeatedly();
  else if (drawer.end - drawer.begin == size) drawer.take_all(drawer.begin, given.weighted != 0);
  else if (given.latest) drawer.take_all(drawer.end - size, false);
  else if (given.weighted) drawer.draw_by_weight();
  else drawer.draw_distinct();
  for (long long j = 0; j < size; ++j) {
    const long long place = drawer.out[j];
    given.tails[first + j] = given.base + i;
    given.heads[first + j] = place < 0 ? -1 : load_constant(given.indices + place);
    given.arcs[first + j] = place < 0 || !given.placed ? place : load_constant(given.places + place);
  }
}
