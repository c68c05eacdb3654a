// f = (r > t out); p<f> += r; r<f> = 0; r += d A^T plus.second (f.r / out) + d lost q, until f is empty: forward push.
//
// A cooperative grid takes two steps a round. Threads take the residuals of the vertices in the queue; then warps share
// their arcs evenly, whatever the degrees, and add to the residuals of the heads. Who lifts a residual above its
// threshold queues the vertex, and who adds to one that never had any lists it as touched.
//
// Ranks and residuals are whole numbers, 2^62 for 1, so that sums do not depend on the order of threads: what a round
// takes, and all answers, are the same in each run. Both are zero between queries: what was touched is cleared.
//
// compiled: push<Offset> with Offset = int | long long; hot
#pragma once

#include "_push_cuda.py"  // FOUND, GIVEN_UP, KEPT, PUSH_COUNTS, PUSH_THREADS
#include "headers/arc_queue.cuh"
#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"
#include "highest_ranks.cuh"

constexpr double ONE = 4611686018427387904.0;
constexpr double FINER = 4;  // the threshold is divided by this when no residual is above it, and the sum is too large

// Where the other counts stand: packed sizes of the queues of three rounds, vertices that are touched, what was lost,
// residuals that were added up, and the largest residual of a seed for each of its arcs, as bits of a double. After
// PUSH_COUNTS of them stand the vertices of the highest ranks, and these.
constexpr int QUEUED = 4, TOUCHED = 7, LOST = 8, TOTAL = 9, LARGEST = 10;

struct StartParameters {
  const long long* vertices;  // seeds
  const double* shares;
  long long count;
  const long long* sinks;  // where dangling ranks go
  const double* sink_shares;
  long long sink_count;
  int returns;  // they go back to the seeds: all is divided by what is missing in the end
};

struct EndParameters {
  double epsilon;  // 0: there is a tolerance
  double tolerance;
  long long patience;  // arcs
  long long top;       // 0: all ranks
};

template <class Offset>
struct PushParameters {
  StartParameters start;
  EndParameters end;
  const Offset* indptr;
  const int* indices;
  const double* values;
  const double* inverse;
  int n;
  int weighted;
  double damping;
  unsigned long long* ranks;
  unsigned long long* residuals;
  int* touched;
  int* vertices;       // of two queues
  long long* offsets;  // of these, before and shift of each
  double* shares;      // what an entry of the queue hands on along an arc; in the end ranks
  unsigned* histograms;
  unsigned long long* counts;
  unsigned* barrier;
};

template <class Offset>
struct Pushing {
  const PushParameters<Offset>& given;
  int round;
  double threshold;

