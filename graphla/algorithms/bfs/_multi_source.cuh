// Breadth-first search from up to 64 sources at once: bit s of a word belongs to source s.
//
//   new[v] = (OR of frontier[u] over the arcs u -> v) & ~seen[v];   level[s][v] = d + 1 for the bits s of new[v]
//
// That is a product with a bit matrix: (OR, AND) over words of 64 columns. Pushed from the vertices whose word is
// not zero while those have few arcs, else pulled, where a row ends as soon as every bit that could come has come.

#include "primitives.cuh"
#include "_common.cuh"

using Bits = unsigned long long;

constexpr int OWN_TAILS = 8;     // tails a lane looks at before the warp helps
constexpr int BETWEEN = 4;       // strides of the warp between two looks whether all has come

struct Either {
  __device__ __forceinline__ Bits operator()(Bits x, Bits y) const { return x | y; }
};

// The lanes' new bits become levels: a source at a time, so that neighbours are written together.
__device__ __forceinline__ void write_levels(int* levels, long long n, int v, Bits fresh, int level) {
  for (Bits any = warp_reduce(fresh, Either{}); any; any &= any - 1) {
    const int s = __ffsll((long long)any) - 1;
    if (fresh >> s & 1) levels[s * n + v] = level;
  }
}

// counts = {vertices with new bits, their arcs, the bits anywhere in the new frontier}, one addition a block.
template <class Offset>
__device__ __forceinline__ void count_new(const Offset* out_pointers, int v, Bits fresh, Bits* counts) {
  const Bits arcs = fresh ? Bits(out_pointers[v + 1] - out_pointers[v]) : 0;
  const Bits vertices = block_reduce<Bits>(fresh != 0), all = block_reduce<Bits>(arcs);
  const Bits any = block_reduce<Bits>(fresh, 0, Either{});
  if (threadIdx.x != 0 || !vertices) return;
  atomicAdd(&counts[0], vertices);
  atomicAdd(&counts[1], all);
  if (any & ~load_fresh(&counts[2])) atomicOr(&counts[2], any);
}

// Pull: a lane owns a vertex, the warp searches its long rows. `wanted` are the bits in the frontier.
// compiled: pull_words<Offset> with Offset = int | long long
template <class Offset>
__global__ void pull_words(int n, const Offset* out_pointers, const Offset* pointers, const int* columns, Bits* seen,
                           const Bits* frontier, Bits* next, int* levels, int depth, Bits wanted, Bits* counts) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  const Bits before = v < n ? seen[v] : ~Bits(0);
  const Bits need = wanted & ~before;
  Offset k = need ? pointers[v] : 0;
  const Offset end = need ? pointers[v + 1] : 0;
  Bits got = 0;
  for (int i = 0; i < OWN_TAILS && k < end && (got & need) != need; ++i, ++k) got |= frontier[columns[k]];
  unsigned rest = __ballot_sync(WHOLE_WARP, k < end && (got & need) != need);
  for (; rest; rest &= rest - 1) {
    const int lane = __ffs(int(rest)) - 1;
    const Offset last = __shfl_sync(WHOLE_WARP, end, lane);
    const Bits goal = __shfl_sync(WHOLE_WARP, need, lane);
    Bits words = __shfl_sync(WHOLE_WARP, got, lane);
    for (Offset at = __shfl_sync(WHOLE_WARP, k, lane); at < last && (words & goal) != goal;) {
      for (int i = 0; i < BETWEEN; ++i, at += 32)
        if (at + lane_index() < last) words |= frontier[columns[at + lane_index()]];
      words = warp_reduce(words, Either{});
    }
    if (lane == lane_index()) got = words;
  }
  const Bits fresh = got & need;
  if (v < n) next[v] = fresh;
  if (fresh) seen[v] = before | fresh;
  write_levels(levels, n, v, fresh, depth + 1);
  count_new(out_pointers, v, fresh, counts);
}

// Push: a warp owns a vertex of the frontier. `next` was cleared.
// compiled: push_words<Offset> with Offset = int | long long
template <class Offset>
__global__ void push_words(int n, const Offset* pointers, const int* columns, const Bits* seen, const Bits* frontier,
                           Bits* next) {
  const int u = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const Bits mine = u < n ? frontier[u] : 0;
  if (!mine) return;
  for (Offset k = pointers[u] + lane_index(); k < pointers[u + 1]; k += 32) {
    const int v = columns[k];
    const Bits fresh = mine & ~seen[v];
    if (fresh & ~next[v]) atomicOr(&next[v], fresh);
  }
}

// After a push: what came becomes seen.
// compiled: settle_words<Offset> with Offset = int | long long
template <class Offset>
__global__ void settle_words(int n, const Offset* out_pointers, Bits* seen, const Bits* next, int* levels, int depth,
                             Bits* counts) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  const Bits fresh = v < n ? next[v] : 0;
  if (fresh) seen[v] |= fresh;
  write_levels(levels, n, v, fresh, depth + 1);
  count_new(out_pointers, v, fresh, counts);
}
