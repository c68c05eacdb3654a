// Breadth-first search from up to 64 sources at once: bit s of a word belongs to source s.
//
//   seen[d + 1][v] = seen[d][v] | OR of seen[d][u] over the arcs u -> v;   level[s][v] = first d with bit s in seen[d][v]
//
// That is a product with a bit matrix: (OR, AND) over words of 64 columns. Each level has an array of its own, so
// nothing is cleared and what was found is read off at the end. A direction for each bit: bits that few hubs have seen
// are pushed from the few vertices that found them last, the others pulled, where a row ends as soon as every bit that
// could come has come. Per bit, "seen" and "in the frontier" mean the same among the tails of a vertex without it.
// Hubs are numbered first, so they are the first tails of a row, and a block holds their words in shared memory.

#include "primitives.cuh"
#include "_packs.cuh"

constexpr int LEVELS = 15;      // that four planes can hold: seen[0] ... seen[14]
constexpr int OWN_PACKS = 8;    // packs a lane looks at before the warp helps
constexpr int WARP_PACKS = 16;  // strides of the warp before the row is left to the whole grid
constexpr int FEW = 4;          // while less than 1 / FEW of the bits are common, these are pushed, too

struct Numbers {   // of one level, zero before the launch
  Wide packed;     // the queue of tasks
  Bits found;      // bits that came to any vertex
  Wide pulled;     // packs of the vertices found by a pull
  Wide nothing;    // keeps the record at whole sectors
  Wide of_hubs[64];  // packs of the hubs that have seen bit s
};

struct Outcome {
  Wide depth;
  Bits found;
};

struct Words {
  int n;
  PackedRows out, in;
  Bits* history;  // seen[d] at d * n
  Queue<int> queue;
  int hubs;
  __device__ __forceinline__ Bits* seen(int depth) const { return history + (long long)depth * n; }
};

struct Level {  // of the bits with a frontier
  int depth;
  Bits wanted;  // are pulled
  Bits rare;    // are pushed
};

struct Gain {
  Bits bits;
  Wide packs;
};

// seen[d] at v is new since the last level?
__device__ __forceinline__ Bits fresh_at(const Words& w, int depth, int v) {
  return w.seen(depth)[v] & (depth ? ~w.seen(depth - 1)[v] : ~Bits(0));
}

// What a level has seen: of the hubs in shared memory.
struct Seen {
  const Bits* words;
  const Bits* of_hubs;
  int hubs;
  __device__ __forceinline__ Bits operator[](int v) const { return v < hubs ? of_hubs[v] : words[v]; }
  __device__ __forceinline__ Bits of_any(const Columns& tails) const {
    return (*this)[tails.at[0]] | (*this)[tails.at[1]] | (*this)[tails.at[2]] | (*this)[tails.at[3]];
  }
};

__device__ inline void keep_hubs(const Seen& seen, Bits* of_hubs) {
  for (int v = threadIdx.x; v < seen.hubs; v += blockDim.x) of_hubs[v] = seen.words[v];
  __syncthreads();
}

// One word a hub, one bit a lane: how many packs do the hubs own that have seen it?
__device__ inline void survey_hubs(const Words& w, int depth, Numbers* numbers) {
  for (int base = global_warp() * 32; base < w.hubs; base += grid_warps() * 32) {
    const int v = base + lane_index();
    const Bits word = v < w.hubs ? w.seen(depth)[v] : 0;
    const int packs = v < w.hubs ? w.out.length(v) : 0;
    Wide low = 0, high = 0;
    for (int j = 0; j < 32; ++j) {
      const Bits of = shuffle_from(word, j) >> lane_index();
      const int weight = shuffle_from(packs, j);
      if (of & 1) low += weight;
      if (of >> 32 & 1) high += weight;
    }
    if (low) atomicAdd(&numbers->of_hubs[lane_index()], low);
    if (high) atomicAdd(&numbers->of_hubs[lane_index() + 32], high);
  }
}

// The bits that hubs with at least 1 / `share` of the hubs' packs have seen; the same for every thread.
__device__ inline Bits common_bits(const Words& w, int share, const Numbers* numbers) {
  __shared__ unsigned halves[2];
  if (threadIdx.x < 64) {
    const bool many = load_fresh(&numbers->of_hubs[threadIdx.x]) * share >= Wide(w.out.pointers[w.hubs]);
    const unsigned votes = __ballot_sync(WHOLE_WARP, many);
    if (lane_index() == 0) halves[warp_index()] = votes;
  }
  __syncthreads();
  const Bits both = Bits(halves[1]) << 32 | halves[0];
  __syncthreads();
  return both;
}