  __device__ __forceinline__ Queue<long long> queue(int turn) const {
    const long long n = given.n, half = turn & 1;
    return {given.vertices + half * n, given.offsets + 2 * half * n, given.offsets + (2 * half + 1) * n};
  }
  __device__ __forceinline__ Wide* packed(int turn) const { return given.counts + QUEUED + turn % 3; }
  __device__ __forceinline__ long long arcs_of(int v) const {
    const long long arcs = load_constant(given.indptr + v + 1) - load_constant(given.indptr + v);
    return arcs > 0 ? arcs : 1;
  }
  __device__ __forceinline__ void enqueue(bool wanted, int v, long long arcs) const {
    if (!__any_sync(WHOLE_WARP, wanted)) return;
    Wide* const size = packed(round + 1);
    const auto reserve = [size](Wide more) { return atomicAdd(size, more); };
    append_entries(
        queue(round + 1), reserve, v, wanted ? static_cast<long long>(given.indptr[v]) : 0, wanted ? arcs : 0);
  }
  // Every lane calls this.
  __device__ __forceinline__ void add(bool wanted, int v, unsigned long long part) const {
    bool fresh = false, waits = false;
    long long arcs = 0;
    if (wanted && part > 0) {
      const unsigned long long before = atomicAdd(given.residuals + v, part);
      fresh = before == 0 && given.ranks[v] == 0;
      arcs = arcs_of(v);
      const double bound = threshold * ONE * static_cast<double>(arcs);
      waits = !(static_cast<double>(before) > bound) && static_cast<double>(before + part) > bound;
    }
    warp_append(fresh, v, given.touched, given.counts + TOUCHED);
    enqueue(waits, v, arcs);
  }
  // Queues what waits under a new threshold, and adds up all residuals.
  __device__ __forceinline__ void list_waiting() const {
    const long long touched = static_cast<long long>(read_for_block(given.counts + TOUCHED));
    unsigned long long sum = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0) *packed(round + 2) = 0;
    for (long long base = 32ll * warp_of_grid(); base < touched; base += 32ll * warps_of_grid()) {
      const bool mine = base + lane_index() < touched;
      const int v = mine ? given.touched[base + lane_index()] : 0;
      const unsigned long long residual = mine ? given.residuals[v] : 0;
      const long long arcs = mine ? arcs_of(v) : 0;
      sum += residual;
      enqueue(static_cast<double>(residual) > threshold * ONE * static_cast<double>(arcs), v, arcs);
    }
    sum = block_reduce(sum);
    if (threadIdx.x == 0 && sum > 0) atomicAdd(given.counts + TOTAL, sum);
  }
  __device__ __forceinline__ void take(int size) const {
    unsigned long long lost = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0) *packed(round + 2) = 0;
    for (const int i : grid_range(size)) {
      const int u = queue(round).vertex[i];
      const unsigned long long mass = given.residuals[u];
      const double inverse = load_constant(given.inverse + u);
      given.residuals[u] = 0;
      given.ranks[u] += mass;
      given.shares[i] = given.damping * static_cast<double>(mass) * inverse;
      if (inverse == 0) lost += mass;
    }
    lost = block_reduce(lost);
    if (threadIdx.x == 0 && lost > 0) atomicAdd(given.counts + LOST, lost);
  }
  __device__ __forceinline__ void spread(Wide size) const {
    each_arc(queue(round), size, warp_of_grid(), warps_of_grid(), [this](long long where, int entry) {
      const double share = where < 0 ? 0 : given.shares[entry];  // 0 where there is no arc
      const bool there = share > 0;
      const int v = there ? load_constant(given.indices + where) : 0;
      const double part = there && given.weighted ? share * load_constant(given.values + where) : share;
      add(there, v, static_cast<unsigned long long>(part));
    });
  }
  __device__ __forceinline__ void return_lost(unsigned long long lost) const {
    const double mass = given.damping * static_cast<double>(lost);
    for (long long base = 32ll * warp_of_grid(); base < given.start.sink_count; base += 32ll * warps_of_grid()) {
      const long long i = base + lane_index();
      const bool mine = i < given.start.sink_count;
      const double share = mine ? given.start.sink_shares[i] : 0;
      add(mine, mine ? static_cast<int>(given.start.sinks[i]) : 0, static_cast<unsigned long long>(mass * share));
    }
  }
  __device__ __forceinline__ static int warp_of_grid() {
    return static_cast<int>(blockIdx.x * (PUSH_THREADS / 32)) + warp_index();
  }
  __device__ __forceinline__ static int warps_of_grid() { return static_cast<int>(gridDim.x * (PUSH_THREADS / 32)); }
};

// Seeds have what teleports bring.
template <class Offset>
__device__ __forceinline__ void begin_push(const PushParameters<Offset>& given, const Pushing<Offset>& pushing) {
  double largest = 0;
  for (const long long i : grid_range(given.start.count)) {
    const int v = static_cast<int>(given.start.vertices[i]);
    const double mass = (1 - given.damping) * given.start.shares[i];
    given.residuals[v] = static_cast<unsigned long long>(mass * ONE);
    given.touched[i] = v;
    largest = max(largest, mass / static_cast<double>(pushing.arcs_of(v)));
  }
  largest = block_reduce(largest, 0.0, Most());
  if (threadIdx.x != 0) return;
  atomicMax(given.counts + LARGEST, static_cast<unsigned long long>(__double_as_longlong(largest)));
  if (blockIdx.x == 0) given.counts[TOUCHED] = static_cast<unsigned long long>(given.start.count);
}

