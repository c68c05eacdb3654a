// span[v] = the places, in an Euler tour of a spanning forest, of the arcs down to v and up from it: its subtree's
// ends.
//
// A thread owns an arc of the forest, or a run of the tour. Union-find gives the forest: each vertex but a root is
// hooked along one edge. An edge from a vertex n to each root makes it a tree: edge x has the arcs 2x and 2x + 1,
// which begin at tails[2x] and tails[2x + 1]. The arcs that begin at a vertex are a list; after an arc into v the
// tour takes the arc after its reverse in the list of v, and after the last the first. So nothing is sorted.
//
// One arc of each RUN begins a run, at a place drawn by a hash: a thread walks along it, numbers its arcs, and
// stops at the next run. Runs add up their lengths by doubling, after which the place of an arc is that of its run
// and its own.
//
// compiled: root_forest<Offset> with Offset = int | long long; hot
#pragma once

#include "../shared/_hash.cuh"
#include "../shared/_trees.cuh"
#include "_rows.cuh"
#include "headers/primitives.cuh"

#include "skeleton.py"  // RUN

template <class Offset>
struct RootParameters {
  int n;
  const Offset* indptr;
  const int* indices;
  int* parent;
  int* tails;
  int* first;
  int* next;
  int* place;
  int* ahead;
  int* left;
  int* span;
  int* above;
  unsigned* barrier;
};

template <class Offset>
struct Tour {
  RootParameters<Offset> given;
  int arcs, runs;

  // Joins the trees of a root, or of a vertex that was one, and of u along the edge from v to u, as join_trees does.
  __device__ __forceinline__ int hook(int root, int v, int u) const {
    int a = root, b = find_root(given.parent, u);
    while (a != b) {
      const int high = a > b ? a : b, low = a > b ? b : a;
      const int above = atomicCAS(given.parent + high, high, low);
      if (above == high) {
        given.tails[2 * high] = u;
        given.tails[2 * high + 1] = v;
        return low;
      }
      a = above;
      b = low;
    }
    return a;
  }
  __device__ __forceinline__ void grow_forest() const {
    for (const int v : grid_range(given.n)) {
      given.parent[v] = v;
      given.first[v] = -1;
      given.tails[2 * v] = given.n;
      given.tails[2 * v + 1] = v;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) given.first[given.n] = -1;
    grid_sync(given.barrier);
    visit_rows(given.indptr, given.n, [&](int v, Offset begin, Offset end, int step) {
      if (begin >= end) return;
      int root = find_root(given.parent, v);
      for (Offset k = begin; k < end; k += step) {
        const int u = load_constant(given.indices + k);
        if (u >= v) break;
        root = hook(root, v, u);
      }
    });
    grid_sync(given.barrier);
  }
  __device__ __forceinline__ void link_arcs() const {
    for (const int a : grid_range(arcs)) given.next[a] = atomicExch(given.first + given.tails[a], a);
    grid_sync(given.barrier);
  }
  __device__ __forceinline__ int follow(int a) const {
    const int after = given.next[a ^ 1];
    return after >= 0 ? after : given.first[given.tails[a ^ 1]];
  }
  // The arc with which a run begins, and whether an arc does.
  __device__ __forceinline__ int begin_run(int run) const {
    return run * RUN + static_cast<int>(mix(static_cast<unsigned>(run)) % RUN);
  }
  __device__ __forceinline__ bool begins_run(int a) const { return begin_run(a / RUN) == a; }

  // The last run is that of the first arc of the tour.
  __device__ __forceinline__ void walk_runs() const {
    const int start = given.first[given.n];
    for (const int run : grid_range(runs)) {
      int a = run == runs - 1 ? start : begin_run(run), size = 0;
      given.ahead[run] = -1;
      given.left[run] = 0;
      if (a >= arcs || (a == start && run < runs - 1)) continue;
      do {
        store_pack(given.place + 2 * a, Pack<int, 2>{{run, size++}});
        a = follow(a);
      } while (a != start && !begins_run(a));
      given.left[run] = size;
      if (a != start) given.ahead[run] = a / RUN;
    }
    grid_sync(given.barrier);
  }
  // left[run] = the arcs from the beginning of a run to the end of the tour; returns where they are.
  __device__ __forceinline__ const int* add_runs() const {
    int *ahead = given.ahead, *left = given.left, *later = ahead + runs, *more = left + runs;
    for (int reach = 1; reach < runs; reach *= 2) {
      for (const int run : grid_range(runs)) {
        const int next = ahead[run];
        more[run] = left[run] + (next < 0 ? 0 : left[next]);
        later[run] = next < 0 ? -1 : ahead[next];
      }
      grid_sync(given.barrier);
      int *const old_ahead = ahead, *const old_left = left;
      ahead = later;
      later = old_ahead;
      left = more;
      more = old_left;
    }
    return left;
  }
  __device__ __forceinline__ void find_spans(const int* left) const {
    for (const int x : grid_range(given.n)) {
      const Pack<int, 2> ends = load_pack<2>(given.tails + 2 * x);
      const Pack<int, 4> places = load_pack<4>(given.place + 4 * x);
      const int there = arcs - left[places[0]] + places[1], back = arcs - left[places[2]] + places[3];
      const bool down = there < back;
      const int child = down ? ends[1] : ends[0];
      given.above[child] = down ? ends[0] : ends[1];
      store_pack(given.span + 2 * child, Pack<int, 2>{{min(there, back), max(there, back)}});
    }
  }
};

template <class Offset>
__global__ void root_forest(RootParameters<Offset> given) {
  const int arcs = 2 * given.n;
  const Tour<Offset> tour{given, arcs, (arcs + RUN - 1) / RUN + 1};
  tour.grow_forest();
  tour.link_arcs();
  tour.walk_runs();
  tour.find_spans(tour.add_runs());
}
