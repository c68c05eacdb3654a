// length[v] = min over the arcs u -> v of length[u] + w, from the end of a beginning as far as vertices that are clear:
// a shortest detour, and the way of it; see _detours.py, which says what is clear, and which way is taken of several.
//
// A block answers a question in memory of its own; a warp relaxes a vertex, the block one of many arcs. `far` is at
// most what is to go: a vertex is relaxed once its length and far are below `high`, which rises by a step when no such
// vertex waits. None is relaxed beyond the limit of the question, nor beyond the best length of a detour, as far as
// rounded sums differ. A search of more than `most` arcs is given up. At the end all is cleared that was found.
//
// compiled: find_detours<W, Offset> with W = double | long long; Offset = int | long long; hot
// compiled: lie_at_rest<W> with W = double | long long; hot
#pragma once

#include "_common.cuh"
#include "_detours_cuda.py"  // LEAD_BLOCK
#include "headers/primitives.cuh"

constexpr int ROOT = 0, ASTRAY = 1, CLEAR = 2;  // marks, above the number of the question
constexpr int NOBODY = 0x7fffffff;
constexpr int HUB = 256, HUBS = 32;  // arcs of a vertex that the block relaxes, and so many of these in a round

template <class W, class Offset>
struct DetourParameters {
  const Offset* indptr;
  const int* indices;
  const W* values;
  const W* far;
  const int* after;   // the way onward from each vertex
  bool ways;          // whether there are such
  const int* given;   // of each question: its beginning, what is banned at its end, what is clear
  const int* starts;  // of these three in `given`, and the end
  int n;
  int asked;  // the number of the question, above all marks
  W step;
  W slack;          // the share by which rounded sums differ
  const W* limits;  // of each question
  long long most;   // arcs to relax for a question
  W* lengths;       // n of each for a block, at rest infinite
  W* relaxed;       // the length of a vertex when it was relaxed; at rest infinite
  int* parents;     // at rest NOBODY
  int* marks;
  int* rounds;       // in which a vertex was queued; at rest 0
  int* lists;        // 3 n for a block: two queues, and what was found
  W* best;           // the length of each answer; without a way the least that it could have
  long long* arcs;   // relaxed for each question
  long long* sizes;  // of each way, behind them where each begins in `ways_found`, and behind these the end of all
  int* ways_found;
};

struct Work {
  unsigned long long best, arcs, hub_lengths[HUBS];
  int queued[2], found, hubs, hub[HUBS];
};

template <class W, class Offset>
struct Asked {
  using Key = typename Path<W>::Key;
  const DetourParameters<W, Offset>& p;
  Work& work;
  const Key* far;
  Key *lengths, *relaxed;
  int *parents, *marks, *rounds, *queues, *found;
  const int* banned;
  int bans, source;
  Key asked_limit, beyond = Path<W>::infinity;  // of what lies beyond the limit, the least that this thread has seen

  __device__ Asked(const DetourParameters<W, Offset>& p, Work& work) : p(p), work(work) {
    const long long begin = static_cast<long long>(blockIdx.x) * p.n;
    const int* starts = p.starts + 3 * blockIdx.x;
    far = reinterpret_cast<const Key*>(p.far);
    lengths = reinterpret_cast<Key*>(p.lengths) + begin;
    relaxed = reinterpret_cast<Key*>(p.relaxed) + begin;
    parents = p.parents + begin;
    marks = p.marks + begin;
    rounds = p.rounds + begin;
    queues = p.lists + 3 * begin;
    found = queues + 2ll * p.n;
    banned = p.given + starts[1];
    bans = starts[2] - starts[1];
    source = p.given[starts[1] - 1];
    asked_limit = reinterpret_cast<const Key*>(p.limits)[blockIdx.x];
    mark(starts[2], starts[3], CLEAR);
    mark(starts[0], starts[1], ROOT);
    if (threadIdx.x != 0) return;
    work.best = Path<W>::infinity;
    work.arcs = work.queued[0] = work.queued[1] = work.hubs = 0;
    work.found = 1;
    found[0] = source;
    lengths[source] = 0;
  }

  __device__ void mark(int begin, int end, int kind) {
    for (int i : block_range(begin, end)) marks[p.given[i]] = p.asked + kind;
  }
  __device__ bool is(int v, int kind) const { return load_racing(marks + v) == p.asked + kind; }
  __device__ Key limit() const {
    const Key best = min(static_cast<Key>(load_fresh(&work.best)), asked_limit);
    if constexpr (is_float<W>) return Path<W>::plus(best, same_bits<W>(best) * p.slack);
    else return best;
  }
  __device__ Key whole(int v) const { return Path<W>::plus(load_fresh(lengths + v), same_bits<W>(far[v])); }

