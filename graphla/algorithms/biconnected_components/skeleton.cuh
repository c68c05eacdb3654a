// label[v] = the component, in the graph without its fences, of a vertex; numbers[arc] = that of its lower end.
//
// The edge from v up to its parent p is a fence if no edge leaves the subtree of p from that of v:
//   span[p].first <= least and most <= span[p].last,    least, most = of span[u].first for w ~ u, w below v or v
// and the subtree of v is a range of the tour, so that a tree of ranges over it answers this: node i holds the
// least and the most of the nodes 2i and 2i + 1. An edge between two vertices of which neither is above the other
// is none of the forest, and joins its ends, as the edges do that are no fences. So each component has one fence
// above it, at most.
//
// A thread owns a vertex, and a warp a long row.
//
// compiled: join_skeleton<Offset> with Offset = int | long long; hot
#pragma once

#include "../shared/_trees.cuh"
#include "_rows.cuh"
#include "headers/primitives.cuh"

template <class Offset>
struct SkeletonParameters {
  int n;
  Offset arcs;
  const Offset* indptr;
  const int* indices;
  const int* span;
  const int* above;
  int* nodes;
  int* label;
  int* numbers;
  Offset* first;
  unsigned* barrier;
};

struct Extremes {
  int least, most;

  __device__ __forceinline__ void add(int x) {
    least = min(least, x);
    most = max(most, x);
  }
  __device__ __forceinline__ void add(const int* node) {
    const Pack<int, 2> both = load_pack<2>(node);
    least = min(least, both[0]);
    most = max(most, both[1]);
  }
  __device__ __forceinline__ void store(int* node) const { store_pack(node, Pack<int, 2>{{least, most}}); }
};
constexpr int LAST_PLACE = 0x7fffffff;

template <class Offset>
struct Skeleton {
  SkeletonParameters<Offset> given;
  int places;

  __device__ __forceinline__ void begin() const {
    for (const int i : grid_range(places)) Extremes{LAST_PLACE, -1}.store(given.nodes + 2LL * (places + i));
    for (const int v : grid_range(given.n)) {
      given.label[v] = v;
      given.first[v] = given.arcs;
    }
    grid_sync(given.barrier);
  }
  __device__ __forceinline__ void find_extremes() const {
    visit_rows(given.indptr, given.n, [&](int v, Offset begin, Offset end, int step) {
      const int place = load_constant(given.span + 2LL * v);
      Extremes seen{place, place};
      for (Offset k = begin; k < end; k += step)
        seen.add(load_constant(given.span + 2LL * load_constant(given.indices + k)));
      int* const node = given.nodes + 2 * (static_cast<long long>(places) + place);
      if (step == 1) return seen.store(node);
      atomicMin(node, seen.least);
      atomicMax(node + 1, seen.most);
    });
    grid_sync(given.barrier);
  }
  __device__ __forceinline__ void build_nodes() const {
    for (int level = 1 << (31 - __clz(max(1, places - 1))); level; level /= 2) {
      for (const int i : grid_range(min(level, places - level))) {
        const long long node = level + i;
        Extremes seen{LAST_PLACE, -1};
        seen.add(given.nodes + 4 * node);
        seen.add(given.nodes + 4 * node + 2);
        seen.store(given.nodes + 2 * node);
      }
      grid_sync(given.barrier);
    }
  }
  __device__ __forceinline__ Extremes find_range(int first, int last) const {
    Extremes seen{LAST_PLACE, -1};
    long long low = static_cast<long long>(places) + first, high = static_cast<long long>(places) + last + 1;
    for (; low < high; low /= 2, high /= 2) {
      if (low & 1) seen.add(given.nodes + 2 * low++);
      if (high & 1) seen.add(given.nodes + 2 * --high);
    }
    return seen;
  }
  __device__ __forceinline__ void join_up() const {
    for (const int v : grid_range(given.n)) {
      const int p = given.above[v];
      if (p == given.n) continue;
      const Pack<int, 2> own = load_pack<2>(given.span + 2LL * v), upper = load_pack<2>(given.span + 2LL * p);
      const Extremes seen = find_range(own[0], own[1]);
      if (seen.least < upper[0] || seen.most > upper[1]) join_trees(given.label, find_root(given.label, v), p);
    }
    grid_sync(given.barrier);
  }
  // Arcs to smaller vertices, between two of which neither is above the other.
  __device__ __forceinline__ void join_across() const {
    visit_rows(given.indptr, given.n, [&](int v, Offset begin, Offset end, int step) {
      if (begin >= end) return;
      const Pack<int, 2> own = load_pack<2>(given.span + 2LL * v);
      int root = find_root(given.label, v);
      for (Offset k = begin; k < end; k += step) {
        const int u = load_constant(given.indices + k);
        if (u >= v) break;
        if (load_racing(given.label + u) == root) continue;
        const Pack<int, 2> other = load_pack<2>(given.span + 2LL * u);
        if (other[1] < own[0] || own[1] < other[0]) root = join_trees(given.label, root, u);
      }
    });
    grid_sync(given.barrier);
    compress_trees(given.label, given.n);
    grid_sync(given.barrier);
  }
  // The label of each arc, and the first arc of each label.
  __device__ __forceinline__ void label_arcs() const {
    visit_rows(given.indptr, given.n, [&](int v, Offset begin, Offset end, int step) {
      const int place = load_constant(given.span + 2LL * v), mine = given.label[v];
      for (Offset k = begin; k < end; k += step) {
        const int u = load_constant(given.indices + k);
        const int label = load_constant(given.span + 2LL * u) > place ? given.label[u] : mine;
        given.numbers[k] = label;
        if (k < load_racing(given.first + label)) atomicMin(given.first + label, k);
      }
    });
  }
};

template <class Offset>
__global__ void join_skeleton(SkeletonParameters<Offset> given) {
  const Skeleton<Offset> skeleton{given, 2 * given.n};
  skeleton.begin();
  skeleton.find_extremes();
  skeleton.build_nodes();
  skeleton.join_up();
  skeleton.join_across();
  skeleton.label_arcs();
}
