// F[v] = k m[v] sum m[u] (x[v] - x[u]) / |x[v] - x[u]|^2 - g m[v] x[v], by the tree of tree.py.
//
// `find_box`, `encode`: a thread owns a vertex. `plant`: a warp owns a leaf, and a lane a body; sums have one order.
// `join`: a thread owns a node of a level. `walk`: a warp owns a leaf, and its lanes visit the same nodes.
//
// compiled: find_box<DIMS> with DIMS = 2 | 3; hot
// compiled: encode<DIMS> with DIMS = 2 | 3; hot
// compiled: plant<DIMS> with DIMS = 2 | 3; hot
// compiled: join<DIMS> with DIMS = 2 | 3; hot
// compiled: walk<DIMS> with DIMS = 2 | 3; hot
#pragma once

#include "headers/primitives.cuh"

#include "physics.py"  // CODE_BITS, LEAF, NUMBER_BITS, NUMBER_MASK, SOFT

static_assert(LEAF == 32, "a warp owns a leaf");

// The members of a node in a row of floats: its centre, its mass, the square of the distance from which it is one body,
// and the corners of its box.
template <int DIMS>
struct Row {
  static constexpr int mass = DIMS, reach = DIMS + 1, low = DIMS + 2, high = 2 * DIMS + 2, size = 3 * DIMS + 2;
};

template <int DIMS>
__device__ __forceinline__ void summarize(float* node, float inverse) {
  using At = Row<DIMS>;
  float total = 0;
  for (int axis = 0; axis < DIMS; ++axis) {
    const float reach = fmaxf(node[axis] - node[At::low + axis], node[At::high + axis] - node[axis]) * inverse;
    total += reach * reach;
  }
  node[At::reach] = total;
}

// Numbers in the order of unsigned ones.
__device__ __forceinline__ unsigned to_rank(float x) {
  const unsigned bits = __float_as_uint(x);
  return bits >> 31 ? ~bits : bits | 1u << 31;
}

__device__ __forceinline__ float from_rank(unsigned rank) {
  return __uint_as_float(rank >> 31 ? rank & ~(1u << 31) : ~rank);
}

// The ends of the coordinates as such: the complement of the least, and the largest.
template <int DIMS>
__global__ void find_box(const float* X, int n, unsigned* box) {
  for (int axis = 0; axis < DIMS; ++axis) {
    unsigned most = 0, least = ~0u;
    for (const int v : grid_range(n)) {
      const unsigned rank = to_rank(X[static_cast<long long>(v) * DIMS + axis]);
      most = rank > most ? rank : most;
      least = rank < least ? rank : least;
    }
    most = block_reduce(most, 0u, Most());
    least = block_reduce(least, ~0u, Least());
    if (threadIdx.x == 0) {
      atomicMax(box + axis, ~least);
      atomicMax(box + DIMS + axis, most);
    }
  }
}

// The place of a cell along Hilbert's curve; the cell is overwritten. The turns of the cubes that hold it are undone,
// from the largest.
template <int DIMS>
__device__ __forceinline__ long long find_place(unsigned* cell) {
  constexpr int bits = CODE_BITS / DIMS, last = DIMS - 1;
  for (int bit = bits - 1; bit > 0; --bit) {
    const unsigned below = (1u << bit) - 1;
    for (int axis = 0; axis < DIMS; ++axis) {
      const unsigned flip = cell[axis] >> bit & 1u ? below : 0u;
      const unsigned swap = flip ? 0u : (cell[0] ^ cell[axis]) & below;
      cell[0] ^= flip | swap;
      cell[axis] ^= swap;
    }
  }
  for (int axis = 1; axis < DIMS; ++axis) cell[axis] ^= cell[axis - 1];
  unsigned flip = 0;
  for (int bit = bits - 1; bit > 0; --bit) flip ^= cell[last] >> bit & 1u ? (1u << bit) - 1 : 0u;
  long long code = 0;
  for (int bit = 0; bit < bits; ++bit)
    for (int axis = 0; axis < DIMS; ++axis)
      code |= static_cast<long long>((cell[axis] ^ flip) >> bit & 1u) << (bit * DIMS + last - axis);
  return code;
}

template <int DIMS>
__global__ void encode(int n, const float* X, const unsigned* box, long long* keys) {
  const int v = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (v >= n) return;
  constexpr int bits = CODE_BITS / DIMS;
  float width = static_cast<float>(SOFT), low[DIMS];
  for (int axis = 0; axis < DIMS; ++axis) {
    low[axis] = from_rank(~box[axis]);
    width = fmaxf(width, from_rank(box[DIMS + axis]) - low[axis]);
  }
  const float scale = (1ll << bits) / width;
  unsigned cell[DIMS];
  for (int axis = 0; axis < DIMS; ++axis) {
    const long long place = static_cast<long long>((X[static_cast<long long>(v) * DIMS + axis] - low[axis]) * scale);
    cell[axis] = static_cast<unsigned>(min(place, (1ll << bits) - 1));
  }
  keys[v] = find_place<DIMS>(cell) << NUMBER_BITS | v;
}