  // Whether a vertex may follow another; what is banned is few, and the source is relaxed once.
  __device__ bool enters(int u, int v) const {
    if (far[v] == Path<W>::infinity || is(v, ROOT)) return false;
    if (u == source)
      for (int i = 0; i < bans; ++i)
        if (banned[i] == v) return false;
    return true;
  }

  // Walks onward until a vertex is marked, and marks those behind it; others may do so at the same time.
  __device__ bool is_clear(int v) {
    if (!p.ways) return is(v, CLEAR);
    int u = v;
    while (load_racing(marks + u) < p.asked) u = p.after[u];
    const int kind = p.asked + (is(u, CLEAR) ? CLEAR : ASTRAY);
    for (; load_racing(marks + v) < p.asked; v = p.after[v]) store_racing(marks + v, kind);
    return kind == p.asked + CLEAR;
  }

  __device__ void put(int v, int queue) {
    queues[queue * static_cast<long long>(p.n) + atomicAdd(&work.queued[queue], 1)] = v;
  }

  __device__ bool is_spent() const { return load_fresh(&work.arcs) > static_cast<unsigned long long>(p.most); }

  // Takes the arcs of all vertices of a list that begin with a length: a warp those of a vertex, the block a hub's.
  template <class Begin, class Take>
  __device__ void visit(const int* list, int size, Begin begin, Take take) {
    for (int i = warp_index(); i < size; i += blockDim.x / 32) {
      const int u = list[i];
      const Offset degree = p.indptr[u + 1] - p.indptr[u];
      Key d = Path<W>::infinity;
      int hub = HUBS;
      if (lane_index() == 0) {
        if (!is_spent()) d = begin(u);
        if (d != Path<W>::infinity) atomicAdd(&work.arcs, static_cast<unsigned long long>(degree));
        if (d != Path<W>::infinity && degree > HUB) hub = atomicAdd(&work.hubs, 1);
        if (hub < HUBS) {
          work.hub[hub] = u;
          work.hub_lengths[hub] = d;
        }
        if (hub < HUBS || is_spent()) d = Path<W>::infinity;
      }
      d = shuffle_from(d, 0);
      if (d == Path<W>::infinity) continue;
      for (Offset e : lane_range(p.indptr[u], p.indptr[u + 1])) take(u, static_cast<Key>(d), e);
    }
    __syncthreads();
    const int hubs = is_spent() ? 0 : min(work.hubs, HUBS);
    for (int i = 0; i < hubs; ++i) {
      const int u = work.hub[i];
      for (Offset e : block_range(p.indptr[u], p.indptr[u + 1])) take(u, static_cast<Key>(work.hub_lengths[i]), e);
    }
    __syncthreads();
    if (threadIdx.x == 0) work.hubs = 0;
  }

  __device__ Key begin_relaxing(int u, Key most) {
    const Key now = load_fresh(lengths + u);
    if (now >= relaxed[u] || Path<W>::plus(now, same_bits<W>(far[u])) > most) return Path<W>::infinity;
    return relaxed[u] = now;
  }

  __device__ void offer(int u, int v, Key length, Key high, Key most, int queue, int round) {
    const Key all = Path<W>::plus(length, same_bits<W>(far[v]));
    if (length == Path<W>::infinity || (all > most && all >= beyond) || !enters(u, v)) return;
    if (all > most) beyond = all;
    if (all > most || length >= load_fresh(lengths + v)) return;
    const Key before = atomicMin(lengths + v, length);
    if (length >= before) return;
    if (before == Path<W>::infinity) found[atomicAdd(&work.found, 1)] = v;
    if (is_clear(v)) atomicMin(&work.best, all);
    else if (all <= high && atomicMax(rounds + v, round) < round) put(v, queue);
  }

  // The least length of what waits; infinite if nothing does.
  __device__ Key find_least(Key most) {
    Key least = Path<W>::infinity;
    for (int i : block_range(0, work.found))
      if (waits(found[i], most)) least = min(least, whole(found[i]));
    return block_reduce(least, Path<W>::infinity, Least());
  }
  __device__ bool waits(int v, Key most) const {
    return !is(v, CLEAR) && load_fresh(lengths + v) < relaxed[v] && whole(v) <= most;
  }

  __device__ void search() {
    Key high = 0;
    for (int round = 1;; ++round) {
      __syncthreads();
      const int queue = round & 1, size = work.queued[queue];
      const Key most = limit();
      if (is_spent()) return;
      __syncthreads();
      if (threadIdx.x == 0) work.queued[queue ^ 1] = 0;
      __syncthreads();
      if (size == 0) {
        const Key least = find_least(most);
        if (least == Path<W>::infinity) return;
        high = Path<W>::plus(least, p.step);
        for (int i : block_range(0, work.found))
          if (waits(found[i], most) && whole(found[i]) <= high) put(found[i], queue ^ 1);
        continue;
      }
      visit(
          queues + queue * static_cast<long long>(p.n), size, [&](int u) { return begin_relaxing(u, most); },
          [&](int u, Key d, Offset e) {
            offer(u, p.indices[e], Path<W>::plus(d, p.values[e]), high, most, queue ^ 1, round + 1);
          });
    }
  }

