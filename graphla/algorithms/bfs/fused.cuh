// Direction-optimising breadth-first search in one cooperative launch: push, pull, or leave it to one block.
//
//   level[v] = d + 1, for every v not seen with an arc u -> v from the frontier u of level d
//
// Every block reads the packed size of the frontier after a barrier of the grid and comes to the same decision.
// A frontier of few arcs is left to block 0, which runs level after level with barriers of its own only.

#include "primitives.cuh"
#include "_pull.cuh"

// The words of `state`: three packed sizes in turn (of now, of the next phase, one being cleared), three more for
// block 0 alone, and where block 0 left the search.
constexpr int ALONE = 3, DEPTH = 6, TURN = 7, UNEXPLORED = 8, OPEN = 9;

struct Place {
  int depth;
  int turn;         // which of the two queues holds the frontier
  Wide unexplored;  // arcs not yet pushed
  Wide open;        // vertices with arcs that were not in a frontier yet
  __device__ void passed(Wide packed) {
    unexplored -= packed & ARC_MASK;
    open -= packed >> ARC_BITS;
  }
};

template <class Offset>
struct Queues {  // two queues in one pair of arrays
  int* vertices;
  Offset* numbers;
  long long n;
  __device__ Queue<Offset> operator[](int turn) const {
    return {vertices + turn * n, numbers + 2 * turn * n, numbers + (2 * turn + 1) * n};
  }
};

struct Limits {
  int small, push_cost, beta, gamma;
  // Is it cheaper to meet the frontier from the other side? Each open vertex looks at tails until one is in the
  // frontier: unexplored / arcs of them if they fall at random, and never more than it has.
  __device__ bool pull_pays(Wide packed, const Place& at, int n) const {
    const float arcs = float(packed & ARC_MASK), open = float(at.open) - float(packed >> ARC_BITS);
    const float unexplored = float(at.unexplored) - arcs;
    return arcs * gamma > n && unexplored * min(open / arcs, 1.0f) < push_cost * arcs;
  }
};

// Block 0 pushes level after level while the frontier has at most `small` arcs; returns the size it leaves.
template <class Offset, class Parents>
__device__ Wide run_alone(const Search<Offset, Parents>& s, unsigned* seen, const Queues<Offset>& queues, Place& at,
                          Wide packed, Wide small, Wide* sizes, Workspace& work) {
  if (threadIdx.x < 3) sizes[threadIdx.x] = 0;
  __syncthreads();
  for (int step = 0; packed && (packed & ARC_MASK) <= small; ++step) {
    const Next<Offset> next{queues[1 - at.turn], &sizes[step % 3]};
    push(s.out, s.tree, seen, at.depth, queues[at.turn], packed, next, threadIdx.x / 32, blockDim.x / 32,
         work.pending[threadIdx.x / 32]);
    if (threadIdx.x == 0) sizes[(step + 1) % 3] = 0;
    at.passed(packed);
    __syncthreads();
    packed = load_fresh(&sizes[step % 3]);
    at.turn = 1 - at.turn, ++at.depth;
  }
  return packed;
}

// The answer and the bitmap are cleared by all; one warp makes the source the frontier.
template <class Offset, class Parents>
__device__ void begin(const Search<Offset, Parents>& s, const unsigned* nobody, unsigned* seen, int words,
                      const Queue<Offset>& queue, Wide* state, int source, Workspace& work) {
  s.tree.clear(s.n, source);
  for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x)
    seen[w] = nobody[w] | (w == source >> 5 ? bit_of(source) : 0);
  if (blockIdx.x == 0 && threadIdx.x < 32) {
    if (threadIdx.x < 3) state[threadIdx.x] = 0;
    if (threadIdx.x == 0) work.pending[0][0] = source;
    __syncwarp();
    enqueue(s.out, Next<Offset>{queue, state}, work.pending[0], 1);
  }
}

// compiled: fused<Offset, Parents> with Offset = int | long long; Parents = LevelsOnly | WithParents; hot
template <class Offset, class Parents>
__global__ void __launch_bounds__(1024, 1)
    fused(int n, Offset arcs, const Offset* out_pointers, const int* out_columns, const Offset* in_pointers,
          const int* in_columns, const Four* strongest, const unsigned* nobody, int* levels, int* parents,
          unsigned* bitmaps, int* vertices, Offset* numbers, Wide* state, unsigned* barrier, int source, int small,
          int push_cost, int beta, int gamma, int open) {
  __shared__ Workspace work;
  const Search<Offset, Parents> s{n, {out_pointers, out_columns}, {in_pointers, in_columns}, strongest, {levels, parents}};
  const Queues<Offset> queues{vertices, numbers, n};
  const Limits limits{small, push_cost, beta, gamma};
  const int words = (n + 127) / 128 * 4;
  const int warp = threadIdx.x / 32 * gridDim.x + blockIdx.x, warps = blockDim.x / 32 * gridDim.x;
  int* const pending = work.pending[threadIdx.x / 32];
  unsigned *seen = bitmaps, *before = bitmaps + words;

  begin(s, nobody, seen, words, queues[0], state, source, work);
  grid_sync(barrier);

  Place at{0, 0, Wide(arcs), Wide(open)};
  bool pulling = false;
  for (int phase = 0;; ++phase) {
    const Wide packed = read_for_block(&state[phase % 3]);
    if (!packed) break;
    const Wide todo = packed & ARC_MASK;
    const bool turns_to_pull = !pulling && limits.pull_pays(packed, at, n);
    const bool alone = !pulling && !turns_to_pull && todo <= Wide(small);
    Wide* const size = &state[(phase + 1) % 3];
    const Next<Offset> next{queues[1 - at.turn], size};
    if (blockIdx.x == 0 && threadIdx.x == 0) state[(phase + 2) % 3] = 0;
    if (pulling && (packed >> ARC_BITS) * limits.beta < Wide(n)) {
      to_queue(s, before, seen, next, pending);
      at.turn = 1 - at.turn, pulling = false;
    } else if (pulling || turns_to_pull) {
      pull(s, seen, before, at.depth, size, work);
      unsigned* const pulled = before;
      before = seen, seen = pulled;
      ++at.depth, pulling = true;
    } else if (!alone) {
      push(s.out, s.tree, seen, at.depth, queues[at.turn], packed, next, warp, warps, pending);
      at.passed(packed);
      at.turn = 1 - at.turn, ++at.depth;
    } else if (blockIdx.x == 0) {
      const Wide left = run_alone(s, seen, queues, at, packed, small, state + ALONE, work);
      if (threadIdx.x == 0)
        *size = left, state[DEPTH] = at.depth, state[TURN] = at.turn, state[UNEXPLORED] = at.unexplored, state[OPEN] = at.open;
    }
    grid_sync(barrier);
    if (alone)
      at = {int(read_for_block(&state[DEPTH])), int(read_for_block(&state[TURN])), read_for_block(&state[UNEXPLORED]),
            read_for_block(&state[OPEN])};
  }
}
