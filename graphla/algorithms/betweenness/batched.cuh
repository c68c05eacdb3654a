// paths(v, s) = sum of paths(u, s) over the arcs u -> v where u is in the frontier of s and v is not seen by s;
// dependency(v, s) = paths(v, s) * sum of share(w, s) over the arcs v -> w where w is on the next level of s, with
// share = (1 + dependency) / paths.
//
// W sources are searched side by side. A word has a bit for each of them: `frontier[v]` says for which v is on the
// level at hand, and the numbers of a vertex stand next to each other. A warp owns a row, or a piece of a long one. Its
// lanes read the words of 32 neighbours; those that matter to the row are listed, and then 32 / W neighbours at a time
// are added, a source a lane.
//
// compiled: push_sources<Offset, T, W> with Offset = int | long long; T = float | double; W = 4 | 32; hot
// compiled: count_level<Offset, T, W> with Offset = int | long long; T = float | double; W = 4 | 32; hot
// compiled: sum_level<Offset, T, W> with Offset = int | long long; T = float | double; W = 4 | 32; hot
// compiled: finish_rows<T, W> with T = float | double; W = 4 | 32; hot
// compiled: settle_level
// compiled: count_pieces<Offset> with Offset = int | long long
// compiled: list_pieces<Offset> with Offset = int | long long
#pragma once

#include "_batched_cuda.py"  // LOOKS, THREADS
#include "headers/primitives.cuh"

// What a warp has found of 32 neighbours: those that matter, and for which sources.
struct Listed {
  int vertex[THREADS / 32][32];
  unsigned word[THREADS / 32][32];
};

// The sum over a piece of a row, for each source whose bit is in `mask` and in the word of the neighbour. Lane s has
// that of source s.
template <int W, class Offset, class T>
__device__ __forceinline__ T sum_piece(Offset begin, Offset end, const int* indices, const unsigned* words,
                                       unsigned mask, const T* numbers, Listed& listed) {
  int* const vertex = listed.vertex[warp_index()];
  unsigned* const word = listed.word[warp_index()];
  const int source = lane_index() % W, slot = lane_index() / W;
  T total = 0;
  for (Offset arc = begin; arc < end; arc += 32) {
    const Offset mine = arc + lane_index();
    const int u = mine < end ? load_once(indices + mine) : 0;
    const unsigned bits = mine < end ? words[u] & mask : 0;
    const unsigned matter = __ballot_sync(WHOLE_WARP, bits);
    if (!matter) continue;
    if (bits) {
      const int place = __popc(matter & lower_lanes());
      vertex[place] = u;
      word[place] = bits;
    }
    __syncwarp();
    const int count = __popc(matter);
#pragma unroll 4
    for (int i = slot; i < count; i += 32 / W)
      if (word[i] >> source & 1u) total += numbers[static_cast<long long>(vertex[i]) * W + source];
    __syncwarp();
  }
#pragma unroll
  for (int lanes = W; lanes < 32; lanes *= 2) total += shuffle_xor(total, lanes);
  return total;
}

template <class Offset, class T>
struct LevelParameters {
  int count;
  int split;
  const int* rows;
  const Offset* begins;
  const Offset* ends;
  const int* indices;
  const unsigned* seen;
  const unsigned* frontier;
  const unsigned* mine;
  unsigned* found;
  unsigned all;
  bool last;
  T* paths;
  T* shares;
  double* total;
  double extra;
};

// A piece of a row: its arcs, and the sources that it matters to.
template <class Offset>
struct Piece {
  int row;
  unsigned mask;
  Offset begin, end;
  bool split;
};

// Calls visit(piece) for the pieces with a source in wanted(row). A warp looks at LOOKS pieces at once, far from each
// other, because the long ones stand first.
template <class Offset, class T, class Wanted, class Visit>
__device__ __forceinline__ void each_piece(const LevelParameters<Offset, T>& given, Wanted wanted, Visit visit) {
  const int warps = gridDim.x * (THREADS / 32), stride = (given.count + LOOKS - 1) / LOOKS;
  for (int first = blockIdx.x * (THREADS / 32) + warp_index(); first < stride; first += warps) {
    const long long mine = first + static_cast<long long>(lane_index()) * stride;
    const bool there = lane_index() < LOOKS && mine < given.count;
    const int row = there ? given.rows[mine] : 0;
    const unsigned mask = there ? wanted(row) : 0;
    const Offset begin = mask ? given.begins[mine] : 0, end = mask ? given.ends[mine] : 0;
    for (unsigned left = __ballot_sync(WHOLE_WARP, mask); left; left &= left - 1) {
      const int lane = __ffs(static_cast<int>(left)) - 1;
      const bool split = first + static_cast<long long>(lane) * stride < given.split;
      visit(Piece<Offset>{shuffle_from(row, lane), shuffle_from(mask, lane), shuffle_from(begin, lane),
                          shuffle_from(end, lane), split});
    }
  }
}

// How many pieces each row is cut into, 0 for one of at most `piece` entries; and others[v], which has 1 in its upper
// half for a row that is cut, and 1 in its lower half for another one of at least `least` entries.
template <class Offset>
__global__ void count_pieces(int n, const Offset* indptr, int least, int piece, int* pieces, long long* others) {
  for (const int v : grid_range(n)) {
    const Offset length = indptr[v + 1] - indptr[v];
    const bool cut = length > piece;
    pieces[v] = cut ? static_cast<int>((length + piece - 1) / piece) : 0;
    others[v] = cut ? 1ll << 32 : length >= least;
  }
}