  // Each vertex gets as parent the least that is nearer; in later rounds the least on its level that has one already.
  __device__ void link() {
    const Key most = limit();
    for (int i : block_range(0, work.found)) rounds[found[i]] = 0;
    for (int level = 0;; ++level) {
      if (threadIdx.x == 0 && level) work.arcs += work.found;
      __syncthreads();
      visit(
          found, work.found,
          [&](int u) {
            const bool offers = !is(u, CLEAR) && rounds[u] == level && whole(u) <= most;
            return offers ? load_fresh(lengths + u) : Path<W>::infinity;
          },
          [&](int u, Key d, Offset e) { offer_parent(u, d, e, level); });
      int waiting = 0, changed = 0;
      for (int i : block_range(1, work.found)) {
        const int v = found[i];
        if (rounds[v] != 0) continue;
        const bool waits = load_fresh(parents + v) == NOBODY;
        if (!waits) rounds[v] = level + 1;
        waiting |= waits;
        changed |= !waits;
      }
      if (threadIdx.x == 0) rounds[source] = 1;
      const bool spent = is_spent();
      waiting = __syncthreads_or(waiting);
      changed = __syncthreads_or(changed);
      if (!waiting || (level && !changed) || spent) return;
    }
  }

  __device__ void offer_parent(int u, Key d, Offset e, int level) {
    const int v = p.indices[e];
    const Key there = load_fresh(lengths + v);
    if (there == Path<W>::infinity || Path<W>::plus(d, p.values[e]) != there || !enters(u, v)) return;
    if (level ? d == there && rounds[v] == 0 : d < there) atomicMin(parents + v, u);
  }

  // The length of the answer; if no detour is within the limit, the least that one could have.
  __device__ Key find_length() {
    const Key least = block_reduce(beyond, Path<W>::infinity, Least());
    __syncthreads();
    return work.best <= asked_limit ? work.best : min(static_cast<Key>(work.best), least);
  }

  // The least clear vertex on a shortest detour.
  __device__ int find_end() {
    int end = NOBODY;
    for (int i : block_range(1, work.found))
      if (is(found[i], CLEAR) && whole(found[i]) == work.best) end = min(end, found[i]);
    return block_reduce(end, NOBODY, Least());
  }

  // No way, where a vertex on it has no parent: then a bound was greater than what is to go.
  __device__ void answer(Key least, int end) {
    int size = 0, met = end;
    for (; met != source && met != NOBODY; met = parents[met]) ++size;
    if (met == NOBODY || is_spent()) size = 0;
    reinterpret_cast<Key*>(p.best)[blockIdx.x] = is_spent() ? static_cast<Key>(0) : least;
    p.arcs[blockIdx.x] = static_cast<long long>(work.arcs);
    const long long begin = atomicAdd(
        reinterpret_cast<unsigned long long*>(p.sizes + 2 * gridDim.x), static_cast<unsigned long long>(size));
    p.sizes[blockIdx.x] = size;
    p.sizes[gridDim.x + blockIdx.x] = begin;
    int* way = p.ways_found + begin;
    for (int v = end; size > 0; v = parents[v]) way[--size] = v;
  }

  __device__ void clear() {
    for (int i : block_range(0, work.found)) {
      const int v = found[i];
      lengths[v] = relaxed[v] = Path<W>::infinity;
      parents[v] = NOBODY;
      rounds[v] = 0;
    }
  }
};

template <class W, class Offset>
__global__ void __launch_bounds__(LEAD_BLOCK, 1) find_detours(DetourParameters<W, Offset> p) {
  __shared__ Work work;
  Asked<W, Offset> question(p, work);
  question.search();
  const auto least = question.find_length();
  if (work.best == least && least != Path<W>::infinity) question.link();
  const int end = question.find_end();
  if (threadIdx.x == 0) question.answer(least, end);
  __syncthreads();
  question.clear();
}

template <class W>
__global__ void lie_at_rest(W* lengths, W* relaxed, int* parents, long long cells) {
  using Key = typename Path<W>::Key;
  for (long long i : grid_range(cells)) {
    reinterpret_cast<Key*>(lengths)[i] = reinterpret_cast<Key*>(relaxed)[i] = Path<W>::infinity;
    parents[i] = NOBODY;
  }
}
