// Breadth-first search of a graph of low degree (roads, grids) in one cooperative launch.
//
//   level[v] = d + 1, for every arc u -> v from the frontier with v not seen
//
// The heads of a vertex lie padded in a row of eight (32 bytes, one sector), so no row pointer is read. A lane owns
// a vertex of the frontier. The found are appended to one list in the order of their levels; a frontier is a range
// of it. Such graphs have thousands of levels of some hundred vertices: block 0 runs those alone, with the frontier
// and, where it fits, the bitmap of the seen in shared memory, so that a level costs one trip to the L2 cache and
// one barrier of the block. What it found gets its levels at the end, from all blocks, by the starts of the levels.

#include "primitives.cuh"
#include "_common.cuh"

constexpr int ROW = 8;                     // heads in a padded row; absent ones are -1
constexpr int MORE = -2;                   // in the last place: the row goes on at pointers[v] + 7
constexpr int ROOM = 4096;                 // vertices of a frontier kept in shared memory
constexpr int DEPTH = 3, START = 4;        // behind the three sizes in `state`
constexpr unsigned WRITTEN = 0x80000000u;  // in starts[d]: the grid has written this level's answer already

struct alignas(16) Half {
  int of[4];
};

template <class Offset, class Parents>
struct Narrow {
  int n;
  const Half* rows;
  const Offset* pointers;
  const int* columns;
  Tree<Parents> tree;
  int* order;        // the vertices by level
  int* finders;      // their parents, if those are kept
  unsigned* starts;  // where each level begins in them
};

struct Workspace {
  int found;
  int base;
  int sizes[3];
};

// ---------------------------------------------------------------------------------- the heads of a warp

// The warp takes up to four heads a lane and keeps those that are new; one reservation for all of them.
template <class Finder>
__device__ __forceinline__ void visit(const Finder& finder, const Half& heads, int u) {
  unsigned finders[4];
  bool found[4];
  int total = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) found[j] = heads.of[j] >= 0 && finder.take(heads.of[j]);
#pragma unroll
  for (int j = 0; j < 4; ++j) total += __popc(finders[j] = __ballot_sync(ALL_LANES, found[j]));
  if (!total) return;
  int base = lane_id() == 0 ? finder.reserve(total) : 0;
  base = __shfl_sync(ALL_LANES, base, 0);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (found[j]) finder.keep(base + __popc(finders[j] & lanes_below()), heads.of[j], u);
    base += __popc(finders[j]);
  }
}

// Each lane brings a vertex of the frontier (or -1). The second half of a row lies in the sector of the first.
template <class Offset, class Parents, class Finder>
__device__ __forceinline__ void expand(const Narrow<Offset, Parents>& g, const Finder& finder, int u) {
  const Half none{{-1, -1, -1, -1}};
  const Half left = u >= 0 ? g.rows[2ll * u] : none;
  visit(finder, left, u);
  const bool full = left.of[3] >= 0;
  if (!__any_sync(ALL_LANES, full)) return;
  const Half right = full ? g.rows[2ll * u + 1] : none;
  visit(finder, right, u);
  const bool more = right.of[3] == MORE;
  Offset k = more ? g.pointers[u] + ROW - 1 : 0;
  const Offset end = more ? g.pointers[u + 1] : 0;
  for (; __any_sync(ALL_LANES, k < end); ++k) visit(finder, Half{{k < end ? g.columns[k] : -1, -1, -1, -1}}, u);
}

// ------------------------------------------------------------------------------- levels of block 0 alone

template <class Parents>
struct Alone {
  unsigned* seen;
  int* near;  // the next frontier in shared memory, as far as there is room
  int* order;
  int* finders;
  int* size;
  __device__ __forceinline__ bool take(int v) const { return ::take(seen, v); }
  __device__ __forceinline__ int reserve(int count) const { return atomicAdd(size, count); }
  __device__ __forceinline__ void keep(int at, int v, int u) const {
    if (at < ROOM) near[at] = v;
    order[at] = v;
    if constexpr (Parents::kept) finders[at] = u;
  }
};

// Block 0 pushes level after level until the frontier is empty or larger than `large`; returns its size.
template <class Offset, class Parents>
__device__ int run_alone(const Narrow<Offset, Parents>& g, unsigned* seen, int& depth, int& start, int size, int large,
                         int* shared, Workspace& work) {
  for (int i = threadIdx.x; i < min(size, ROOM); i += blockDim.x) shared[i] = g.order[start + i];
  if (threadIdx.x < 3) work.sizes[threadIdx.x] = 0;
  __syncthreads();
  for (int step = 0; size && size <= large; ++step) {
    const int* const near = shared + (step & 1) * ROOM;
    const int next = start + size;
    const Alone<Parents> finder{seen, shared + (1 - (step & 1)) * ROOM, g.order + next, g.finders + next,
                                &work.sizes[step % 3]};
    for (int first = threadIdx.x - lane_id(); first < size; first += blockDim.x) {
      const int i = first + lane_id();
      expand(g, finder, i >= size ? -1 : i < ROOM ? near[i] : g.order[start + i]);
    }
    if (threadIdx.x == 0) work.sizes[(step + 1) % 3] = 0, g.starts[depth + 1] = next;
    __syncthreads();
    size = work.sizes[step % 3];
    start = next, ++depth;
  }
  return size;
}

