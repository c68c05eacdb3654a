// The statements of a loop that look at one place at a time: a warp owns 32 words of bits, and a lane a place of each
// word in which a statement can change anything.
#pragma once

#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"
#include "loop_push.cuh"
#include "loop_state.cuh"

template <class Body>
struct Held {  // words of bits, one a lane
  unsigned h[Body::slots];
  unsigned t;  // of the product
};

constexpr int FEW_PLACES = 4;  // of each word of a warp: then a lane takes those of its own word

template <class Body>
__device__ __forceinline__ unsigned presence(const Held<Body>& held, int place) {
  unsigned has = 0;
#pragma unroll
  for (int s = 0; s < Body::slots; ++s) has |= (held.h[s] >> place & 1u) << s;
  return has;
}

// A lane runs `run(i, has, found)` at the places of its own word.
template <class Body, bool KEEPS, class Run>
__device__ __forceinline__ void few_places(Held<Body>& held, unsigned touched, int word, const Run& run) {
  for (; touched; touched &= touched - 1) {
    const int place = __ffs(touched) - 1;
    unsigned has = presence(held, place);
    run(word * 32 + place, has, held.t >> place & 1u);
    if constexpr (!KEEPS)
#pragma unroll
      for (int s = 0; s < Body::slots; ++s) held.h[s] = (held.h[s] & ~(1u << place)) | (has >> s & 1u) << place;
  }
}

// The warp runs it at the places of a word together, word after word.
template <class Body, bool KEEPS, class Run>
__device__ __forceinline__ void many_places(Held<Body>& held, unsigned touched, int first_word, const Run& run) {
  for (unsigned todo = __ballot_sync(WHOLE_WARP, touched != 0); todo; todo &= todo - 1) {
    const int word = __ffs(todo) - 1;
    unsigned has = 0;
#pragma unroll
    for (int s = 0; s < Body::slots; ++s) has |= (__shfl_sync(WHOLE_WARP, held.h[s], word) >> lane_index() & 1u) << s;
    const bool found = __shfl_sync(WHOLE_WARP, held.t, word) >> lane_index() & 1u;
    if (__shfl_sync(WHOLE_WARP, touched, word) >> lane_index() & 1u)
      run((first_word + word) * 32 + lane_index(), has, found);
    if constexpr (!KEEPS)
#pragma unroll
      for (int s = 0; s < Body::slots; ++s) {
        if (!(Body::written >> s & 1u)) continue;
        const unsigned bits = __ballot_sync(WHOLE_WARP, has >> s & 1u);
        if (lane_index() == word) held.h[s] = bits;
      }
  }
}

// Run statements at the places of `touched`, and put the presence bits back into the words unless KEEPS.
template <class Body, bool KEEPS, class Run>
__device__ __forceinline__ void each_place(Held<Body>& held, unsigned touched, int first_word, const Run& run) {
  if (__any_sync(WHOLE_WARP, __popc(touched) > FEW_PLACES)) many_places<Body, KEEPS>(held, touched, first_word, run);
  else few_places<Body, KEEPS>(held, touched, first_word + lane_index(), run);
}

// Statements over the words of a warp. Where their structure depends on structures alone it is computed a word at a
// time, and places are visited only for values: where some are stored, or the product (`always`) has one.
template <class Body, bool STRUCTURAL, class Run, class Words>
__device__ __forceinline__ void run_words(
    Held<Body>& held, unsigned touched, unsigned always, int first, const Run& run, const Words& words) {
  if constexpr (STRUCTURAL) {
    Held<Body> old = held;
    const unsigned stored = words(held.h, held.t, touched);
    each_place<Body, true>(old, (stored | always) & touched, first, run);
  } else {
    each_place<Body, false>(held, touched, first, run);
  }
}

// The product at a place; it is not stored where it is the same everywhere.
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
    const unsigned inside = !there || mine * 32 >= s.n ? 0
                            : s.n - mine * 32 >= 32    ? ~0u
                                                       : (1u << (s.n - mine * 32)) - 1;
    Held<Body> held;
#pragma unroll
    for (int k = 0; k < Body::slots; ++k) held.h[k] = there ? s.words_of(k)[mine] : 0;
    held.t = after && there ? loop.found[mine] : 0;
    unsigned touched = 0;
    if (after) {
      const auto run = [&](int i, unsigned& has, bool found) {
        Body::after(s, i, round, has, found, product_at<Body>(loop, i, found));
        if (!S::is_any && found) loop.product[i] = S::identity();
      };
      touched = Body::touched_after(held.h, held.t) & inside;
      run_words<Body, Body::structural_after>(held, touched, held.t, first, run, Body::words_after);
      if (held.t) loop.found[mine] = 0;
    }
    if constexpr (Body::live >= 0) counted.live += __popc(held.h[Body::live]);
    if (before) {
      const unsigned also = Body::touched_before(held.h) & inside;
      const auto run = [&](int i, unsigned& has, bool) { Body::before(s, i, round + after, has); };
      run_words<Body, Body::structural_before>(held, also, 0, first, run, Body::words_before);
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

// The same at the places of two lists alone, the members and those that a push met: nothing changes elsewhere. The
// entries that the operand has then become the next list and the next queue. A lane owns a place.
template <class S, class Side, class Offset, class Body>
__device__ __noinline__ void listed_statements(
    Team team, bool before, int round, int turn, Wide closed, unsigned members, unsigned found_too) {
  auto& loop = loop_of_block<S, Side, Offset>();
  const Slots& s = loop.slots;
  const unsigned total = members + found_too;
  const int *const list = loop.members[turn & 1], *const met = loop.met;
  Turn* const next = &loop.turns[(turn + 1) % 3];
  Tally counted{0, 0, team.warp == 0 && lane_index() == 0 ? closed : 0};
  for (unsigned base = team.warp * 32; base < total; base += team.warps * 32) {
    const unsigned p = base + lane_index();
    const bool there = p < total;
    const int i = !there ? 0 : p < members ? list[p] : met[p - members];
    const unsigned bit = 1u << (i & 31);
    unsigned has = 0;
#pragma unroll
    for (int k = 0; k < Body::slots; ++k) has |= static_cast<unsigned>(there && bit_test_racing(s.words_of(k), i)) << k;
    const unsigned had = has;
    if (there) {
      const bool found = bit_test_racing(loop.found, i);
      Body::after(s, i, round, has, found, product_at<Body>(loop, i, found));
      if (!S::is_any && found) loop.product[i] = S::identity();
      if (found) atomicAnd(&loop.found[i >> 5], ~bit);
      counted.live += has >> Body::operand & 1u;
      if (before) Body::before(s, i, round + 1, has);
    }
#pragma unroll
    for (int k = 0; k < Body::slots; ++k) {
      if (!(Body::written >> k & 1u) || !((had ^ has) >> k & 1u)) continue;
      if (has >> k & 1u) atomicOr(&s.words_of(k)[i >> 5], bit);
      else atomicAnd(&s.words_of(k)[i >> 5], ~bit);
    }
    const bool stays = has >> Body::operand & 1u;
    counted.entries += stays;
    if constexpr (Body::closed >= 0)
      counted.closed += (has >> Body::closed & 1u) - static_cast<Wide>(had >> Body::closed & 1u);
    add_entries<Body>(loop, true, loop.members[1 - (turn & 1)], next, stays ? i : -1);
  }
  add_up(counted, loop.mine, &next->tally);
}
