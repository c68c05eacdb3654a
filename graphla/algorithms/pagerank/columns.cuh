// rank[v, j] = d (Σ_u w handed[u, j] + lost[j] share[v, j]) + (1 − d) teleport[v, j]: a round of up to 32 rankings j.
//
// The ranks of a vertex lie side by side, so that an arc is read once for all rankings, and what its tail hands on is
// one line of memory. T lanes of V rankings are a team; A teams share the arcs of a vertex, and add them up in double.
// A row of more than COLUMNS_LONG arcs is cut into chunks: sum_chunks leaves the sums of each, a block a chunk, and
// rank_columns adds them up in their order. What a ranking changes and loses is left by blocks, and settle_columns adds
// that up, a block a ranking: a run has the same bits as another. A ranking that has settled stays as it is, and has
// changed by 0 then; a lane none of whose rankings moves reads nothing.
//
// Before the first round: place_seeds says where in the table the teleports to a vertex are; start_columns makes ranks
// equal.
//
// compiled: place_seeds
// compiled: start_columns<R> with R = float | double; hot
// compiled: sum_chunks<R, Offset, WEIGHTED, V, T> with R = float; Offset = int | long long; WEIGHTED = true | false;
//   V = 4; T = 8; hot
// compiled: sum_chunks<R, Offset, WEIGHTED, V, T> with R = double; Offset = int; WEIGHTED = false; V = 2; T = 16; hot
// compiled: rank_columns<R, Offset, WEIGHTED, V, T, A> with R = float; Offset = int | long long;
//   WEIGHTED = true | false; V = 4; T = 8; A = 1 | 4; hot on sm_80 sm_90
// compiled: rank_columns<R, Offset, WEIGHTED, V, T, A> with R = double; Offset = int; WEIGHTED = false; V = 2; T = 16;
//   A = 1 | 2; hot
// compiled: settle_columns
#pragma once

#include "_columns_cuda.py"  // COLUMNS_CHUNK, COLUMNS_LONG, COLUMNS_THREADS
#include "headers/primitives.cuh"

constexpr int COLUMNS_EACH = 4;  // arcs of a team whose loads are under way together
constexpr int COLUMNS_WARPS = COLUMNS_THREADS / 32;

template <class R, class Offset>
struct ColumnsParameters {
  int n;
  int stride;
  int tasks;
  const Offset* indptr;
  const int* indices;
  const R* values;
  const R* inverse;
  const int* places;
  const R* table;
  const R* share;
  int share_step;
  bool returns;  // dangling rank goes where teleports go
  const int* task_row;
  const int* task_chunk;
  double* chunks;
  R* ranks;
  const R* handed;
  R* fresh;
  const double* settled;  // what each ranking changed in the round before, and then what each lost
  double* moved;          // the same of each block of this round: a row of blocks for each number
  double damping;
  double tolerance;
};

__global__ void place_seeds(int count, const int* vertices, int* places) {
  for (const int k : grid_range(count)) places[vertices[k]] = k;
}

// V rankings of a lane.
template <class R, class Offset, bool WEIGHTED, int V>
struct Columns {
  const ColumnsParameters<R, Offset>& given;
  const int column;
  double total[V];
  bool live = false;

