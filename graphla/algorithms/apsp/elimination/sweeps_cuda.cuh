// Rows of distances from a factor: X[i, r] is the distance from source r to position i, word by word of sources.
//   up:   X[S and B] = min(X[S and B], F[S, S and B]ᵀ min.plus X[S]), ancestors of the sources in ascending order
//   down: X[S] = min(X[S], F[B, S]ᵀ min.plus X[B]), in descending order
// Up, a block takes one source, from the supernode of its position to the root; a thread owns a row of each front.
// Down, a thread owns a column of X, so that no thread waits for another, and visits the supernodes low … high − 1 of
// its task, a subtree or some columns of one supernode. For few sources a cooperative grid takes one depth of the tree
// after another, and a warp, or where there are few strips a block, the columns of one supernode. A panel is stored in
// strips of SWEEP_COLUMNS of its supernode's vertices, row after row; all threads of a warp read the same numbers.
//
// X is written before it is read: at the supernodes of the sources and their ancestors, which the way up needs, by
// `begin`; elsewhere by the way down, which reads its own vertices of those supernodes alone. mark[s] is the number of
// the last pass that needed supernode s.
//
// compiled: mark_ancestors
// compiled: begin<V> with V = float | unsigned short | double
// compiled: sweep_up<P> with P = NonNegativeFloat | NonNegativePairs | SmallInt | Double; hot on sm_90
// compiled: sweep_down<P> with P = NonNegativeFloat | NonNegativePairs | SmallInt; hot on sm_90
// compiled: sweep_down<Double>
// compiled: sweep_down_few<P> with P = NonNegativeFloat | NonNegativePairs | SmallInt | Double; hot on sm_90
// compiled: write_rows<V> with V = float | unsigned short | int | unsigned long long
#pragma once

#include "headers/primitives.cuh"
#include "matmat/tropical_numbers.cuh"
#include "sweeps_cuda.py"  // SWEEP_THREADS, UP_VERTICES, FEW_THREADS, SQUARE_SIDE, SQUARE_ROWS
#include "tables.py"       // SWEEP_COLUMNS

template <class P>
struct UpParameters {
  typename P::Value* x;
  long long width;
  const typename P::Value* panels;
  const long long* offset;
  const int* first;
  const long long* indptr;
  const int* indices;
  const int* parent;
  const int* owner;
  const int* at;
  typename P::Value one;
};

template <class P>
struct SweepParameters {
  typename P::C* x;
  long long width;
  const typename P::Value* panels;
  const long long* offset;
  const int* first;
  const long long* indptr;
  const int* indices;
  const int* tasks;
  const int* mark;
  int number;
};

// The tasks of depth d are number depths[d] to depths[d + 1] − 1.
template <class P>
struct FewParameters {
  typename P::C* x;
  long long width;
  const typename P::Value* panels;
  const long long* offset;
  const int* first;
  const long long* indptr;
  const int* indices;
  const int* tasks;
  const int* mark;
  int number;
  const int* depths;
  int deepest;
  typename P::Value one;
  unsigned* barrier;
};

// One row of a strip of a panel.
template <class P>
struct Strip {
  using V = typename P::Value;
  static constexpr int packed = 16 / sizeof(V) < SWEEP_COLUMNS ? 16 / sizeof(V) : SWEEP_COLUMNS;
  Pack<V, packed> at[SWEEP_COLUMNS / packed];
  __device__ __forceinline__ explicit Strip(const V* row) {
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS / packed; ++k) at[k] = load_pack<packed>(row + k * packed);
  }
  __device__ __forceinline__ typename P::A word(int k) const { return P::spread(at[k / packed][k % packed]); }
};

// A word that other blocks may have written in this launch, if it is to be `fresh`.
template <bool fresh, class T>
__device__ __forceinline__ T read(const T* p) {
  if constexpr (fresh) return load_fresh(p);
  else return *p;
}

// The words of a column of X at the vertices of a strip: nothing() beyond the last.
template <class P, bool fresh = false>
struct Column {
  typename P::C at[SWEEP_COLUMNS];
  __device__ __forceinline__ Column(const typename P::C* x, long long width, int count) {
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k) at[k] = k < count ? read<fresh>(x + k * width) : P::nothing();
  }
  __device__ __forceinline__ void store(typename P::C* x, long long width, int count) const {
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k)
      if (k < count) x[k * width] = at[k];
  }
};

__global__ void mark_ancestors(const int* at, int sources, const int* owner, const int* parent, int* mark, int number) {
  for (const int i : grid_range(sources))
    for (int s = owner[at[i]]; s >= 0 && load_racing(&mark[s]) != number; s = parent[s]) store_racing(&mark[s], number);
}

