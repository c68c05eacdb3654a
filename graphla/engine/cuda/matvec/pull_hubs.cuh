// w[i] = ⊕_k M[i, k] ⊗ v[k] with every row wanted, where few columns hold a great part of the arcs.
//
// A block keeps the values of these hubs in shared memory as long as it lives: a read there takes a tenth of what one
// of the caches takes. A column is its number, or ~h for hub h. A warp owns a stretch of 256 arcs after the other,
// whose products stand in shared memory too; teams of its lanes, as large as the number of rows in it allows, add up
// its rows. A row that reaches into another stretch is joined by an atomic. Gaps of v are holes, as in `pull_even`.
//
// compiled: pull_hubs<S, Side, Offset, Whole> with S = plus_times FP32 | min_plus FP32 | max_min INT16 |
//   plus_times FP64; Side = MatrixFirst | VectorFirst; Offset = int | long long; hot
// compiled: pull_hubs<S, Side, Offset, Holes> with S = plus_times FP32 | min_plus FP32 | plus_times FP64;
//   Side = MatrixFirst | VectorFirst; Offset = int | long long; hot
// compiled: pull_hubs<S, MatrixFirst, int, Whole> with S = plus_times FC32 | plus_times FC64
#pragma once

#include "pull_even.cuh"
#include "pull_even.py"  // HUB_STRETCH, HUB_THREADS

constexpr int HUB_WARPS = HUB_THREADS / 32, HUB_EACH = HUB_STRETCH / 32, HUB_LOOPS = 16;

template <class S, class Side, class Offset, class Entries>
struct HubStretch {
  using C = typename S::C;
  using V = typename Side::template Vector<S>;
  using M = typename Side::template Matrix<S>;
  static_assert(Entries::all || Side::template reads_vector<S>, "its loads tell the holes");
  const V* table;
  C* terms;
  Offset base, limit;

  // The products of the stretch; the loads of a lane are under way together.
  __device__ __forceinline__ void multiply(const int* indices, const M* values, const V* vector) const {
    int k[HUB_EACH];
    M a[HUB_EACH];
    V x[HUB_EACH];
#pragma unroll
    for (int step = 0; step < HUB_EACH; ++step) {
      const Offset q = base + step * 32 + lane_index();
      k[step] = q < limit ? load_once(indices + q) : -1;
      a[step] = M();
      if constexpr (Side::template reads_matrix<S>)
        if (q < limit) a[step] = load_once(values + q);
    }
#pragma unroll
    for (int step = 0; step < HUB_EACH; ++step)
      x[step] = k[step] < 0 ? table[~k[step]] : load_constant(vector + k[step]);
#pragma unroll
    for (int step = 0; step < HUB_EACH; ++step)
      terms[step * 32 + lane_index()] =
          Entries::keep(Side::template product<S>(a[step], x[step], 0, 0), Entries::has(x[step]));
  }

  // The sum of terms[from … to) in the first lane of each team.
  __device__ __forceinline__ C sum_of(int from, int to, int team) const {
    C total = Entries::template none<S>();
    for (int p = from + static_cast<int>(lane_index() & (team - 1)); p < to; p += team)
      total = Entries::template add<S>(total, terms[p]);
    for (int distance = team / 2; distance; distance /= 2)
      total = Entries::template add<S>(total, shuffle_xor(total, distance));
    return total;
  }

  // The rows of the stretch, 32 at a time: a lane knows where one begins and ends, and hands it to a team. What is
  // too long for a team is left to the warp.
  __device__ __forceinline__ void add_rows(
      const int* filled, const Offset* indptr, int rows, C* out, bool* flags) const {
    int team = 1;
    while (team < 32 && 2 * team * rows <= 32) team *= 2;
    for (int done = 0; done < rows; done += 32) {
      const int mine = done + lane_index();
      const Offset begins = mine < rows ? indptr[mine] : limit, ends = mine < rows ? indptr[mine + 1] : limit;
      const int place = mine < rows ? filled[mine] : 0;
      const int from = static_cast<int>((begins > base ? begins : base) - base);
      const int to = static_cast<int>((ends < limit ? ends : limit) - base);
      const bool long_one = to - from > HUB_LOOPS * team, alone = begins >= base && ends <= limit;
      const bool outer = mine == 0 || mine == rows - 1;
      const int here = lane_index() / team;  // every row has its team at once
      const int first = __shfl_sync(WHOLE_WARP, from, here), last = __shfl_sync(WHOLE_WARP, to, here);
      const C total = sum_of(first, last - first > HUB_LOOPS * team ? first : last, team);
      const C of_mine = shuffle_from(total, (lane_index() * team) & 31);
      if (from < to && !long_one) put<S, Entries>(out, flags, place, of_mine, alone, outer);
      for (unsigned left = __ballot_sync(WHOLE_WARP, long_one); left; left &= left - 1) {
        const int owner = __ffs(static_cast<int>(left)) - 1;
        const C whole = sum_of(__shfl_sync(WHOLE_WARP, from, owner), __shfl_sync(WHOLE_WARP, to, owner), 32);
        if (lane_index() == owner) put<S, Entries>(out, flags, place, whole, alone, outer);
      }
    }
  }
};

template <class S, class Side, class Offset, class Entries>
__global__ __launch_bounds__(HUB_THREADS, 1) void pull_hubs(
    const __grid_constant__ EvenParameters<S, Side, Offset> given) {
  using V = typename Side::template Vector<S>;
  using C = typename S::C;
  extern __shared__ long long shared[];
  C* terms = reinterpret_cast<C*>(shared);
  V* table = reinterpret_cast<V*>(terms + HUB_WARPS * HUB_STRETCH);
  for (int h = threadIdx.x; h < given.hub_count; h += HUB_THREADS) table[h] = given.hubs[h];
  __syncthreads();
  const long long warps = static_cast<long long>(gridDim.x) * HUB_WARPS;
  for (long long s = static_cast<long long>(blockIdx.x) * HUB_WARPS + warp_index(); s * HUB_STRETCH < given.arcs;
       s += warps) {
    const Offset base = static_cast<Offset>(s) * HUB_STRETCH,
                 limit = given.arcs - base < HUB_STRETCH ? given.arcs : base + HUB_STRETCH;
    const HubStretch<S, Side, Offset, Entries> stretch{table, terms + warp_index() * HUB_STRETCH, base, limit};
    const int first = given.first_row[s], rows = given.first_row[s + 1] - first + 1;
    stretch.multiply(given.indices, given.values, given.vector);
    __syncwarp();
    stretch.add_rows(given.filled + first, given.indptr + first, rows, given.out, given.flags);
    __syncwarp();
  }
}