template <int DIMS>
__global__ void plant(int n, int leaves, const long long* keys, const float* X, const float* masses, float* bodies,
                      float* nodes, float inverse) {
  using At = Row<DIMS>;
  const int body = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), leaf = body / LEAF;
  if (leaf >= leaves) return;
  const bool there = body < n;
  const long long v = there ? keys[body] & NUMBER_MASK : 0;
  const float mass = there ? masses[v] : 0.0f, whole = warp_reduce(mass);
  float* const row = bodies + static_cast<long long>(body) * (DIMS + 1);
  float* const node = nodes + static_cast<long long>(leaves + leaf) * At::size;
  const float far = __int_as_float(0x7f800000);
  row[DIMS] = mass;
  for (int axis = 0; axis < DIMS; ++axis) {
    const float x = there ? X[v * DIMS + axis] : 0.0f;
    row[axis] = x;
    const float moment = warp_reduce(mass * x);
    const float low = warp_reduce(there ? x : far, Least()), high = warp_reduce(there ? x : -far, Most());
    if (lane_index() == 0) {
      node[axis] = moment / fmaxf(whole, 1e-30f);
      node[At::low + axis] = low;
      node[At::high + axis] = high;
    }
  }
  if (lane_index() == 0) {
    node[At::mass] = whole;
    summarize<DIMS>(node, inverse);
  }
}

template <int DIMS>
__global__ void join(int first, float* nodes, float inverse) {
  using At = Row<DIMS>;
  const int j = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= 2 * first) return;
  float* const node = nodes + static_cast<long long>(j) * At::size;
  const float* const left = nodes + static_cast<long long>(2 * j) * At::size;
  const float* const right = left + At::size;
  node[At::mass] = left[At::mass] + right[At::mass];
  for (int axis = 0; axis < DIMS; ++axis) {
    const float moment = left[At::mass] * left[axis] + right[At::mass] * right[axis];
    node[axis] = moment / fmaxf(node[At::mass], 1e-30f);
    node[At::low + axis] = fminf(left[At::low + axis], right[At::low + axis]);
    node[At::high + axis] = fmaxf(left[At::high + axis], right[At::high + axis]);
  }
  summarize<DIMS>(node, inverse);
}

template <int DIMS>
struct WalkParameters {
  int n;
  int leaves;
  const long long* keys;
  const float* bodies;
  const float* nodes;
  float scaling;
  float gravity;
  float* forces;
};

template <int DIMS>
struct Walker {
  using At = Row<DIMS>;
  float x[DIMS], total[DIMS], low[DIMS], high[DIMS];

  __device__ __forceinline__ bool is_far(const float* node) const {
    float square = 0;
    for (int axis = 0; axis < DIMS; ++axis) {
      const float centre = load_constant(node + axis);
      const float gap = fmaxf(fmaxf(low[axis] - centre, centre - high[axis]), 0.0f);
      square += gap * gap;
    }
    return square > load_constant(node + At::reach);
  }
  // Add the repulsion of a body: its position, and its mass.
  __device__ __forceinline__ void push_apart(const float* body) {
    float apart[DIMS], square = static_cast<float>(SOFT);
    for (int axis = 0; axis < DIMS; ++axis) {
      apart[axis] = x[axis] - body[axis];
      square += apart[axis] * apart[axis];
    }
    const float share = body[DIMS] / square;
    for (int axis = 0; axis < DIMS; ++axis) total[axis] += share * apart[axis];
  }
  __device__ __forceinline__ void push_node_apart(const float* node) {
    float body[DIMS + 1];
    for (int part = 0; part <= DIMS; ++part) body[part] = load_constant(node + part);
    push_apart(body);
  }
  // A lane loads a body of the leaf, and hands it to the others.
  __device__ __forceinline__ void push_leaf_apart(const float* leaf) {
    float own[DIMS + 1], body[DIMS + 1];
    for (int part = 0; part <= DIMS; ++part) own[part] = load_constant(leaf + lane_index() * (DIMS + 1) + part);
#pragma unroll 8
    for (int k = 0; k < LEAF; ++k) {
      for (int part = 0; part <= DIMS; ++part) body[part] = __shfl_sync(WHOLE_WARP, own[part], k);
      push_apart(body);
    }
  }
  __device__ __forceinline__ void visit_all(const float* nodes, const float* bodies, int leaves) {
    for (int j = 1;;) {
      const float* const node = nodes + static_cast<long long>(j) * At::size;
      const bool inside = load_constant(node + At::mass) > 0;
      if (inside && is_far(node)) {
        push_node_apart(node);
      } else if (inside && j < leaves) {
        j *= 2;
        continue;
      } else if (inside) {
        push_leaf_apart(bodies + static_cast<long long>(j - leaves) * LEAF * (DIMS + 1));
      }
      ++j;
      j >>= __ffs(j) - 1;
      if (j == 1) return;
    }
  }
};

template <int DIMS>
__global__ void walk(WalkParameters<DIMS> given) {
  using At = Row<DIMS>;
  const int body = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), leaf = body / LEAF;
  if (leaf * LEAF >= given.n) return;
  const float* const row = given.bodies + static_cast<long long>(body) * (DIMS + 1);
  const float* const box = given.nodes + static_cast<long long>(given.leaves + leaf) * At::size;
  Walker<DIMS> walker;
  for (int axis = 0; axis < DIMS; ++axis) {
    walker.x[axis] = row[axis];
    walker.total[axis] = 0;
    walker.low[axis] = box[At::low + axis];
    walker.high[axis] = box[At::high + axis];
  }
  walker.visit_all(given.nodes, given.bodies, given.leaves);
  if (body >= given.n) return;
  const long long v = given.keys[body] & NUMBER_MASK;
  for (int axis = 0; axis < DIMS; ++axis) {
    const float push = given.scaling * walker.total[axis], pull = given.gravity * walker.x[axis];
    given.forces[v * DIMS + axis] = row[DIMS] * (push - pull);
  }
}