// X is infinity at the marked supernodes, 16 bytes a thread at a time.
template <class V>
__global__ void begin(
    V* x, long long width, const int* first, int supernodes, const int* mark, int number, V infinity) {
  constexpr int packed = 16 / sizeof(V);
  Pack<V, packed> nowhere;
#pragma unroll
  for (int e = 0; e < packed; ++e) nowhere[e] = infinity;
  const long long step = static_cast<long long>(gridDim.y) * blockDim.x * packed;
  const long long mine = (static_cast<long long>(blockIdx.y) * blockDim.x + threadIdx.x) * packed;
  for (int s = static_cast<int>(blockIdx.x); s < supernodes; s += static_cast<int>(gridDim.x)) {
    if (mark[s] != number) continue;
    for (long long i = first[s] * width + mine; i < first[s + 1] * width; i += step) store_pack(x + i, nowhere);
  }
}

// A row of a front from the numbers at UP_VERTICES of its supernode's vertices, of which `strips` strips are there.
template <class P, class V>
__device__ __forceinline__ V climb(V best, const V* panel, long long strip, int strips, const V (&from)[UP_VERTICES]) {
  constexpr int packed = 16 / sizeof(V) < SWEEP_COLUMNS ? 16 / sizeof(V) : SWEEP_COLUMNS;
  for (int q = 0; q < strips; ++q)
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; k += packed) {
      const auto some = load_pack<packed>(panel + q * strip + k);
#pragma unroll
      for (int e = 0; e < packed; ++e) best = P::plus(best, P::sum(some[e], from[q * SWEEP_COLUMNS + k + e]));
    }
  return best;
}

// A block goes up from position `start` of a source: X at position i is x[place(i)]. Without `own`, the panels have the
// rows of the boundaries alone.
template <class P, bool own, class Place>
__device__ __forceinline__ void climb_tree(const UpParameters<P>& p, int start, typename P::Value* x, Place place) {
  using V = typename P::Value;
  __shared__ V from[UP_VERTICES];
  if (threadIdx.x == 0) x[place(start)] = p.one;
  for (int s = p.owner[start]; s >= 0; s = p.parent[s]) {
    const int first = p.first[s], w = p.first[s + 1] - first, inside = own ? w : 0;
    const int m = inside + static_cast<int>(p.indptr[s + 1] - p.indptr[s]);
    const int* boundary = p.indices + p.indptr[s] - inside;
    const long long strip = static_cast<long long>(m) * SWEEP_COLUMNS;
    const V* panel = p.panels + p.offset[s];
    for (int left = 0; left < w; left += UP_VERTICES, panel += UP_VERTICES / SWEEP_COLUMNS * strip) {
      const int count = min(w - left, UP_VERTICES), strips = (count + SWEEP_COLUMNS - 1) / SWEEP_COLUMNS;
      __syncthreads();
      for (const int k : block_range(0, UP_VERTICES))
        from[k] = k < count ? x[place(first + left + k)] : static_cast<V>(P::nothing());
      __syncthreads();
      for (const int j : block_range(0, m)) {
        V* to = x + place(j < inside ? first + j : boundary[j]);
        *to = climb<P>(*to, panel + static_cast<long long>(j) * SWEEP_COLUMNS, strip, strips, from);
      }
    }
  }
}

template <class P>
__global__ __launch_bounds__(SWEEP_THREADS) void sweep_up(UpParameters<P> p) {
  climb_tree<P, true>(p, p.at[blockIdx.x], p.x + blockIdx.x, [&](int i) { return i * p.width; });
}

// The columns of a strip, from rows j … end − 1 of the boundary.
template <class P, bool fresh>
__device__ __forceinline__ void descend(Column<P, fresh>& own, long long width, const typename P::Value* panel,
                                        const int* boundary, int j, int end, const typename P::C* whole) {
#pragma unroll 2
  for (; j + 1 < end; j += 2) {
    const typename P::C near = read<fresh>(whole + boundary[j] * width);
    const typename P::C far = read<fresh>(whole + boundary[j + 1] * width);
    const Strip<P> even(panel + j * SWEEP_COLUMNS), odd(panel + (j + 1) * SWEEP_COLUMNS);
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k) P::two(own.at[k], even.word(k), near, odd.word(k), far, k % 2, 0, 0, 0);
  }
  if (j < end) {
    const typename P::C near = read<fresh>(whole + boundary[j] * width);
    const Strip<P> even(panel + j * SWEEP_COLUMNS);
#pragma unroll
    for (int k = 0; k < SWEEP_COLUMNS; ++k) P::one(own.at[k], even.word(k), near, 0, 0, 0);
  }
}

// A task is four numbers: low, high, and the first and last column of a strip where it is one supernode's. Its blocks,
// one for each SWEEP_THREADS columns of X, are beside each other.
template <class P>
__global__ __launch_bounds__(SWEEP_THREADS) void sweep_down(SweepParameters<P> p) {
  const unsigned across = static_cast<unsigned>((p.width + blockDim.x - 1) / blockDim.x);
  const long long r = blockIdx.x % across * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (r >= p.width) return;
  const int* task = p.tasks + 4 * static_cast<long long>(blockIdx.x / across);
  typename P::C* x = p.x + r;
  for (int s = task[1] - 1; s >= task[0]; --s) {
    const int first = p.first[s], w = p.first[s + 1] - first, b = static_cast<int>(p.indptr[s + 1] - p.indptr[s]);
    for (int left = task[2]; left < min(w, task[3]); left += SWEEP_COLUMNS) {
      typename P::C* mine = x + (first + left) * p.width;
      Column<P> own(mine, p.width, p.mark[s] == p.number ? w - left : 0);
      descend<P>(own, p.width, p.panels + p.offset[s] + static_cast<long long>(left) * b, p.indices + p.indptr[s], 0, b,
                 x);
      own.store(mine, p.width, w - left);
    }
  }
}