// The same with the bitmap brought to shared memory and back.
template <class Offset, class Parents>
__device__ int run_alone_copied(const Narrow<Offset, Parents>& g, unsigned* seen, int& depth, int& start, int size,
                                int large, int* shared, Workspace& work) {
  unsigned* const mine = (unsigned*)(shared + 2 * ROOM);
  for (int w = threadIdx.x; w < (g.n + 31) / 32; w += blockDim.x) mine[w] = seen[w];
  size = run_alone(g, mine, depth, start, size, large, shared, work);
  for (int w = threadIdx.x; w < (g.n + 31) / 32; w += blockDim.x) seen[w] = mine[w];
  return size;
}

// ---------------------------------------------------------------------------------- levels of the grid

template <class Parents>
struct Together {
  unsigned* seen;
  int* finds;  // in shared memory, to be moved in one piece
  int* next;
  int* next_size;
  Tree<Parents> tree;
  int level;
  Workspace& work;
  __device__ __forceinline__ bool take(int v) const { return !holds(seen, v) && ::take(seen, v); }
  __device__ __forceinline__ int reserve(int count) const { return atomicAdd(&work.found, count); }
  __device__ __forceinline__ void keep(int at, int v, int u) const {
    tree.put(v, level, u);
    if (at < 2 * ROOM)
      finds[at] = v;
    else
      next[atomicAdd(next_size, 1)] = v;
  }
};

// All blocks push a level; a block reserves room for all that its warps found at once.
template <class Offset, class Parents>
__device__ void push_together(const Narrow<Offset, Parents>& g, const Together<Parents>& finder, const int* frontier,
                              int size, Workspace& work) {
  const int warps = blockDim.x / 32, warp = threadIdx.x / 32, rounds = (size + 31) / 32;
  for (int first = blockIdx.x; first < rounds; first += gridDim.x * warps) {
    if (threadIdx.x == 0) work.found = 0;
    __syncthreads();
    const int i = (first + warp * gridDim.x) * 32 + lane_id();
    expand(g, finder, i < size ? frontier[i] : -1);
    __syncthreads();
    const int kept = min(work.found, 2 * ROOM);
    if (threadIdx.x == 0 && kept) work.base = atomicAdd(finder.next_size, kept);
    __syncthreads();
    for (int k = threadIdx.x; k < kept; k += blockDim.x) finder.next[work.base + k] = finder.finds[k];
  }
}

// What block 0 found alone gets its answer: a warp owns a level.
template <class Offset, class Parents>
__device__ void write_levels(const Narrow<Offset, Parents>& g, int depth) {
  for (int d = 1 + threadIdx.x / 32 * gridDim.x + blockIdx.x; d < depth; d += gridDim.x * (blockDim.x / 32)) {
    if (g.starts[d] & WRITTEN) continue;
    const int end = int(g.starts[d + 1] & ~WRITTEN);
    for (int i = int(g.starts[d]) + lane_id(); i < end; i += 32)
      g.tree.put(g.order[i], d, Parents::kept ? g.finders[i] : 0);
  }
}

// Where block 0 keeps the seen while it runs alone: in shared memory, or where they are.
struct SeenCopied {
  static constexpr bool copied = true;
};
struct SeenInPlace {
  static constexpr bool copied = false;
};

template <class Offset, class Parents, class Seen>
__global__ void __launch_bounds__(1024, 1)
    fused_narrow(int n, const Half* rows, const Offset* pointers, const int* columns, int* levels, int* parents,
                 unsigned* seen, int* order, int* finders, unsigned* starts, int* state, unsigned* barrier, int source,
                 int small, int large) {
  extern __shared__ int shared[];
  __shared__ Workspace work;
  const Narrow<Offset, Parents> g{n, rows, pointers, columns, {levels, parents}, order, finders, starts};
  g.tree.clear(n, source);
  for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < (n + 31) / 32; w += gridDim.x * blockDim.x)
    seen[w] = w == source >> 5 ? bit_of(source) : 0;
  if (blockIdx.x == 0 && threadIdx.x == 0)
    order[0] = source, starts[0] = 0, state[0] = 1, state[1] = state[2] = 0;
  grid_sync(barrier);
  int depth = 0, start = 0;
  for (int phase = 0;; ++phase) {
    const int size = *(volatile int*)&state[phase % 3];
    if (!size) break;
    int* const next_size = &state[(phase + 1) % 3];
    if (blockIdx.x == 0 && threadIdx.x == 0) state[(phase + 2) % 3] = 0;
    if (size > small) {
      const int next = start + size;
      const Together<Parents> finder{seen, shared, order + next, next_size, g.tree, depth + 1, work};
      push_together(g, finder, order + start, size, work);
      if (blockIdx.x == 0 && threadIdx.x == 0) starts[depth + 1] = next | WRITTEN;
      start = next, ++depth;
    } else if (blockIdx.x == 0) {
      const int left = Seen::copied ? run_alone_copied(g, seen, depth, start, size, large, shared, work)
                                    : run_alone(g, seen, depth, start, size, large, shared, work);
      if (threadIdx.x == 0) *next_size = left, state[DEPTH] = depth, state[START] = start;
    }
    grid_sync(barrier);
    if (size <= small) depth = *(volatile int*)&state[DEPTH], start = *(volatile int*)&state[START];
  }
  write_levels(g, depth);
}