// The lane looks through its first packs, two a trip to memory; `at` is left where it stopped.
__device__ __forceinline__ Bits look_alone(const Columns* packs, const Seen& seen, Bits need, int& at, int end) {
  Bits got = 0;
  for (int i = 0; i < OWN_PACKS && at < end && (got & need) != need; i += 2, at += 2) {
    const Columns tails = packs[at], more = packs[min(at + 1, end - 1)];
    got |= seen.of_any(tails);
    if ((got & need) != need) got |= seen.of_any(more);
  }
  return got;
}

// The warp looks on for each lane that has not all it needs and packs left; true where even that was not enough.
__device__ __forceinline__ bool look_together(const Columns* packs, const Seen& seen, Bits need, int& at, int end,
                                              Bits& got) {
  const bool open = at < end && (got & need) != need;
  for (unsigned rest = __ballot_sync(WHOLE_WARP, open); rest; rest &= rest - 1) {
    const int lane = __ffs(int(rest)) - 1, last = shuffle_from(end, lane);
    const Bits goal = shuffle_from(need, lane);
    Bits words = shuffle_from(got, lane);
    int k = shuffle_from(at, lane);
    for (int i = 0; i < WARP_PACKS && k < last && (words & goal) != goal; ++i, k += 32)
      words |= warp_reduce(k + lane_index() < last ? seen.of_any(packs[k + lane_index()]) : Bits(0), Either{});
    if (lane == lane_index()) got = words, at = k;
  }
  return at < end && (got & need) != need;
}

struct Row {
  Bits before;
  int at, end;
};

__device__ __forceinline__ Row row_of(const Words& w, const Seen& seen, int v) {
  return v < w.n ? Row{seen.words[v], w.in.pointers[v], w.in.pointers[v + 1]} : Row{~Bits(0), 0, 0};
}

// A lane owns a vertex: what it pulls is new; what it has to push, and what is left of long rows, become tasks. The row
// of its next vertex is on its way meanwhile.
__device__ inline Gain pull_and_sort(const Words& w, const Level& level, const Seen& seen, Numbers* numbers) {
  Bits* const next = w.seen(level.depth + 1);
  const Next<int> tasks{w.queue, &numbers->packed};
  Gain gain{0, 0};
  Row ahead = row_of(w, seen, global_warp() * 32 + lane_index());
  for (int base = global_warp() * 32; base < w.n; base += grid_warps() * 32) {
    const int v = base + lane_index();
    const bool mine = v < w.n;
    const Bits before = ahead.before, need = level.wanted & ~before;
    int at = ahead.at;
    const int end = ahead.end;
    ahead = row_of(w, seen, v + grid_warps() * 32);
    Bits got = look_alone(w.in.packs, seen, need, at, end);
    const bool long_row = look_together(w.in.packs, seen, need, at, end, got);
    got &= need;
    if (mine) next[v] = before | got;
    const bool pushes = mine && level.rare && (fresh_at(w, level.depth, v) & level.rare);
    const int heads = got || pushes ? w.out.length(v) : 0;
    add_tasks<2>(tasks, {{v, ~v}, {pushes ? w.out.pointers[v] : 0, at}, {pushes ? heads : 0, long_row ? end - at : 0}});
    gain.bits |= got, gain.packs += got ? heads : 0;
  }
  return gain;
}

// The tasks: packs of heads to push to, and (under ~v) packs of tails that v must still look at.
__device__ inline Bits do_tasks(const Words& w, const Level& level, const Seen& seen, Wide packed) {
  Bits* const next = w.seen(level.depth + 1);
  Bits found = 0;
  each_pack(w.queue, packed, global_warp(), grid_warps(), [&](int entry, int place) {
    if (entry < 0) return;
    const int name = w.queue.vertex[entry];
    if (name >= 0) {
      const Bits word = fresh_at(w, level.depth, name) & level.rare;
      const Columns heads = w.out.packs[place];
      Bits more[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) more[j] = word & ~next[heads.at[j]];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (more[j]) atomicOr(&next[heads.at[j]], more[j]);
        found |= more[j];
      }
    } else {
      const Bits need = level.wanted & ~load_fresh(&next[~name]);
      const Bits got = need ? seen.of_any(w.in.packs[place]) & need : 0;
      if (got) atomicOr(&next[~name], got);
      found |= got;
    }
  });
  return found;
}

