// The direction of each level. Each block keeps a copy of the state of the search, and all decide alike.
//
// Beamer's rule with estimated costs: push or pull, whichever looks cheaper. Keep pulling until few vertices are found;
// after an unprofitable pull raise the size of a frontier that may be pulled.
#pragma once

#include "headers/arc_queue.cuh"
#include "headers/primitives.cuh"

// The words of `state`: three packed sizes that take turns (of this frontier, of the next, one being cleared), and the
// progress that block 0 made alone.
constexpr int DEPTH = 3, TURN = 4, UNEXPLORED = 5, OPEN = 6;
constexpr int FEW_UNSEEN = 64;        // below n / FEW_UNSEEN unseen vertices a pull visits these alone
constexpr int PULL_AGAIN_FACTOR = 4;  // after an unprofitable pull, a frontier needs so many times its arcs

struct Progress {
  int depth;
  int turn;         // which of the two queues holds the frontier
  Wide unexplored;  // arcs of vertices that were not in a frontier yet
  Wide open;        // vertices with arcs that were not in a frontier yet
  // A frontier whose vertices alone were counted, with the arcs of as many average vertices.
  __device__ Wide estimated(Wide packed) const {
    const float degree = static_cast<float>(unexplored) / max(static_cast<float>(open), 1.0f);
    return packed + static_cast<Wide>(static_cast<float>(packed >> ARC_BITS) * degree);
  }
  __device__ void remove(Wide packed) {
    unexplored -= packed & ARC_MASK;
    open -= packed >> ARC_BITS;
  }
};

// Block 0 publishes the progress that it made alone.
__device__ inline void publish(Wide* state, const Progress& at) {
  state[DEPTH] = at.depth;
  state[TURN] = at.turn;
  state[UNEXPLORED] = at.unexplored;
  state[OPEN] = at.open;
}

struct Thresholds {
  int small, push_cost, beta, gamma;
  // Whether a pull is expected to cost less than a push. An open vertex probes its tails until one is in the frontier:
  // unexplored / arcs of them if tails are random, and never more than it has.
  __device__ bool pull_is_cheaper(Wide packed, const Progress& at, int n, float min_arcs) const {
    const float arcs = static_cast<float>(packed & ARC_MASK),
                open = static_cast<float>(at.open) - static_cast<float>(packed >> ARC_BITS);
    const float unexplored = static_cast<float>(at.unexplored) - arcs;
    return arcs * gamma > n && arcs > min_arcs && unexplored * min(open / arcs, 1.0f) < push_cost * arcs;
  }
  // Whether a frontier has so many arcs that the next one will probably be pulled.
  __device__ bool next_is_pulled(Wide arcs, int n, float min_arcs) const {
    return static_cast<float>(arcs) * gamma > n && static_cast<float>(arcs) > min_arcs;
  }
  // Tails are not random: a pull that probed more tails without a hit than a push of `arcs` would have cost.
  __device__ bool was_unprofitable(Wide packed, float arcs) const {
    return static_cast<float>(packed & ARC_MASK) > push_cost * arcs;
  }
};

// What a pull visits: the first one all vertices, and writes the answer of those that it does not find, too; a later
// one all unseen vertices; or the unseen vertices alone, where they are few.
enum class Visits { unwritten, unseen, few };

enum class Step { stop, alone, push, push_bits, pull, queue };

// The state of a search in shared memory; thread 0 changes it.
struct Direction {
  Progress at;
  float degree;                 // of an average vertex
  int turn = 0;                 // which of the three packed sizes is that of the frontier
  Wide packed;                  // size of the frontier
  Step step;                    // what this phase does
  float min_arcs = 0;           // a frontier with fewer arcs is not pulled
  float pulled_arcs = 0;        // arcs of the frontier that was pulled last
  bool queued = true;           // the frontier is a queue, else the difference of two bitmaps
  bool levels_pending = false;  // the levels of the frontier are not written yet
  bool bits_wasted = false;     // a push into the bitmap was not followed by a pull: do not try it again
  bool swapped = false;         // which of the two bitmaps holds the vertices seen
  bool answered = false;        // a pull has written the answer of the vertices that are not reached

  __device__ void choose(const Wide* state, const Thresholds& limits, int n) {
    choose_for(load_fresh(&state[turn]), limits, n);
  }

  // The step of a frontier of this packed size.
  __device__ void choose_for(Wide size, const Thresholds& limits, int n) {
    packed = size;
    if (!(packed >> ARC_BITS)) step = Step::stop;
    else if (queued) choose_from_queue(limits, n);
    else choose_from_bitmap(limits, n);
  }

  // The frontier is a queue, so its arcs are known.
  __device__ void choose_from_queue(const Thresholds& limits, int n) {
    const Wide arcs = packed & ARC_MASK;
    const bool pull = limits.pull_is_cheaper(packed, at, n, min_arcs), few = arcs <= static_cast<Wide>(limits.small);
    const bool to_bits = !bits_wasted && limits.next_is_pulled(arcs, n, min_arcs);
    step = pull ? Step::pull : few ? Step::alone : to_bits ? Step::push_bits : Step::push;
    if (pull) min_arcs = pulled_arcs = static_cast<float>(arcs);
  }

  // The frontier is the difference of two bitmaps: of a push its arcs are estimated; a pull counted probes instead.
  __device__ void choose_from_bitmap(const Thresholds& limits, int n) {
    const Wide found = packed >> ARC_BITS, guess = at.estimated(packed);
    const bool unprofitable = !levels_pending && limits.was_unprofitable(packed, pulled_arcs);
    const bool pull = levels_pending ? limits.pull_is_cheaper(guess, at, n, min_arcs)
                                     : !unprofitable && found * limits.beta >= static_cast<Wide>(n);
    step = pull ? Step::pull : Step::queue;
    if (pull && levels_pending) min_arcs = pulled_arcs = static_cast<float>(guess & ARC_MASK);
    else if (pull) pulled_arcs = static_cast<float>(found) * degree;
    else if (levels_pending) bits_wasted = true;
    else min_arcs = unprofitable && pulled_arcs == min_arcs ? PULL_AGAIN_FACTOR * min_arcs : 0;
  }

  __device__ Visits visits(int n) const {
    const bool few = (at.open - (packed >> ARC_BITS)) * FEW_UNSEEN < static_cast<Wide>(n);
    return !answered ? Visits::unwritten : few ? Visits::few : Visits::unseen;
  }

  // The state after the step.
  __device__ void advance(const Wide* state) {
    turn = (turn + 1) % 3;
    if (step == Step::alone) {
      at = {static_cast<int>(load_fresh(&state[DEPTH])), static_cast<int>(load_fresh(&state[TURN])),
            load_fresh(&state[UNEXPLORED]), load_fresh(&state[OPEN])};
      return;
    }
    const bool pushed = step == Step::push || step == Step::push_bits;
    if (pushed) at.remove(packed);
    if (step == Step::pull) {
      at.open -= packed >> ARC_BITS;
      answered = true;
    }
    if (step != Step::queue) ++at.depth;
    queued = step == Step::push || step == Step::queue;
    levels_pending = step == Step::push_bits;
    if (queued) at.turn = 1 - at.turn;
    else swapped = !swapped;
  }
};
