// The walk of a pull for up to 32 columns r at once: Y[i, r] = ⊕_k M[i, k] ⊗ X[k, r].
//
// The values of a vertex k lie together in X, and the bits of `has[k]` tell which of them are entries. A block stages
// a stretch of arcs in shared memory. A team of T lanes walks an equal part of it; each lane holds V columns in
// registers. A row that reaches past its team's part is joined by atomics; Y holds the identity at first. Rows whose
// bits in `mask` allow nothing are not read.
#pragma once

#include "few_product.cuh"
#include "few_rows.py"  // FEW_THREADS, LANE_THREADS
#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "headers/sum.cuh"
#include "headers/views.cuh"
#include "matvec/pull_even.py"  // EVEN_STRETCH

template <class S, class Side, class Offset>
struct FewPullParameters {
  const int* filled;
  const Offset* indptr;
  const int* first_row;
  const int* indices;
  const typename Side::template Matrix<S>* values;
  const typename Side::template Vector<S>* x;
  const unsigned* has;
  const unsigned* mask;
  typename S::C* out;
  unsigned* found;
  Offset arcs;
  int columns;
  int first_column;
  int x_stride;
  int out_stride;
};

constexpr int PULL_EACH = 4;  // arcs of a team whose loads are under way together

template <class S, class Side, class Entries, class Mask, class Offset, int V, int T, class Given>
struct FewWalk {
  using C = typename S::C;
  using M = typename Side::template Matrix<S>;
  using X = typename Side::template Vector<S>;
  static constexpr bool counts = !Entries::all || Mask::any;
  static constexpr unsigned EVERY = V == 32 ? ~0u : (1u << V) - 1;
  const Given& given;
  const int lane = static_cast<int>(threadIdx.x) % T;
  const bool on = lane * V < given.columns;
  Offset begins, ends;  // the arcs of the team
  int row;
  int vertex;
  Offset row_end;
  unsigned held;  // the columns that the mask allows, where there is one
  C total[V];
  unsigned met;

  // The bits of a vertex that are this lane's columns.
  __device__ __forceinline__ unsigned mine(unsigned word) const { return word >> (lane * V) & EVERY; }

  // The bits of the columns that the row may write; without a mask they cost no register.
  __device__ __forceinline__ unsigned allowed() const {
    const unsigned all = given.columns < 32 ? (1u << given.columns) - 1 : ~0u;
    return Mask::any ? held & all : all;
  }

  __device__ __forceinline__ void enter(int at) {
    row = at;
    vertex = given.filled[at];
    row_end = given.indptr[at + 1];
    met = 0;
    if constexpr (Mask::any) {
      const unsigned word = given.mask[vertex];
      held = is_same<Mask, Inside> ? word : ~word;
    }
#pragma unroll
    for (int v = 0; v < V; ++v) total[v] = S::identity();
  }

  __device__ __forceinline__ void take(M a, const Pack<X, V>& x, unsigned has, int k) {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      if (!Entries::all && !(has >> v & 1u)) continue;
      const C term = few_product<S, Side>(a, x[v], vertex, k, given.first_column + lane * V + v);
      total[v] = S::is_any ? term : S::add(total[v], term);
    }
    met |= has;
  }

  // Whether nothing that follows in the row can change a sum of this team.
  __device__ __forceinline__ bool done() const {
    if constexpr (S::is_any || S::has_terminal) {
      const unsigned wanted = mine(allowed());
      bool here = (met & wanted) == wanted;
      if constexpr (!S::is_any) {
#pragma unroll
        for (int v = 0; v < V; ++v) here = here && (!(wanted >> v & 1u) || S::is_terminal(total[v]));
      }
      return __ballot_sync(team_lanes<T>(), !here) == 0;
    }
    return Mask::any && allowed() == 0;
  }

  // The sums of a row, or of the part that is this team's.
  __device__ __forceinline__ void leave() {
    const bool whole = given.indptr[row] >= begins && row_end <= ends;
    met &= mine(allowed());
    C* place = given.out + static_cast<long long>(row) * given.out_stride + lane * V;
    if (on && whole) {
#pragma unroll
      for (int v = 0; v < V; ++v) place[v] = total[v];
    } else if (on) {
#pragma unroll
      for (int v = 0; v < V; ++v)
        if (met >> v & 1u) join<S>(place + v, total[v]);
    }
    if constexpr (counts) {
      unsigned word = on ? met << (lane * V) : 0u;
      for (int distance = T / 2; distance > 0; distance /= 2) word |= __shfl_xor_sync(team_lanes<T>(), word, distance);
      if (lane == 0 && whole) given.found[row] = word;
      else if (lane == 0 && word) atomicOr(given.found + row, word);
    }
  }
};