// The pieces of the rows that are cut, then the other rows; `before` and `others` are running sums of the counts.
template <class Offset>
__global__ void list_pieces(int n, const Offset* indptr, int piece, const long long* before, const long long* others,
                            int* rows, Offset* begins, Offset* ends, int* cut_rows) {
  for (const int v : grid_range(n)) {
    const int first = static_cast<int>(before[v]), count = static_cast<int>(before[v + 1]) - first;
    for (int k = 0; k < count; ++k) {
      const Offset begin = indptr[v] + static_cast<Offset>(k) * piece;
      rows[first + k] = v;
      begins[first + k] = begin;
      ends[first + k] = k + 1 < count ? begin + piece : indptr[v + 1];
    }
    if (count) {
      cut_rows[others[v] >> 32] = v;
    } else if (others[v + 1] != others[v]) {
      const int place = static_cast<int>(before[n]) + static_cast<int>(others[v]);
      rows[place] = v;
      begins[place] = indptr[v];
      ends[place] = indptr[v + 1];
    }
  }
}

// The level after the sources: their heads, each by one path, as is the source itself. A block owns a source.
template <class Offset, class T, int W>
__global__ void push_sources(const Offset* indptr, const int* indices, const int* sources, unsigned* found, T* paths) {
  const int lane = blockIdx.x, source = sources[lane];
  if (threadIdx.x == 0) paths[static_cast<long long>(source) * W + lane] = 1;
  for (const Offset arc : block_range(indptr[source], indptr[source + 1])) {
    const int v = indices[arc];
    if (v == source) continue;
    atomicOr(found + v, 1u << lane);
    paths[static_cast<long long>(v) * W + lane] = 1;
  }
}

// The next level of every search: `found` gets its bits (and is 0 before), `paths` its numbers.
template <class Offset, class T, int W>
__global__ void __launch_bounds__(THREADS, 6) count_level(const __grid_constant__ LevelParameters<Offset, T> given) {
  __shared__ Listed listed;
  each_piece(
      given, [&](int v) { return given.all & ~given.seen[v]; },
      [&](const Piece<Offset>& piece) {
        const T total =
            sum_piece<W>(piece.begin, piece.end, given.indices, given.frontier, piece.mask, given.paths, listed);
        const bool there = total > T{0} && lane_index() < W;
        const unsigned found = __ballot_sync(WHOLE_WARP, there);
        T* const paths = given.paths + static_cast<long long>(piece.row) * W;
        if (!piece.split) {
          if (there) paths[lane_index()] = total;
          if (lane_index() == 0 && found) given.found[piece.row] = found;
        } else {
          if (there) atomicAdd(paths + lane_index(), total);
          if (lane_index() == 0 && found) atomicOr(given.found + piece.row, found);
        }
      });
}

// The dependency of v, and its share; v's sources on this level are those of `mask`.
template <int W, class T>
__device__ __forceinline__ void finish_row(
    int v, unsigned mask, T sum, T* paths, T* shares, double* total, double extra) {
  const bool mine = lane_index() < W && mask >> (lane_index() % W) & 1u;
  const long long place = static_cast<long long>(v) * W + lane_index() % W;
  double dependency = 0;
  if (mine) {
    const T own = paths[place], part = own * sum;
    dependency = static_cast<double>(part) + extra;
    shares[place] = (1 + part) / own;
  }
  dependency = warp_reduce(dependency);
  if (lane_index() == 0) total[v] += dependency;
}

// The way back over a level: `mine` has its bits, `frontier` those of the next level. A piece of a longer row adds to
// the share of its row, which finish_rows completes.
template <class Offset, class T, int W>
__global__ void __launch_bounds__(THREADS, 6) sum_level(const __grid_constant__ LevelParameters<Offset, T> given) {
  __shared__ Listed listed;
  each_piece(
      given, [&](int v) { return given.mine[v]; },
      [&](const Piece<Offset>& piece) {
        T sum = 0;
        if (!given.last)
          sum = sum_piece<W>(piece.begin, piece.end, given.indices, given.frontier, piece.mask, given.shares, listed);
        if (!piece.split) {
          finish_row<W>(piece.row, piece.mask, sum, given.paths, given.shares, given.total, given.extra);
        } else if (lane_index() < W && sum > T{0}) {
          atomicAdd(given.shares + static_cast<long long>(piece.row) * W + lane_index(), sum);
        }
      });
}

// Completes the rows that are split. A warp owns one.
template <class T, int W>
__global__ void finish_rows(
    int count, const int* rows, const unsigned* mine, T* paths, T* shares, double* total, double extra) {
  const int warps = gridDim.x * blockDim.x / 32;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < count; i += warps) {
    const int v = rows[i];
    const unsigned mask = mine[v];
    const bool there = lane_index() < W && mask >> (lane_index() % W) & 1u;
    const T sum = there ? shares[static_cast<long long>(v) * W + lane_index()] : T{0};
    if (mask) finish_row<W>(v, mask, sum, paths, shares, total, extra);
  }
}

// What a level has found becomes seen; *any says whether it is something.
__global__ void settle_level(int n, const unsigned* found, unsigned* seen, int* any) {
  bool some = false;
  for (const int v : grid_range(n)) {
    const unsigned bits = found[v];
    if (bits) seen[v] |= bits;
    some |= bits != 0;
  }
  if (__syncthreads_or(some) && threadIdx.x == 0) atomicOr(any, 1);
}