// A strip of one supernode for 32 words of X, a lane each; part `part` of `parts` of the boundary.
template <class P>
struct StripTask {
  typename P::C* mine;
  const typename P::Value* panel;
  const int* boundary;
  int count, known, b;
  __device__ __forceinline__ StripTask(const FewParameters<P>& p, const int* task, typename P::C* x) {
    const int s = task[0], left = task[2], first = p.first[s];
    count = p.first[s + 1] - first - left;
    known = p.mark[s] == p.number ? count : 0;
    b = static_cast<int>(p.indptr[s + 1] - p.indptr[s]);
    mine = x + (first + left) * p.width;
    panel = p.panels + p.offset[s] + static_cast<long long>(left) * b;
    boundary = p.indices + p.indptr[s];
  }
  __device__ __forceinline__ Column<P, true> compute(
      const FewParameters<P>& p, const typename P::C* x, int part, int parts) const {
    Column<P, true> own(mine, p.width, part ? 0 : known);
    const int share = (b + parts - 1) / parts;
    descend<P>(own, p.width, panel, boundary, part * share, min(b, (part + 1) * share), x);
    return own;
  }
};

// A block takes a strip: its warps take parts of the boundary, then each the minimum for one column.
template <class P>
__device__ __forceinline__ void descend_together(const FewParameters<P>& p, const int* task, typename P::C* x) {
  constexpr int warps = FEW_THREADS / 32;
  static_assert(warps == SWEEP_COLUMNS, "a warp for each column");
  __shared__ typename P::C found[warps][SWEEP_COLUMNS][32];
  const int lane = lane_index(), warp = warp_index();
  const StripTask<P> strip(p, task, x);
  const Column<P, true> own = strip.compute(p, x, warp, warps);
  __syncthreads();
#pragma unroll
  for (int k = 0; k < SWEEP_COLUMNS; ++k) found[warp][k][lane] = own.at[k];
  __syncthreads();
  if (warp >= strip.count) return;
  typename P::C best = found[0][warp][lane];
#pragma unroll
  for (int y = 1; y < warps; ++y) P::one(best, P::spread(p.one), found[y][warp][lane], 0, 0, 0);
  strip.mine[warp * p.width] = best;
}

template <class P>
__global__ __launch_bounds__(FEW_THREADS) void sweep_down_few(FewParameters<P> p) {
  constexpr int warps = FEW_THREADS / 32;
  const int groups = static_cast<int>(p.width / 32), blocks = static_cast<int>(gridDim.x);
  const auto column = [&](int unit) { return p.x + unit % groups * 32 + lane_index(); };
  for (int d = 0; d < p.deepest; ++d) {
    const int* tasks = p.tasks + 4ll * p.depths[d];
    const int units = (p.depths[d + 1] - p.depths[d]) * groups;
    if (units <= blocks) {
      const int unit = static_cast<int>(blockIdx.x);
      if (unit < units) descend_together<P>(p, tasks + unit / groups * 4, column(unit));
    } else {
      for (int unit = static_cast<int>(blockIdx.x) * warps + warp_index(); unit < units; unit += blocks * warps) {
        const StripTask<P> strip(p, tasks + unit / groups * 4, column(unit));
        strip.compute(p, column(unit), 0, 1).store(strip.mine, p.width, strip.count);
      }
    }
    grid_sync(p.barrier);
  }
}

// out[to[r], j] = X[goal[j], r], and `far` where that is more than `last`: a block owns a square of both.
template <class V>
__global__ void write_rows(
    const V* x, long long width, const int* goal, int goals, const int* to, int sources, V last, V far, V* out) {
  __shared__ V square[SQUARE_SIDE][SQUARE_SIDE + 1];
  const int j = blockIdx.x * SQUARE_SIDE, r = blockIdx.y * SQUARE_SIDE;
#pragma unroll
  for (int y = threadIdx.y; y < SQUARE_SIDE; y += SQUARE_ROWS)
#pragma unroll
    for (int c = threadIdx.x; c < SQUARE_SIDE; c += 32)
      if (j + y < goals && r + c < sources) square[y][c] = x[goal[j + y] * width + r + c];
  __syncthreads();
#pragma unroll
  for (int y = threadIdx.y; y < SQUARE_SIDE; y += SQUARE_ROWS)
#pragma unroll
    for (int c = threadIdx.x; c < SQUARE_SIDE; c += 32)
      if (j + c < goals && r + y < sources) {
        const V d = square[c][y];
        out[static_cast<long long>(to[r + y]) * goals + j + c] = d > last ? far : d;
      }
}
