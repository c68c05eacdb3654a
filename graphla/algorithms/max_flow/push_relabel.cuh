// Push and relabel: residual r, excess e, and heights h, the distances to a target along arcs with room.
//
// `find_distances` searches backward from the target: a warp owns a row of at most LONG_ROW arcs, all threads of the
// grid share a longer one. `discharge` runs rounds: the active vertices, with e[v] > 0 and h[v] < n, are listed; then a
// warp, or a block for a long row, pushes e[v] along the arcs to lower vertices, in the order of the row. If some is
// left sets h[v] to one above the lowest head of an arc with room. Only the owner of a row takes from r and e there,
// and others add: so no flow is lost. What heights it reads may be old, which the next search mends. A barred vertex
// takes nothing.
//
// compiled: find_distances<Offset> with Offset = int | long long; hot
// compiled: discharge<Offset> with Offset = int | long long; hot
// compiled: leave<Offset> with Offset = int | long long; hot
// compiled: flag_reaching; hot
// compiled: read_flow; hot
#pragma once

#include "_preflow_cuda.py"  // LEAST_ROUNDS, LONG_ROW
#include "headers/primitives.cuh"

template <class Offset>
struct FlowParameters {
  int n;
  const Offset* indptr;
  const int* indices;
  const Offset* reverse;
  long long* residual;
  long long* excess;
  int* height;
  int* queue;
  int* hubs;
  int* counts;
  int target;
  int barred;
  unsigned* barrier;
};

// Of each three pairs of counters one is read, one added to and one cleared. `depth` is the greatest finite distance,
// `active` the number of vertices that were active in the first round.
struct FlowCounts {
  int queued[3];
  int hubs[3];
  int depth;
  int active;
};

// Adds a vertex to the list of its length; all lanes of the warp call this.
template <class Offset>
__device__ __forceinline__ void append(
    const FlowParameters<Offset>& given, bool wanted, int v, int* queued, int* hubs) {
  const bool hub = wanted && given.indptr[v + 1] - given.indptr[v] > LONG_ROW;
  warp_append(wanted && !hub, v, given.queue, queued);
  warp_append(hub, v, given.hubs, hubs);
}

// What the block reads from one address, by one thread.
__device__ __forceinline__ int read_once(const int* p) {
  __shared__ int word;
  if (threadIdx.x == 0) word = load_fresh(p);
  __syncthreads();
  const int value = word;
  __syncthreads();
  return value;
}

// The tail u of the reverse of arc k gets the height if it has none and its arc has room.
template <class Offset>
__device__ __forceinline__ void look_back(
    const FlowParameters<Offset>& given, bool mine, Offset k, int height, int* queued, int* hubs) {
  int u = 0;
  bool found = false;
  if (mine) {
    u = given.indices[k];
    found = u != given.barred && load_fresh(given.height + u) == given.n &&
            load_fresh(given.residual + given.reverse[k]) > 0 &&
            atomicCAS(given.height + u, given.n, height) == given.n;
  }
  append(given, found, u, queued, hubs);
}

template <class Offset>
__global__ void find_distances(const __grid_constant__ FlowParameters<Offset> given) {
  FlowCounts* counts = reinterpret_cast<FlowCounts*>(given.counts);
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  const long long self = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (const int v : grid_range(given.n)) given.height[v] = v == given.target ? 0 : given.n;
  if (self < 32) {
    if (self < 3) counts->queued[self] = counts->hubs[self] = 0;
    __syncwarp();
    append(given, self == 0, given.target, counts->queued, counts->hubs);
  }
  grid_sync(given.barrier);
  int begin = 0, first_hub = 0;
  for (int height = 1;; ++height) {
    const int end = read_once(counts->queued), last_hub = read_once(counts->hubs);
    if (begin == end && first_hub == last_hub) {
      if (self == 0) counts->depth = height;
      return;
    }
    grid_sync(given.barrier);
    for (long long i = begin + self / 32; i < end; i += threads / 32) {
      const int v = given.queue[i];
      const Offset stop = given.indptr[v + 1];
      for (Offset k = given.indptr[v]; k < stop; k += 32)
        look_back(given, k + lane_index() < stop, k + lane_index(), height, counts->queued, counts->hubs);
    }
    for (int i = first_hub; i < last_hub; ++i) {
      const int v = given.hubs[i];
      const long long stop = given.indptr[v + 1];
      for (long long k = given.indptr[v] + self - lane_index(); k < stop; k += threads)
        look_back(given, k + lane_index() < stop, static_cast<Offset>(k + lane_index()), height, counts->queued,
                  counts->hubs);
    }
    begin = end;
    first_hub = last_hub;
    grid_sync(given.barrier);
  }
}

__device__ __forceinline__ void add_atomically(long long* place, long long x) {
  atomicAdd(reinterpret_cast<unsigned long long*>(place), static_cast<unsigned long long>(x));
}

template <bool Block>
__device__ __forceinline__ Prefix<long long> team_sum(long long x) {
  if constexpr (Block) {
    return block_exclusive_sum(x);
  } else {
    const long long upto = warp_inclusive_scan(x);
    return {upto - x, shuffle_from(upto, 31)};
  }
}