  __device__ __forceinline__ Columns(const ColumnsParameters<R, Offset>& from, int first) : given(from), column(first) {
#pragma unroll
    for (int k = 0; k < V; ++k) live = live || !is_settled(k);
  }
  __device__ __forceinline__ bool is_settled(int k) const { return given.settled[column + k] <= given.tolerance; }
  __device__ __forceinline__ double lost(int k) const { return given.settled[given.stride + column + k]; }
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int k = 0; k < V; ++k) total[k] = 0;
  }
  // Every `step`-th arc from `begin` to `end`.
  __device__ __forceinline__ void walk(Offset begin, Offset end, int step) {
    if (!live) return;
    for (Offset q = begin; q < end; q += COLUMNS_EACH * step) {
      Pack<R, V> handed[COLUMNS_EACH];
      double weight[COLUMNS_EACH];
#pragma unroll
      for (int i = 0; i < COLUMNS_EACH; ++i) {
        const Offset at = q + i * step < end ? q + i * step : q;
        const long long tail = load_constant(given.indices + at);
        handed[i] = load_pack<V>(given.handed + tail * given.stride + column);
        weight[i] = 1;
        if constexpr (WEIGHTED) weight[i] = static_cast<double>(load_constant(given.values + at));
      }
#pragma unroll
      for (int i = 0; i < COLUMNS_EACH; ++i) {
        if (q + i * step >= end) break;
#pragma unroll
        for (int k = 0; k < V; ++k)
          total[k] += WEIGHTED ? weight[i] * static_cast<double>(handed[i][k]) : static_cast<double>(handed[i][k]);
      }
    }
  }
  // The sums of the chunks of a long row, every `step`-th of them.
  __device__ __forceinline__ void add_chunks(int row, Offset length, int first, int step) {
    const int count = static_cast<int>((length + COLUMNS_CHUNK - 1) / COLUMNS_CHUNK);
    const long long begin = row_of(given.task_row, given.tasks, row) - count + 1;
    for (int chunk = first; chunk < count; chunk += step) {
#pragma unroll
      for (int k = 0; k < V; ++k) total[k] += given.chunks[(begin + chunk) * given.stride + column + k];
    }
  }
};

// The sums of the lanes with the same rankings, which are `from`, 2 `from` … below `lanes` apart.
template <int V>
__device__ __forceinline__ void add_lanes(double (&sums)[V], int from, int lanes) {
  for (int distance = from; distance < lanes; distance *= 2) {
#pragma unroll
    for (int k = 0; k < V; ++k) sums[k] += shuffle_xor(sums[k], distance);
  }
}

// The sums of a block's warps, whose first T lanes hold V rankings each: thread j < T V returns that of ranking j.
template <int V, int T>
__device__ __forceinline__ double add_warps(const double (&sums)[V]) {
  __shared__ double held[COLUMNS_WARPS][V * T];
  __syncthreads();
  if (lane_index() < T) {
#pragma unroll
    for (int k = 0; k < V; ++k) held[warp_index()][lane_index() * V + k] = sums[k];
  }
  __syncthreads();
  double sum = 0;
  if (threadIdx.x < V * T)
    for (int warp = 0; warp < COLUMNS_WARPS; ++warp) sum += held[warp][threadIdx.x];
  return sum;
}

// What a block of rank_columns or start_columns tells of a ranking: what it has changed, or what is lost.
__device__ __forceinline__ double* place_moved(double* moved, int row) {
  return moved + static_cast<long long>(row) * gridDim.x + blockIdx.x;
}

template <class R>
__global__ void start_columns(int n, int columns, int stride, const R* inverse, R* ranks, R* handed, double* moved) {
  const R rank = static_cast<R>(1.0 / n);
  double lost = 0;
  for (const int v : grid_range(n)) lost += inverse[v] == static_cast<R>(0) ? static_cast<double>(rank) : 0.0;
  lost = block_reduce(lost);
  for (const int j : block_range(0, stride)) {
    *place_moved(moved, j) = j < columns ? __longlong_as_double(0x7ff0000000000000ll) : 0.0;  // columns beyond rest
    *place_moved(moved, stride + j) = lost;
  }
  for (const long long at : grid_range(static_cast<long long>(n) * stride)) {
    ranks[at] = rank;
    handed[at] = rank * inverse[at / stride];
  }
}

template <class R, class Offset, bool WEIGHTED, int V, int T>
__global__ __launch_bounds__(COLUMNS_THREADS) void sum_chunks(ColumnsParameters<R, Offset> given) {
  const int row = given.task_row[blockIdx.x], team = static_cast<int>(threadIdx.x) / T;
  const Offset begin = given.indptr[row] + static_cast<Offset>(given.task_chunk[blockIdx.x]) * COLUMNS_CHUNK;
  const Offset row_end = given.indptr[row + 1], end = row_end - begin > COLUMNS_CHUNK ? begin + COLUMNS_CHUNK : row_end;
  Columns<R, Offset, WEIGHTED, V> sums(given, lane_index() % T * V);
  sums.clear();
  sums.walk(begin + team, end, COLUMNS_THREADS / T);
  add_lanes<V>(sums.total, T, 32);
  const double sum = add_warps<V, T>(sums.total);
  if (threadIdx.x < V * T) given.chunks[static_cast<long long>(blockIdx.x) * given.stride + threadIdx.x] = sum;
}