// Rounds until no residual is above the threshold. Returns false after too many arcs.
template <class Offset>
__device__ __forceinline__ bool push_all(
    const PushParameters<Offset>& given, Pushing<Offset>& pushing, long long& walked, unsigned long long& lost) {
  while (const Wide size = read_for_block(pushing.packed(pushing.round))) {
    walked += static_cast<long long>(size & ARC_MASK);
    if (walked > given.end.patience) return false;
    pushing.take(static_cast<int>(size >> ARC_BITS));
    grid_sync(given.barrier);
    const unsigned long long before = lost;
    lost = read_for_block(given.counts + LOST);
    pushing.spread(size);
    if (lost > before) pushing.return_lost(lost - before);
    grid_sync(given.barrier);
    ++pushing.round;
  }
  return true;
}

// Pushes until the bound is met; returns by what ranks are multiplied, 0 if the query is given up.
template <class Offset>
__device__ __forceinline__ double push_to_end(const PushParameters<Offset>& given, Pushing<Offset>& pushing) {
  const double epsilon = given.end.epsilon, d = given.damping;
  const double largest = __longlong_as_double(static_cast<long long>(read_for_block(given.counts + LARGEST)));
  double scale = 1;
  long long walked = 0;
  unsigned long long lost = 0, added = 0;
  for (pushing.threshold = largest;;) {
    pushing.threshold = epsilon > 0 ? epsilon / scale : pushing.threshold / FINER;
    pushing.list_waiting();
    grid_sync(given.barrier);
    ++pushing.round;
    const unsigned long long total = read_for_block(given.counts + TOTAL) - added;
    const bool waiting = read_for_block(pushing.packed(pushing.round)) != 0;
    added += total;
    grid_sync(given.barrier);
    if (scale * static_cast<double>(total) <= given.end.tolerance * ONE || (epsilon > 0 && !waiting)) return scale;
    if (!push_all(given, pushing, walked, lost)) return 0;
    if (given.start.returns) scale = (1 - d) / (1 - d - d * (static_cast<double>(lost) / ONE));
    if (epsilon > 0 && epsilon / scale >= pushing.threshold) return scale;
  }
}

// Lists the vertices that have a rank, with the ranks, and clears what was touched.
template <class Offset>
__device__ __forceinline__ void clear_and_list(const PushParameters<Offset>& given, double scale) {
  const long long touched = static_cast<long long>(read_for_block(given.counts + TOUCHED));
  for (long long base = 32ll * Pushing<Offset>::warp_of_grid(); base < touched;
       base += 32ll * Pushing<Offset>::warps_of_grid()) {
    const bool mine = base + lane_index() < touched;
    const int v = mine ? given.touched[base + lane_index()] : 0;
    const double rank = mine ? scale * (static_cast<double>(given.ranks[v]) / ONE) : 0;
    const unsigned some = __ballot_sync(WHOLE_WARP, rank > 0);
    unsigned long long begin = 0;
    if (lane_index() == 0 && some) begin = atomicAdd(given.counts + FOUND, static_cast<Wide>(__popc(some)));
    begin = shuffle_from(begin, 0) + static_cast<unsigned long long>(__popc(some & lower_lanes()));
    if (rank > 0) {
      given.vertices[begin] = v;
      given.shares[begin] = rank;
    }
    if (mine) given.ranks[v] = given.residuals[v] = 0;
  }
}

template <class Offset>
__global__ __launch_bounds__(PUSH_THREADS) void push(const __grid_constant__ PushParameters<Offset> given) {
  Pushing<Offset> pushing{given, 0, 0};
  begin_push(given, pushing);
  grid_sync(given.barrier);
  const double scale = push_to_end(given, pushing);
  if (blockIdx.x == 0 && threadIdx.x == 0) given.counts[GIVEN_UP] = scale == 0;
  clear_and_list(given, scale);
  if (given.end.top == 0) return;
  grid_sync(given.barrier);
  keep_highest_ranks(Listed{given.vertices, given.shares, static_cast<long long>(read_for_block(given.counts + FOUND)),
                            given.histograms, given.counts + PUSH_COUNTS, given.counts + PUSH_COUNTS + given.end.top,
                            given.counts + KEPT, given.end.top, given.barrier});
}