// A vertex pushes what it has to lower vertices, and rises if some is left; a warp or a block is at it.
template <bool Block, class Offset>
__device__ __forceinline__ void push(
    const FlowParameters<Offset>& given, int v, long long amount, int lane, int lanes) {
  const int own = load_fresh(given.height + v);
  const Offset stop = given.indptr[v + 1];
  long long left = amount;
  int lowest = given.n;
  for (Offset begin = given.indptr[v]; begin < stop && left > 0; begin += static_cast<Offset>(lanes)) {
    const Offset k = begin + static_cast<Offset>(lane);
    const long long room = k < stop ? load_fresh(given.residual + k) : 0;
    const int w = room > 0 ? given.indices[k] : given.barred;
    const int beside = w == given.barred ? given.n : load_fresh(given.height + w);
    const long long most = room < left ? room : left;
    const Prefix<long long> sum = team_sum<Block>(beside < own ? most : 0);
    const long long share = left - sum.before;
    if (beside < own && share > 0) {
      const long long given_away = share < most ? share : most;
      add_atomically(given.residual + k, -given_away);
      add_atomically(given.residual + given.reverse[k], given_away);
      add_atomically(given.excess + w, given_away);
    } else if (beside >= own && beside < lowest) {
      lowest = beside;
    }
    left = left > sum.total ? left - sum.total : 0;
  }
  if constexpr (Block) lowest = block_reduce(lowest, given.n, Least());
  else lowest = warp_reduce(lowest, Least());
  if (lane != 0) return;
  if (left < amount) add_atomically(given.excess + v, left - amount);
  if (left > 0) store_racing(given.height + v, lowest < given.n ? lowest + 1 : given.n);
}

template <class Offset>
__device__ __forceinline__ bool is_active(const FlowParameters<Offset>& given, int v) {
  return v != given.target && v != given.barred && load_fresh(given.excess + v) > 0 &&
         load_fresh(given.height + v) < given.n;
}

// The active vertices, in the two lists; whole warps go through the vertices.
template <class Offset>
__device__ __forceinline__ void list_active(const FlowParameters<Offset>& given, int* queued, int* hubs) {
  const long long self = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long first = self - lane_index(); first < given.n; first += threads) {
    const int v = static_cast<int>(first) + lane_index();
    const bool wanted = v < given.n && is_active(given, v);
    append(given, wanted, wanted ? v : 0, queued, hubs);
  }
}

template <class Offset>
__global__ void discharge(const __grid_constant__ FlowParameters<Offset> given) {
  FlowCounts* counts = reinterpret_cast<FlowCounts*>(given.counts);
  const bool first = blockIdx.x == 0 && threadIdx.x == 0;
  const int rounds = read_once(&counts->depth) + LEAST_ROUNDS;
  if (first)
    for (int i = 0; i < 3; ++i) counts->queued[i] = counts->hubs[i] = 0;
  grid_sync(given.barrier);
  for (int round = 0; round < rounds; ++round) {
    const int now = round % 3, following = (round + 1) % 3;
    list_active(given, counts->queued + now, counts->hubs + now);
    grid_sync(given.barrier);
    const int listed = read_once(counts->queued + now), hubs = read_once(counts->hubs + now);
    if (first) {
      counts->queued[following] = counts->hubs[following] = 0;
      if (round == 0) counts->active = listed + hubs;
    }
    if (listed + hubs == 0) return;
    const int warps = static_cast<int>(gridDim.x * (blockDim.x / 32));
    for (int i = static_cast<int>(blockIdx.x * (blockDim.x / 32)) + warp_index(); i < listed; i += warps) {
      const int v = given.queue[i];
      push<false>(given, v, shuffle_from(load_fresh(given.excess + v), 0), lane_index(), 32);
    }
    for (int i = static_cast<int>(blockIdx.x); i < hubs; i += static_cast<int>(gridDim.x)) {
      __shared__ long long amount;
      __syncthreads();
      if (threadIdx.x == 0) amount = load_fresh(given.excess + given.hubs[i]);
      __syncthreads();
      push<true>(given, given.hubs[i], amount, static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
    }
    grid_sync(given.barrier);
  }
}

// Fill all arcs of the source, which is the target here; no two lead to the same vertex.
template <class Offset>
__global__ void leave(FlowParameters<Offset> given) {
  const Offset begin = given.indptr[given.target], end = given.indptr[given.target + 1];
  for (const Offset i : grid_range(static_cast<Offset>(end - begin))) {
    const Offset k = begin + i;
    const long long amount = given.residual[k];
    given.excess[given.indices[k]] += amount;
    given.residual[given.reverse[k]] += amount;
    given.residual[k] = 0;
  }
}

// Which vertices reach the target of the last search.
__global__ void flag_reaching(const int* height, int n, bool* reaches) {
  for (const int v : grid_range(n)) reaches[v] = height[v] < n;
}

// What moved along each arc, and which vertices do not reach the sink.
__global__ void read_flow(const long long* capacity, const long long* residual, const bool* reaches, long long arcs,
                          int n, long long* moved, bool* apart) {
  for (const long long k : grid_range(arcs)) moved[k] = capacity[k] > residual[k] ? capacity[k] - residual[k] : 0;
  for (const int v : grid_range(n)) apart[v] = !reaches[v];
}
