// f = (r > t out); p<f> += r; r<f> = 0; r += d A^T plus.second (f.r / out) + d lost q, until f is empty: forward push.
//
// A team of the blocks of a cooperative grid answers a query, then another one. It takes two steps a round: threads
// take the residuals of the vertices in the queue; then warps share their arcs evenly, whatever the degrees, and add to
// the residuals of the heads. Who lifts a residual above its threshold queues the vertex, and who adds to one that
// never had any lists it as touched.
//
// Ranks and residuals are whole numbers, 2^62 for 1, so that sums do not depend on the order of threads: what a round
// takes, and all answers, are the same in each run. Both are zero between queries: what was touched is cleared.
//
// compiled: push<Offset, AtBound> with Offset = int | long long; hot
// compiled: push<Offset, OnceCertain> with Offset = int | long long
#pragma once

#include "_push_cuda.py"  // FOUND, GIVEN_UP, KEPT, PUSH_COUNTS, PUSH_THREADS
#include "certain_ranks.cuh"
#include "headers/arc_queue.cuh"
#include "headers/fresh_word.cuh"
#include "headers/primitives.cuh"
#include "highest_ranks.cuh"
#include "teams.cuh"

constexpr double ONE = 4611686018427387904.0;
constexpr double FINER = 4;  // the threshold is divided by this when no residual is above it, and the sum is too large

// Where the other counts stand: packed sizes of the queues of three rounds, vertices that are touched, what was lost,
// residuals that were added up, the largest residual of a seed for each of its arcs, as bits of a double, and three
// that tell whether the first ranks are certain. After PUSH_COUNTS of them stand the vertices of the highest ranks, and
// these.
constexpr int QUEUED = 3, TOUCHED = 6, LOST = 7, TOTAL = 8, LARGEST = 9, BORDER = 10;

// When a query ends: at its bound, or before once the first ranks are certain.
struct AtBound {};
struct OnceCertain {};

struct StartParameters {
  const long long* begins;    // of the seeds of each query
  const long long* vertices;  // seeds
  const double* shares;
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

// Arrays of all vertices, as many times as there are teams.
struct WorkspaceParameters {
  unsigned long long* ranks;
  unsigned long long* residuals;
  int* touched;
  int* vertices;       // of two queues
  long long* offsets;  // of these, before and shift of each
  double* shares;      // what an entry of the queue hands on along an arc; in the end ranks
  unsigned* histograms;
  unsigned* barriers;
};

template <class Offset>
struct PushParameters {
  StartParameters start;
  EndParameters end;
  LeadParameters lead;
  const Offset* indptr;
  const int* indices;
  const double* values;
  const double* inverse;
  int n;
  int weighted;
  double damping;
  WorkspaceParameters work;
  unsigned long long* counts;  // of each query
  long long stride;            // from those of a query to those of the next one
  int queries;
  int teams;  // of blocks
};

template <class Offset, class End>
struct Pushing {
  const PushParameters<Offset>& given;
  Team team;
  int number;  // of the query
  int round;
  double threshold;

  // Where the arrays of this team and the counts of this query begin.
  __device__ __forceinline__ long long first() const { return static_cast<long long>(given.n) * team.number; }
  __device__ __forceinline__ unsigned long long* ranks() const { return given.work.ranks + first(); }
  __device__ __forceinline__ unsigned long long* residuals() const { return given.work.residuals + first(); }
  __device__ __forceinline__ int* touched() const { return given.work.touched + first(); }
  __device__ __forceinline__ int* vertices() const { return given.work.vertices + 2 * first(); }
  __device__ __forceinline__ double* shares() const { return given.work.shares + first(); }
  __device__ __forceinline__ unsigned long long* counts() const { return given.counts + number * given.stride; }

