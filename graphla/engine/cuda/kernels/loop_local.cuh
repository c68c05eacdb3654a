// The statements of a loop that look at one place at a time: a warp owns 32 words of bits, and a lane a place of each
// word in which a statement can change anything.
#pragma once
#include "loop_state.cuh"

template <class Body>
struct Held {  // words of bits, one a lane
  unsigned h[Body::slots];
  unsigned t;  // of the product
};

// Run `place(i, has, found)` at the places of `touched`, and put the presence bits back into the words.
template <class Body, class Place>
__device__ __forceinline__ void each_place(Held<Body>& held, unsigned touched, int first_word, const Place& place) {
  for (unsigned todo = __ballot_sync(WHOLE_WARP, touched != 0); todo; todo &= todo - 1) {
    const int word = __ffs(todo) - 1;
    unsigned has = 0;
#pragma unroll
    for (int s = 0; s < Body::slots; ++s) has |= (__shfl_sync(WHOLE_WARP, held.h[s], word) >> lane_index() & 1u) << s;
    const bool found = __shfl_sync(WHOLE_WARP, held.t, word) >> lane_index() & 1u;
    if (__shfl_sync(WHOLE_WARP, touched, word) >> lane_index() & 1u) place((first_word + word) * 32 + lane_index(), has, found);
#pragma unroll
    for (int s = 0; s < Body::slots; ++s) {
      if (!(Body::written >> s & 1u)) continue;
      const unsigned bits = __ballot_sync(WHOLE_WARP, has >> s & 1u);
      if (lane_index() == word) held.h[s] = bits;
    }
  }
}

// The product at a place; nobody keeps it where it is the same everywhere.
template <class Body, class S, class Side, class Offset>
__device__ __forceinline__ typename S::C product_at(const Loop<S, Side, Offset>& loop, int i, bool found) {
  if constexpr (Body::constant) return S::mul(typename S::A(), typename S::B(), 0, 0, 0);
  else return found ? loop.product[i] : S::identity();
}

// What follows the product (if `after`), and what stands before the next one (if `before`), at every place; the
// product is as empty as before. Counts what the next round is decided by.
template <class S, class Side, class Offset, class Body>
__device__ void statements(bool after, bool before, bool decides, int round, Tally* total) {
  auto& loop = loop_of_block<S, Side, Offset>();
  const Slots& s = loop.slots;
  const int span = span_of(s.words);
  Tally counted{0, 0, 0};
  for (int first = warp_of_grid() * span; first < s.words; first += warps_of_grid() * span) {
    const int mine = first + lane_index();
    const bool there = lane_index() < span && mine < s.words;
    const unsigned inside = !there || mine * 32 >= s.n ? 0 : s.n - mine * 32 >= 32 ? ~0u : (1u << (s.n - mine * 32)) - 1;
    Held<Body> held;
#pragma unroll
    for (int k = 0; k < Body::slots; ++k) held.h[k] = there ? s.words_of(k)[mine] : 0;
    held.t = after && there ? loop.found[mine] : 0;
    unsigned touched = 0;
    if (after) {
      touched = Body::touched_after(held.h, held.t) & inside;
      each_place(held, touched, first, [&](int i, unsigned& has, bool found) {
        Body::after(s, i, round, has, found, product_at<Body>(loop, i, found));
        if (!S::is_any && found) loop.product[i] = S::identity();
      });
      if (held.t) loop.found[mine] = 0;
    }
    if constexpr (Body::live >= 0) counted.live += __popc(held.h[Body::live]);
    if (before) {
      const unsigned also = Body::touched_before(held.h) & inside;
      each_place(held, also, first, [&](int i, unsigned& has, bool) { Body::before(s, i, round + after, has); });
      touched |= also;
    }
    if (decides) {
      counted.entries += __popc(held.h[Body::operand]);
      if constexpr (Body::closed >= 0) counted.closed += __popc(held.h[Body::closed]);
    }
#pragma unroll
    for (int k = 0; k < Body::slots; ++k)
      if ((Body::written >> k & 1u) && touched) s.words_of(k)[mine] = held.h[k];
  }
  add_up(counted, loop.mine, total);
}
