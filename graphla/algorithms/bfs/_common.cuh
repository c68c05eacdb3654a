// What the searches share: bitmaps of vertices, warp arithmetic, marking a vertex as found.

constexpr unsigned ALL_LANES = 0xffffffffu;

__device__ __forceinline__ int lane_id() { return threadIdx.x & 31; }

__device__ __forceinline__ unsigned lanes_below() { return (1u << lane_id()) - 1; }

__device__ __forceinline__ unsigned bit_of(int v) { return 1u << (v & 31); }

__device__ __forceinline__ bool holds(const unsigned* bitmap, int v) { return bitmap[v >> 5] & bit_of(v); }

// Put v into the bitmap; true for the one thread that did.
__device__ __forceinline__ bool take(unsigned* bitmap, int v) {
  return !(atomicOr(&bitmap[v >> 5], bit_of(v)) & bit_of(v));
}

// Whether parents are kept is a type, so that levels alone pay nothing for them.
struct LevelsOnly {
  static constexpr bool kept = false;
};
struct WithParents {
  static constexpr bool kept = true;
};

// The answer being written. A vertex is stored by the one thread that found it.
template <class Parents>
struct Tree {
  int* levels;
  int* parents;
  __device__ __forceinline__ void put(int v, int level, int parent) const {
    levels[v] = level;
    if constexpr (Parents::kept) parents[v] = parent;
  }
  // levels = -1, parents = -1 but for the source, by all threads of the grid.
  __device__ void clear(int n, int source) const {
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x)
      put(v, v == source ? 0 : -1, v == source ? source : -1);
  }
};
