// w[i] = ⊕_k M[i, k] ⊗ v[k] with every v[k] there and every row wanted, where few columns hold a great part of the
// arcs.
//
// A block keeps the values of these hubs in shared memory as long as it lives: a read there takes a tenth of what one
// of the caches takes. A column is its number, or ~h for hub h. A warp owns a stretch of 256 arcs after the other,
// whose products stand in shared memory too; teams of its lanes, as large as the number of rows in it allows, add up
// its rows. A row that reaches into another stretch is joined by an atomic.
//
// compiled: pull_hubs<S, Side, Offset> with S = plus_times FP32 | min_plus FP32 | max_min INT16 | plus_times FP64;
//   Side = MatrixFirst | VectorFirst; Offset = int | long long; hot
// compiled: pull_hubs<S, MatrixFirst, int> with S = plus_times FC32 | plus_times FC64
#pragma once

#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "headers/views.cuh"
#include "pull_even.py"  // HUB_STRETCH, HUB_THREADS

constexpr int HUB_WARPS = HUB_THREADS / 32, HUB_EACH = HUB_STRETCH / 32, HUB_LOOPS = 16;

template <class S, class Side, class Offset>
struct HubStretch {
  using C = typename S::C;
  using V = typename Side::template Vector<S>;
  using M = typename Side::template Matrix<S>;
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
      terms[step * 32 + lane_index()] = Side::template product<S>(a[step], x[step], 0, 0);
  }

  // The sum of terms[from … to) in the first lane of each team.
  __device__ __forceinline__ C sum_of(int from, int to, int team) const {
    C total = S::identity();
    for (int p = from + static_cast<int>(lane_index() & (team - 1)); p < to; p += team) total = S::add(total, terms[p]);
    for (int distance = team / 2; distance; distance /= 2) total = S::add(total, shuffle_xor(total, distance));
    return total;
  }
  __device__ __forceinline__ void put(C* place, C total, Offset begins, Offset ends) const {
    if (begins >= base && ends <= limit) *place = total;
    else join<S>(place, total);
  }

  // The rows of the stretch, 32 at a time: a lane knows where one begins and ends, and hands it to a team. What is
  // too long for a team is left to the warp.
  __device__ __forceinline__ void add_rows(const int* filled, const Offset* indptr, int rows, C* out) const {
    int team = 1;
    while (team < 32 && 2 * team * rows <= 32) team *= 2;
    for (int done = 0; done < rows; done += 32) {
      const int mine = done + lane_index();
      const Offset begins = mine < rows ? indptr[mine] : limit, ends = mine < rows ? indptr[mine + 1] : limit;
      const int place = mine < rows ? filled[mine] : 0;
      const int from = static_cast<int>((begins > base ? begins : base) - base);
      const int to = static_cast<int>((ends < limit ? ends : limit) - base);
      const bool long_one = to - from > HUB_LOOPS * team;
      const int here = lane_index() / team;  // every row has its team at once
      const int first = __shfl_sync(WHOLE_WARP, from, here), last = __shfl_sync(WHOLE_WARP, to, here);
      const C total = sum_of(first, last - first > HUB_LOOPS * team ? first : last, team);
      const C of_mine = shuffle_from(total, (lane_index() * team) & 31);
      if (from < to && !long_one) put(out + place, of_mine, begins, ends);
      for (unsigned left = __ballot_sync(WHOLE_WARP, long_one); left; left &= left - 1) {
        const int owner = __ffs(static_cast<int>(left)) - 1;
        const C whole = sum_of(__shfl_sync(WHOLE_WARP, from, owner), __shfl_sync(WHOLE_WARP, to, owner), 32);
        if (lane_index() == owner) put(out + place, whole, begins, ends);
      }
    }
  }
};

template <class S, class Side, class Offset>
__global__ __launch_bounds__(HUB_THREADS, 1) void pull_hubs(
    const int* filled, const Offset* indptr, const int* first_row, const int* indices,
    const typename Side::template Matrix<S>* values, const typename Side::template Vector<S>* vector,
    const typename Side::template Vector<S>* hubs, int hub_count, typename S::C* out, Offset arcs) {
  using V = typename Side::template Vector<S>;
  using C = typename S::C;
  extern __shared__ long long shared[];
  C* terms = reinterpret_cast<C*>(shared);
  V* table = reinterpret_cast<V*>(terms + HUB_WARPS * HUB_STRETCH);
  for (int h = threadIdx.x; h < hub_count; h += HUB_THREADS) table[h] = hubs[h];
  __syncthreads();
  const long long warps = static_cast<long long>(gridDim.x) * HUB_WARPS;
  for (long long s = static_cast<long long>(blockIdx.x) * HUB_WARPS + warp_index(); s * HUB_STRETCH < arcs;
       s += warps) {
    const Offset base = static_cast<Offset>(s) * HUB_STRETCH,
                 limit = arcs - base < HUB_STRETCH ? arcs : base + HUB_STRETCH;
    const HubStretch<S, Side, Offset> stretch{table, terms + warp_index() * HUB_STRETCH, base, limit};
    const int first = first_row[s], rows = first_row[s + 1] - first + 1;
    stretch.multiply(indices, values, vector);
    __syncwarp();
    stretch.add_rows(filled + first, indptr + first, rows, out);
    __syncwarp();
  }
}
