// Searches of a graph of low degree from many sources, one block each: the frontier and, where it fits, the bitmap of
// the vertices seen are in shared memory, and no block waits for another.
//
//   level[s, v] = d + 1, for every arc u -> v from the frontier of source s with v not seen from s
//
// A lane owns a vertex of the frontier; up to 32 of them go to one warp, which needs no barrier. Of a frontier larger
// than ROOM the rest is in `queue`, which has room for every vertex. Levels are -1 before the launch, bits are 0. If
// the vertices are listed, the queue has all of them, level by level, and `starts` where each level begins and the last
// one ends; `reached` has the levels of each source and its vertices.
//
// compiled: narrow_many<Offset, Rows, Seen> with Offset = int | long long; Rows = Four | Eight;
//   Seen = SeenCopied | SeenInPlace; hot
#pragma once

#include "../_common.cuh"
#include "../_device.py"  // RESIDENT_THREADS
#include "../_narrow_rows.cuh"
#include "../fused.py"  // ROOM
#include "headers/primitives.cuh"

template <class Offset>
struct NarrowManyParameters {
  int n;
  const Half* rows;
  const Offset* indptr;
  const int* indices;
  const int* sources;
  int count;
  unsigned* seen;
  int* queue;
  int* levels;
  bool listed;
  int* starts;   // n + 1 for each source, if listed
  int* reached;  // two for each source, if listed
};

struct OwnFrontier {  // `start` vertices of the queue were found before it
  int depth, start, size;
};

struct OwnWork {
  int sizes[3], step;
  OwnFrontier left;  // what warp 0 did not expand
};

// What a block finds; the two halves of `near` are this frontier and the next.
template <class Seen>
struct Own {
  unsigned* seen;
  int* near;
  int* queue;
  int* levels;
  int* size;
  int level;
  bool listed;
  // Behind a branch: with many searches side by side, four atomics under way together were slower.
  __device__ __forceinline__ unsigned put_bit(int v, bool wanted) const {
    return wanted ? atomicOr(seen + (v >> 5), bit_of(v)) : ~0u;
  }
  __device__ __forceinline__ int reserve(int count) const { return atomicAdd(size, count); }
  __device__ __forceinline__ void keep(int at, int v, int) const {
    levels[v] = level;
    if (at < ROOM) near[at] = v;
    if (at >= ROOM || listed) queue[at] = v;
  }
};

template <class Rows, class Seen, class Offset>
struct Search {
  const PaddedRows<Offset>& g;
  unsigned* seen;
  int* near;
  int* queue;
  int* levels;
  int source;
  OwnWork& work;
  int* starts;  // null if not listed

  // Thread `me` of `threads` pushes its part of a level.
  __device__ __forceinline__ void push(const OwnFrontier& f, int step, int me, int threads) const {
    const int* const now = near + (step & 1) * ROOM;
    int* const others = near + (1 - (step & 1)) * ROOM;
    const Own<Seen> finder{
        seen, others, queue + f.start + f.size, levels, &work.sizes[step % 3], f.depth + 1, starts != nullptr};
    const auto vertex = [&](int i) { return i >= f.size ? -1 : i < ROOM ? now[i] : queue[f.start + i]; };
    int u = vertex(me);
    Half left = first_half<Rows>(g, u);
    for (int i = me; i - lane_index() < f.size; i += threads) {
      const int next_u = vertex(i + threads);
      const Half next_left = first_half<Rows>(g, next_u);
      expand<Rows>(g, finder, u, left);
      u = next_u;
      left = next_left;
    }
    if (me == 0) {
      work.sizes[(step + 1) % 3] = 0;
      if (starts) starts[f.depth + 1] = f.start + f.size;
    }
  }
  __device__ __forceinline__ OwnFrontier next(const OwnFrontier& f, int step) const {
    return {f.depth + 1, f.start + f.size, work.sizes[step % 3]};
  }
  // Warp 0 pushes level after level, without barriers, while the frontier has at most one vertex per lane.
  __device__ __forceinline__ void push_by_warp(OwnFrontier f, int step) const {
    for (; f.size && f.size <= 32; ++step) {
      push(f, step, lane_index(), 32);
      __syncwarp();
      f = next(f, step);
      __syncwarp();
    }
    if (lane_index() == 0) {
      work.left = f;
      work.step = step;
    }
  }
  __device__ __forceinline__ void begin() const {
    if (threadIdx.x < 3) work.sizes[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
      near[0] = source;
      levels[source] = 0;
      if (starts) {
        queue[0] = source;
        starts[0] = 0;
      }
      bit_set(seen, source);
    }
    __syncthreads();
  }
  // The frontier that is empty.
  __device__ __forceinline__ OwnFrontier run() const {
    OwnFrontier f{0, 0, 1};
    for (int step = 0; f.size;) {
      if (f.size > 32) {
        push(f, step, threadIdx.x, blockDim.x);
        __syncthreads();
        f = next(f, step++);
        continue;
      }
      __syncthreads();  // warp 0 writes sizes that others may still read
      if (warp_index() == 0) push_by_warp(f, step);
      __syncthreads();
      f = work.left;
      step = work.step;
    }
    return f;
  }
};

template <class Offset, class Rows, class Seen>
__global__ void __launch_bounds__(RESIDENT_THREADS, 1)
    narrow_many(const __grid_constant__ NarrowManyParameters<Offset> given) {
  extern __shared__ int shared[];
  __shared__ OwnWork work;
  const PaddedRows<Offset> g{given.n, given.rows, given.indptr, given.indices};
  const int words = (given.n + 31) / 32;
  for (int s = blockIdx.x; s < given.count; s += gridDim.x) {
    unsigned* seen = given.seen + static_cast<long long>(s) * words;
    if constexpr (Seen::copied) {
      seen = reinterpret_cast<unsigned*>(shared + 2 * ROOM);
      for (int w = threadIdx.x; w < words; w += blockDim.x) seen[w] = 0;
      __syncthreads();
    }
    const long long row = static_cast<long long>(s) * given.n;
    const Search<Rows, Seen, Offset> search{
        g,
        seen,
        shared,
        given.queue + row,
        given.levels + row,
        given.sources[s],
        work,
        given.listed ? given.starts + row + s : nullptr};
    search.begin();
    const OwnFrontier last = search.run();
    if (given.listed && threadIdx.x == 0) {
      given.reached[2 * s] = last.depth;
      given.reached[2 * s + 1] = last.start;
    }
    __syncthreads();
  }
}