// A block at a stretch of arcs.
template <class S, class Side, class Entries, class Mask, class Offset, int V, int T, class Given>
__device__ __forceinline__ void pull_stretch(const Given& given) {
  using Walk = FewWalk<S, Side, Entries, Mask, Offset, V, T, Given>;
  using M = typename Side::template Matrix<S>;
  using X = typename Side::template Vector<S>;
  constexpr int THREADS = T == 1 ? LANE_THREADS : FEW_THREADS, TEAMS = THREADS / T, PART = EVEN_STRETCH / TEAMS;
  constexpr bool READS_M = Side::template reads_matrix<S>, READS_X = Side::template reads_vector<S>;
  __shared__ int columns[EVEN_STRETCH + TEAMS];  // a place is left out after each part: no two teams share a bank
  __shared__ M matrix[READS_M ? EVEN_STRETCH + TEAMS : 1];
  const Offset base = static_cast<Offset>(blockIdx.x) * EVEN_STRETCH;
  const int arcs = static_cast<int>(given.arcs - base < EVEN_STRETCH ? given.arcs - base : EVEN_STRETCH);
  for (int q = threadIdx.x; q < arcs; q += THREADS) {
    columns[q + q / PART] = load_once(given.indices + base + q);
    if constexpr (READS_M) matrix[q + q / PART] = load_once(given.values + base + q);
  }
  __syncthreads();
  const int team = static_cast<int>(threadIdx.x) / T, from = team * PART;
  const int to = from + PART < arcs ? from + PART : arcs;
  if (from >= to) return;
  Walk walk{given};
  walk.begins = base + from;
  walk.ends = base + to;
  const int first = given.first_row[blockIdx.x], rows = given.first_row[blockIdx.x + 1] - first + 1;
  walk.enter(first + row_of(given.indptr + first, rows, walk.begins));
  for (int q = from; q < to;) {
    if (walk.done()) {  // to the end of the row without a look at its arcs
      if (walk.row_end >= walk.ends) break;
      q = static_cast<int>(walk.row_end - base);
      walk.leave();
      walk.enter(walk.row + 1);
      continue;
    }
    int k[PULL_EACH];
    M a[PULL_EACH];
    Pack<X, V> x[PULL_EACH];
    unsigned has[PULL_EACH];
#pragma unroll
    for (int step = 0; step < PULL_EACH; ++step) {
      const int at = q + step < to ? q + step : to - 1;
      k[step] = columns[at + team];
      a[step] = M();
      if constexpr (READS_M) a[step] = matrix[at + team];
      x[step] = Pack<X, V>();
      has[step] = Walk::EVERY;
      if constexpr (!Entries::all) has[step] = walk.mine(load_constant(given.has + k[step]));
      if constexpr (READS_X)
        if (walk.on) x[step] = load_pack<V>(given.x + static_cast<long long>(k[step]) * given.x_stride + walk.lane * V);
    }
    const int here = to - q < PULL_EACH ? to - q : PULL_EACH;
#pragma unroll
    for (int step = 0; step < PULL_EACH; ++step) {
      if (step >= here) break;
      if (base + q + step == walk.row_end) {
        walk.leave();
        walk.enter(walk.row + 1);
      }
      walk.take(a[step], x[step], has[step], k[step]);
    }
    q += here;
  }
  walk.leave();
}