// What the V rankings of a lane change and lose over its vertices.
template <int V>
struct ColumnsMoved {
  double change[V];
  double lost[V];
};

// The new ranks of a vertex whose sums are complete, and what it hands on.
template <class R, class Offset, bool WEIGHTED, int V>
__device__ __forceinline__ void finish_vertex(
    const Columns<R, Offset, WEIGHTED, V>& sums, ColumnsMoved<V>& moved, int v) {
  const ColumnsParameters<R, Offset>& given = sums.given;
  const long long place = static_cast<long long>(v) * given.stride + sums.column;
  const int seed = given.places[v];
  const R inverse = given.inverse[v];
  const double sink =
      given.returns ? 0.0 : static_cast<double>(given.share[static_cast<long long>(v) * given.share_step]);
  Pack<R, V> teleport = Pack<R, V>(), rank = load_pack<V>(given.ranks + place), handed;
  if (seed >= 0) teleport = load_pack<V>(given.table + static_cast<long long>(seed) * given.stride + sums.column);
#pragma unroll
  for (int k = 0; k < V; ++k) {
    const double t = static_cast<double>(teleport[k]), before = static_cast<double>(rank[k]);
    const double share = given.returns ? t : sink;
    if (!sums.is_settled(k))
      rank[k] = static_cast<R>(given.damping * (sums.total[k] + sums.lost(k) * share) + (1 - given.damping) * t);
    const double after = static_cast<double>(rank[k]);
    moved.change[k] += after < before ? before - after : after - before;
    if (inverse == static_cast<R>(0)) moved.lost[k] += after;
    handed[k] = rank[k] * inverse;
  }
  store_pack(given.ranks + place, rank);
  store_pack(given.fresh + place, handed);
}

template <class R, class Offset, bool WEIGHTED, int V, int T, int A>
__global__ __launch_bounds__(COLUMNS_THREADS) void rank_columns(ColumnsParameters<R, Offset> given) {
  constexpr int GROUP = T * A, GROUPS = 32 / GROUP;
  const int lane = lane_index() % GROUP;
  Columns<R, Offset, WEIGHTED, V> sums(given, lane % T * V);
  ColumnsMoved<V> moved = {};
  const long long warps = static_cast<long long>(gridDim.x) * COLUMNS_WARPS;
  const long long warp = static_cast<long long>(blockIdx.x) * COLUMNS_WARPS + warp_index();
  for (long long first = warp * GROUPS; first < given.n; first += warps * GROUPS) {
    const long long at = first + lane_index() / GROUP;
    const bool there = at < given.n;
    const int v = static_cast<int>(there ? at : given.n - 1);
    const Offset begin = given.indptr[v], end = given.indptr[v + 1];
    sums.clear();
    if (end - begin <= COLUMNS_LONG) sums.walk(begin + lane / T, end, A);
    else sums.add_chunks(v, end - begin, lane / T, A);
    add_lanes<V>(sums.total, T, GROUP);
    if (there && lane < T && sums.live) finish_vertex(sums, moved, v);
  }
  add_lanes<V>(moved.change, T, 32);
  add_lanes<V>(moved.lost, T, 32);
  const double change = add_warps<V, T>(moved.change), lost = add_warps<V, T>(moved.lost);
  if (threadIdx.x >= V * T) return;
  *place_moved(given.moved, static_cast<int>(threadIdx.x)) = change;
  *place_moved(given.moved, given.stride + static_cast<int>(threadIdx.x)) = lost;
}

// What each ranking has changed and lost in a round; a block owns a ranking.
__global__ void settle_columns(int blocks, int stride, const double* moved, double* settled) {
  const double* changes = moved + static_cast<long long>(blockIdx.x) * blocks;
  const double* losses = changes + static_cast<long long>(stride) * blocks;
  double change = 0, lost = 0;
  for (const int block : block_range(0, blocks)) {
    change += changes[block];
    lost += losses[block];
  }
  change = block_reduce(change);
  lost = block_reduce(lost);
  if (threadIdx.x != 0) return;
  settled[blockIdx.x] = change;
  settled[stride + blockIdx.x] = lost;
}
