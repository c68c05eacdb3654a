// A frontier of bits becomes a queue that carries its own prefix sum, and is pushed over equal shares of its arcs.
//
//   t[i] ⊕= M[k, i] ⊗ v[k], for every arc of every entry k of v, where the mask allows i
//
// Slot and arcs are reserved together by one 64-bit addition (entries above, arcs below), so the entries lie in the
// order of their arcs. A warp owns an equal share of the arcs, however they fall on entries.
#pragma once

#include "headers/arc_queue.cuh"
#include "headers/join.cuh"
#include "headers/primitives.cuh"
#include "headers/views.cuh"
#include "loop_state.cuh"

// The warp appends an entry a lane (or -1): those without arcs are left out.
template <class Offset>
__device__ __forceinline__ void enqueue(const Offset* indptr, const Queue<Offset>& queue, Wide* packed, int k) {
  const Offset begin = k >= 0 ? indptr[k] : 0, arcs = k >= 0 ? indptr[k + 1] - begin : 0;
  const unsigned some = __ballot_sync(WHOLE_WARP, arcs > 0);
  if (!some) return;
  const Offset upto = warp_inclusive_scan(arcs);
  Wide base = 0;
  if (lane_index() == 31)
    base = atomicAdd(packed, (static_cast<Wide>(__popc(some)) << ARC_BITS) + static_cast<Wide>(upto));
  base = shuffle_from(base, 31);
  if (arcs > 0) {
    const int slot = static_cast<int>(base >> ARC_BITS) + __popc(some & lower_lanes());
    const Offset before = static_cast<Offset>(base & ARC_MASK) + upto - arcs;
    queue.vertex[slot] = k;
    queue.before[slot] = before;
    queue.shift[slot] = begin - before;
  }
}

// The warp puts an entry a lane (or -1) into the queue, and into the list of members if there is one.
template <class Body, class S, class Side, class Offset>
__device__ __forceinline__ void add_entries(
    const Loop<S, Side, Offset>& loop, bool lists, int* members, Turn* turn, int k) {
  if (Body::sparse && lists) warp_append(k >= 0, k, members, &turn->members);
  enqueue(loop.out.indptr, loop.queue, &turn->packed, k);
}

// The entries of the operand, from bits to the queue.
template <class S, class Side, class Offset, class Body>
__device__ __noinline__ void fill_queue(int turn, bool lists) {
  auto& loop = loop_of_block<S, Side, Offset>();
  const unsigned* const entries = loop.slots.words_of(Body::operand);
  const int words = loop.slots.words;
  const int span = span_of(words);
  int *const pending = loop.pending[warp_index()], *const members = loop.members[turn & 1];
  Turn* const now = &loop.turns[turn % 3];
  for (int first = warp_of_grid() * span; first < words; first += warps_of_grid() * span) {
    const int word = first + lane_index();
    unsigned bits = lane_index() < span && word < words ? entries[word] : 0;
    int waiting = 0;
    while (__any_sync(WHOLE_WARP, bits)) {
      const unsigned holders = __ballot_sync(WHOLE_WARP, bits);
      if (bits) pending[waiting + __popc(holders & lower_lanes())] = word * 32 + __ffs(bits) - 1;
      bits &= bits - 1;
      waiting += __popc(holders);
      __syncwarp();
      if (waiting >= 32) {
        waiting -= 32;
        add_entries<Body>(loop, lists, members, now, pending[waiting + lane_index()]);
        __syncwarp();
      }
    }
    if (waiting) add_entries<Body>(loop, lists, members, now, lane_index() < waiting ? pending[lane_index()] : -1);
    __syncwarp();
  }
}

// The arc stored at `where`, from entry k, into place i; true if no other arc reached i before.
template <class S, class Side, class Offset, class Body>
__device__ __forceinline__ bool scatter(const Loop<S, Side, Offset>& loop, int i, int k, Offset where) {
  if (!Body::allows(loop.slots, i)) return false;
  const bool first = !bit_test_racing(loop.found, i) && bit_set(loop.found, i);
  if (Body::constant || (S::is_any && !first)) return first;
  using Operand = typename Side::template Vector<S>;
  const typename S::C term = Side::template product<S>(
      value_at<Side::template reads_matrix<S>>(loop.out.values, where),
      value_at<Side::template reads_vector<S>>(loop.slots.template at<Operand>(Body::operand), k), i, k);
  if constexpr (S::is_any) loop.product[i] = term;
  else join<S>(loop.product + i, term);
  return first;
}

// Each warp of the team pushes its share of the arcs of the queue; if `lists`, places met that are no members are
// listed.
template <class S, class Side, class Offset, class Body>
__device__ __noinline__ void push(Team team, Wide packed, bool lists, Turn* now) {
  auto& loop = loop_of_block<S, Side, Offset>();
  const Queue<Offset> queue = loop.queue;
  const int size = static_cast<int>(packed >> ARC_BITS);
  const Offset arcs = static_cast<Offset>(packed & ARC_MASK);
  const Offset share = ((arcs - 1) / team.warps + 32) / 32 * 32;
  Offset arc = team.warp * share;
  const Offset last = arc < arcs ? min(arc + share, arcs) : 0;
  if (arc >= last) return;
  int *const pending = loop.pending[warp_index()], waiting = 0;
  int first = owner_of(queue.before, size, arc);
  for (; arc < last; arc += 32) {
    const int entry = first + lane_index();
    const Offset before = entry < size ? queue.before[entry] : arcs;
    const Offset shift = entry < size ? queue.shift[entry] : 0;
    const int vertex = entry < size ? queue.vertex[entry] : 0;
    const Offset mine = arc + lane_index();
    const int owner = owner_in_window(before, mine);
    const Offset where = mine + __shfl_sync(WHOLE_WARP, shift, owner);
    const int k = __shfl_sync(WHOLE_WARP, vertex, owner);
    const int i = mine < last ? loop.out.indices[where] : 0;
    const bool met = mine < last && scatter<S, Side, Offset, Body>(loop, i, k, where);
    if (lists) {
      const bool listed = met && !bit_test(loop.slots.words_of(Body::operand), i);
      const unsigned votes = __ballot_sync(WHOLE_WARP, listed);
      if (listed) pending[waiting + __popc(votes & lower_lanes())] = i;
      waiting += __popc(votes);
      __syncwarp();
      if (waiting >= 32) {
        waiting -= 32;
        warp_append(true, pending[waiting + lane_index()], loop.met, &now->found);
        __syncwarp();
      }
    }
    first += __shfl_sync(WHOLE_WARP, owner, 31);
    if (first + 1 < size && queue.before[first + 1] <= arc + 32) ++first;
  }
  if (waiting) warp_append(lane_index() < waiting, pending[lane_index()], loop.met, &now->found);
}