  __device__ __forceinline__ Queue<long long> queue(int turn) const {
    const long long n = given.n, half = turn & 1;
    long long* const offsets = given.work.offsets + 4 * first();
    return {vertices() + half * n, offsets + 2 * half * n, offsets + (2 * half + 1) * n};
  }
  __device__ __forceinline__ Wide* packed(int turn) const { return counts() + QUEUED + turn % 3; }
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
      const unsigned long long before = atomicAdd(residuals() + v, part);
      fresh = before == 0 && ranks()[v] == 0;
      arcs = arcs_of(v);
      const double bound = threshold * ONE * static_cast<double>(arcs);
      waits = !(static_cast<double>(before) > bound) && static_cast<double>(before + part) > bound;
    }
    warp_append(fresh, v, touched(), counts() + TOUCHED);
    enqueue(waits, v, arcs);
  }
  // Queues what waits under a new threshold, and adds up all residuals.
  __device__ __forceinline__ void list_waiting() const {
    const long long count = static_cast<long long>(read_for_block(counts() + TOUCHED));
    unsigned long long sum = 0;
    if (team.leads()) *packed(round + 2) = 0;
    for (long long base = 32ll * team.warp(); base < count; base += 32ll * team.warps()) {
      const bool mine = base + lane_index() < count;
      const int v = mine ? touched()[base + lane_index()] : 0;
      const unsigned long long residual = mine ? residuals()[v] : 0;
      const long long arcs = mine ? arcs_of(v) : 0;
      sum += residual;
      enqueue(static_cast<double>(residual) > threshold * ONE * static_cast<double>(arcs), v, arcs);
    }
    sum = block_reduce(sum);
    if (threadIdx.x == 0 && sum > 0) atomicAdd(counts() + TOTAL, sum);
  }
  __device__ __forceinline__ void take(int size) const {
    unsigned long long lost = 0;
    if (team.leads()) *packed(round + 2) = 0;
    for (const long long i : team.range(0, size)) {
      const int u = queue(round).vertex[i];
      const unsigned long long mass = residuals()[u];
      const double inverse = load_constant(given.inverse + u);
      residuals()[u] = 0;
      ranks()[u] += mass;
      shares()[i] = given.damping * static_cast<double>(mass) * inverse;
      if (inverse == 0) lost += mass;
    }
    lost = block_reduce(lost);
    if (threadIdx.x == 0 && lost > 0) atomicAdd(counts() + LOST, lost);
  }
  __device__ __forceinline__ void spread(Wide size) const {
    each_arc(queue(round), size, team.warp(), team.warps(), [this](long long where, int entry) {
      const double share = where < 0 ? 0 : shares()[entry];  // 0 where there is no arc
      const bool there = share > 0;
      const int v = there ? load_constant(given.indices + where) : 0;
      const double part = there && given.weighted ? share * load_constant(given.values + where) : share;
      add(there, v, static_cast<unsigned long long>(part));
    });
  }
  __device__ __forceinline__ void return_lost(unsigned long long lost) const {
    const double mass = given.damping * static_cast<double>(lost);
    for (long long base = 32ll * team.warp(); base < given.start.sink_count; base += 32ll * team.warps()) {
      const long long i = base + lane_index();
      const bool mine = i < given.start.sink_count;
      const double share = mine ? given.start.sink_shares[i] : 0;
      add(mine, mine ? static_cast<int>(given.start.sinks[i]) : 0, static_cast<unsigned long long>(mass * share));
    }
  }

  // Seeds have what teleports bring.
  __device__ __forceinline__ void begin() const {
    const long long begin = given.start.begins[number], end = given.start.begins[number + 1];
    double largest = 0;
    for (const long long i : team.range(begin, end)) {
      const int v = static_cast<int>(given.start.vertices[i]);
      const double mass = (1 - given.damping) * given.start.shares[i];
      residuals()[v] = static_cast<unsigned long long>(mass * ONE);
      touched()[i - begin] = v;
      largest = max(largest, mass / static_cast<double>(arcs_of(v)));
    }
    largest = block_reduce(largest, 0.0, Most());
    if (threadIdx.x == 0) atomicMax(counts() + LARGEST, static_cast<unsigned long long>(__double_as_longlong(largest)));
    if (team.leads()) counts()[TOUCHED] = static_cast<unsigned long long>(end - begin);
  }

  // Rounds until no residual is above the threshold. Returns false after too many arcs.
  __device__ __forceinline__ bool push_all(long long& walked, unsigned long long& lost) {
    while (const Wide size = read_for_block(packed(round))) {
      walked += static_cast<long long>(size & ARC_MASK);
      if (walked > given.end.patience) return false;
      take(static_cast<int>(size >> ARC_BITS));
      team.sync();
      const unsigned long long before = lost;
      lost = read_for_block(counts() + LOST);
      spread(size);
      if (lost > before) return_lost(lost - before);
      team.sync();
      ++round;
    }
    return true;
  }

  // Whether the vertices that are sought are certain. The shares of the queue are not used between its rounds.
  __device__ __forceinline__ bool is_done() const {
    const long long count = static_cast<long long>(read_for_block(counts() + TOUCHED));
    if (count < given.lead.sought) return false;
    unsigned long long* const border = counts() + BORDER;
    double most = 0;
    for (const long long i : team.range(0, count)) {
      const int v = touched()[i];
      shares()[i] = static_cast<double>(ranks()[v]) / ONE;
      most = max(most, static_cast<double>(residuals()[v]) / ONE / given.lead.slack[v]);
    }
    most = block_reduce(most, 0.0, Most());
    if (threadIdx.x == 0) atomicMax(border + LARGEST_SHARE, bits_of(most));
    if (team.leads()) {
      border[LOWEST_RANK] = bits_of(NO_RANK);
      border[LARGEST_BOUND] = 0;
    }
    team.sync();
    const Listed list{touched(), shares(), count,   given.work.histograms + team.number * RANK_STEPS * RANK_DIGITS,
                      nullptr,   nullptr,  nullptr, given.lead.sought,
                      team};
    return are_certain(list, given.lead, border);
  }

  // Pushes until the bound is met; returns by what ranks are multiplied, 0 if the query is given up.
  __device__ __forceinline__ double push_to_end() {
    const double epsilon = given.end.epsilon, d = given.damping;
    double scale = 1;
    long long walked = 0;
    unsigned long long lost = 0, added = 0;
    threshold = __longlong_as_double(static_cast<long long>(read_for_block(counts() + LARGEST)));
    for (;;) {
      threshold = epsilon > 0 ? epsilon / scale : threshold / FINER;
      list_waiting();
      team.sync();
      ++round;
      const unsigned long long total = read_for_block(counts() + TOTAL) - added;
      const bool waiting = read_for_block(packed(round)) != 0;
      added += total;
      team.sync();
      if (scale * static_cast<double>(total) <= given.end.tolerance * ONE || (epsilon > 0 && !waiting)) return scale;
      if constexpr (is_same<End, OnceCertain>)
        if (is_done()) return scale;
      if (!push_all(walked, lost)) return 0;
      if (given.start.returns) scale = (1 - d) / (1 - d - d * (static_cast<double>(lost) / ONE));
      if (epsilon > 0 && epsilon / scale >= threshold) return scale;
    }
  }

  // Lists the vertices that have a rank, with the ranks, and clears what was touched.
  __device__ __forceinline__ void clear_and_list(double scale) const {
    const long long count = static_cast<long long>(read_for_block(counts() + TOUCHED));
    for (long long base = 32ll * team.warp(); base < count; base += 32ll * team.warps()) {
      const bool mine = base + lane_index() < count;
      const int v = mine ? touched()[base + lane_index()] : 0;
      const double rank = mine ? scale * (static_cast<double>(ranks()[v]) / ONE) : 0;
      const unsigned some = __ballot_sync(WHOLE_WARP, rank > 0);
      Wide begin = 0;
      if (lane_index() == 0 && some) begin = atomicAdd(counts() + FOUND, static_cast<Wide>(__popc(some)));
      begin = shuffle_from(begin, 0) + static_cast<Wide>(__popc(some & lower_lanes()));
      if (rank > 0) {
        vertices()[begin] = v;
        shares()[begin] = rank;
      }
      if (mine) ranks()[v] = residuals()[v] = 0;
    }
  }

  __device__ __forceinline__ void answer() {
    begin();
    team.sync();
    const double scale = push_to_end();
    if (team.leads()) counts()[GIVEN_UP] = scale == 0;
    clear_and_list(scale);
    team.sync();
    if (given.end.top == 0) return;
    const long long found = static_cast<long long>(read_for_block(counts() + FOUND));
    unsigned long long* const kept = counts() + PUSH_COUNTS;
    keep_highest_ranks(
        Listed{vertices(), shares(), found, given.work.histograms + team.number * RANK_STEPS * RANK_DIGITS, kept,
               kept + given.end.top, counts() + KEPT, given.end.top, team});
  }
};

template <class Offset, class End>
__global__ __launch_bounds__(PUSH_THREADS) void push(const __grid_constant__ PushParameters<Offset> given) {
  const Team team = team_of_block(given.teams, given.work.barriers);
  if (team.number >= given.teams) return;
  for (int number = team.number; number < given.queries; number += given.teams)
    Pushing<Offset, End>{given, team, number, 0, 0}.answer();
}