// What a phase found, one addition a block.
__device__ inline void report(const Gain& gain, Numbers* numbers) {
  const Bits bits = block_reduce<Bits>(gain.bits, 0, Either{});
  const Wide packs = block_reduce<Wide>(gain.packs);
  if (threadIdx.x != 0) return;
  if (bits & ~load_fresh(&numbers->found)) atomicOr(&numbers->found, bits);
  if (packs) atomicAdd(&numbers->pulled, packs);
}

// seen[0] is the sources, seen[1] begins as that, and they are the first to push; those without arcs have no number.
__device__ inline void begin(const Words& w, const int* sources, int count, const int* number, Numbers* numbers,
                             unsigned* barrier) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < w.n; v += gridDim.x * blockDim.x)
    w.seen(0)[v] = w.seen(1)[v] = 0;
  grid_sync(barrier);
  if (blockIdx.x == 0 && threadIdx.x < 64) {
    const int s = threadIdx.x, v = s < count ? number[sources[s]] : -1;
    if (v >= 0) atomicOr(&w.seen(0)[v], Bits(1) << s);
    const bool first = v >= 0 && !atomicOr(&w.seen(1)[v], Bits(1) << s);
    add_tasks<1>({w.queue, &numbers->packed}, {{v}, {first ? w.out.pointers[v] : 0}, {first ? w.out.length(v) : 0}});
  }
  grid_sync(barrier);
}

// Directions for the bits that are alive. What is common stays so.
__device__ inline Level directed(const Words& w, int depth, Bits alive, Bits& common, int share, Numbers* numbers,
                                 unsigned* barrier) {
  if (!(alive & ~common)) return {depth, alive, 0};
  survey_hubs(w, depth, numbers);
  grid_sync(barrier);
  common = common_bits(w, share, numbers);
  const Bits pulled = FEW * __popcll(alive & common) < __popcll(alive) ? 0 : alive & common;
  return {depth, pulled, alive & ~pulled};
}

// Bit p of (level + 1) goes to plane p.
__device__ inline void write_planes(const Words& w, int depth, Bits* planes) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < w.n; v += gridDim.x * blockDim.x) {
    Bits plane[4] = {}, before = 0;
#pragma unroll 4
    for (int d = 1; d <= depth; ++d) {  // a source's own level is written at the end
      const Bits now = w.seen(d)[v], fresh = now & ~before;
#pragma unroll
      for (int p = 0; p < 4; ++p) plane[p] |= (d + 1) >> p & 1 ? fresh : 0;
      before = now;
    }
    store_pack(planes + 4ll * v, Pack<Bits, 2>{{plane[0], plane[1]}});
    store_pack(planes + 4ll * v + 2, Pack<Bits, 2>{{plane[2], plane[3]}});
  }
}

// Ends when nothing is found, when a pull found little (the rest is for a queue), or when the planes are full.
// compiled: search_words; hot
__global__ void __launch_bounds__(1024, 1)
    search_words(int n, const int* out_pointers, const Columns* out_packs, const int* in_pointers,
                 const Columns* in_packs, const int* number, const int* sources, int count, Bits* history, int* vertices,
                 int* befores, int* shifts, Bits* planes, Numbers* numbers, Outcome* outcome, unsigned* barrier,
                 int hubs, int share, int little) {
  extern __shared__ Bits of_hubs[];
  const Words w{n, {out_pointers, out_packs}, {in_pointers, in_packs}, history, {vertices, befores, shifts}, hubs};
  begin(w, sources, count, number, numbers, barrier);
  Bits alive = ~Bits(0) >> (64 - count), common = 0;
  int depth = 0;
  for (bool on = n > 0; on; ++depth, ++numbers) {
    const Seen seen{w.seen(depth), of_hubs, hubs};
    Level level{depth, 0, alive};
    if (depth) {
      level = directed(w, depth, alive, common, share, numbers, barrier);
      keep_hubs(seen, of_hubs);
      report(pull_and_sort(w, level, seen, numbers), numbers);
      grid_sync(barrier);
    }
    const Wide packed = read_for_block(&numbers->packed);
    if (packed) {
      report({do_tasks(w, level, seen, packed), 0}, numbers);
      grid_sync(barrier);
    }
    alive = read_for_block(&numbers->found);
    const Wide most = max(packed & ARC_MASK, read_for_block(&numbers->pulled));
    on = alive && depth + 2 < LEVELS && !(level.wanted && most * little < Wide(out_pointers[n]));
  }
  write_planes(w, depth, planes);
  if (blockIdx.x == 0 && threadIdx.x == 0) *outcome = {Wide(depth), alive};
}
