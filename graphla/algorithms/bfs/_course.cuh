// Which way a level of a search goes: each block keeps the course of the search, and all come to the same.
//
// Beamer's rule by estimated cost; after a pull, until little is found; never again soon where a pull was in vain.
#pragma once

#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

// The words of `state`: three packed sizes in turn (of now, of the next phase, one being cleared), and where block 0
// left the search.
constexpr int DEPTH = 3, TURN = 4, UNEXPLORED = 5, OPEN = 6;
constexpr int FEW_UNSEEN = 64;    // a pull for fewer than n / FEW_UNSEEN goes through them alone
constexpr int SECOND_CHANCE = 4;  // after a pull in vain, only a frontier of so many times the arcs is pulled

struct Place {
  int depth;
  int turn;         // which of the two queues holds the frontier
  Wide unexplored;  // arcs not yet pushed
  Wide open;        // vertices with arcs that were not in a frontier yet
  // A frontier of which only the vertices are known, with the arcs of as many average vertices.
  __device__ Wide estimated(Wide packed) const {
    const float each = static_cast<float>(unexplored) / max(static_cast<float>(open), 1.0f);
    return packed + static_cast<Wide>(static_cast<float>(packed >> ARC_BITS) * each);
  }
  __device__ void passed(Wide packed) {
    unexplored -= packed & ARC_MASK;
    open -= packed >> ARC_BITS;
  }
};

// Block 0 says where it left the search.
__device__ inline void leave(Wide* state, const Place& at) {
  state[DEPTH] = at.depth;
  state[TURN] = at.turn;
  state[UNEXPLORED] = at.unexplored;
  state[OPEN] = at.open;
}

struct Limits {
  int small, push_cost, beta, gamma;
  // Is it cheaper to meet the frontier from the other side? Each open vertex looks at tails until one is in the
  // frontier: unexplored / arcs of them if they fall at random, and never more than it has.
  __device__ bool pull_pays(Wide packed, const Place& at, int n, float least) const {
    const float arcs = static_cast<float>(packed & ARC_MASK),
                open = static_cast<float>(at.open) - static_cast<float>(packed >> ARC_BITS);
    const float unexplored = static_cast<float>(at.unexplored) - arcs;
    return arcs * gamma > n && arcs > least && unexplored * min(open / arcs, 1.0f) < push_cost * arcs;
  }
  // So many arcs that what they find will be pulled.
  __device__ bool widens(Wide arcs, int n, float least) const {
    return static_cast<float>(arcs) * gamma > n && static_cast<float>(arcs) > least;
  }
  // Tails that do not fall at random: more of them were looked at in vain than a push of `arcs` would have cost.
  __device__ bool in_vain(Wide packed, float arcs) const {
    return static_cast<float>(packed & ARC_MASK) > push_cost * arcs;
  }
};

// Who is looked for by a pull: all whose answer is not written yet, or many of the others, or few.
enum class Unseen { unanswered, many, few };

enum class Step { stop, alone, push, push_bits, pull, queue };

// In shared memory, thread 0's to change.
struct Course {
  Place at;
  float degree;        // of an average vertex
  int turn = 0;        // which of the three packed sizes is that of the frontier
  Wide packed;         // size of the frontier
  Step step;           // that it takes
  float least = 0;     // arcs of a frontier that may be pulled
  float pulled = 0;    // arcs of the frontier that was pulled last
  bool queued = true;  // the frontier is a queue, else the difference of two bitmaps
  bool owed = false;   // its levels are not written yet
  bool shy = false;    // pushed bits were not followed by a pull
  bool swapped = false, answered = false;

  __device__ void choose(const Wide* state, const Limits& limits, int n) {
    const Wide now = packed = load_fresh(&state[turn]), found = now >> ARC_BITS, arcs = now & ARC_MASK;
    if (!found) {
      step = Step::stop;
    } else if (queued) {
      const bool pays = limits.pull_pays(now, at, n, least), few = arcs <= static_cast<Wide>(limits.small);
      const bool to_bits = !shy && limits.widens(arcs, n, least);
      step = pays ? Step::pull : few ? Step::alone : to_bits ? Step::push_bits : Step::push;
      if (pays) least = pulled = static_cast<float>(arcs);
    } else {
      const bool in_vain = !owed && limits.in_vain(now, pulled);
      const Wide guess = at.estimated(now);
      const bool pays =
          owed ? limits.pull_pays(guess, at, n, least) : !in_vain && found * limits.beta >= static_cast<Wide>(n);
      step = pays ? Step::pull : Step::queue;
      if (pays && owed) least = pulled = static_cast<float>(guess & ARC_MASK);
      else if (pays)
        pulled = static_cast<float>(found) * degree;  // its arcs are not known: those of as many average vertices
      else if (owed) shy = true;
      else least = in_vain && pulled == least ? SECOND_CHANCE * least : 0;
    }
  }

  __device__ Unseen unseen(int n) const {
    const bool few = (at.open - (packed >> ARC_BITS)) * FEW_UNSEEN < static_cast<Wide>(n);
    return !answered ? Unseen::unanswered : few ? Unseen::few : Unseen::many;
  }

  __device__ void took(const Wide* state) {
    turn = (turn + 1) % 3;
    if (step == Step::alone) {
      at = {static_cast<int>(load_fresh(&state[DEPTH])), static_cast<int>(load_fresh(&state[TURN])),
            load_fresh(&state[UNEXPLORED]), load_fresh(&state[OPEN])};
      return;
    }
    const bool pushed = step == Step::push || step == Step::push_bits;
    if (pushed) at.passed(packed);
    if (step == Step::pull) {
      at.open -= packed >> ARC_BITS;
      answered = true;
    }
    if (step != Step::queue) ++at.depth;
    queued = step == Step::push || step == Step::queue;
    owed = step == Step::push_bits;
    if (queued) at.turn = 1 - at.turn;
    else swapped = !swapped;
  }
};
