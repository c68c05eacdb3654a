// Warp operations: lanes that wait, what they exchange, and when they go on.
#include <algorithm>

#include "machine.h"

namespace emulator {

static unsigned long long fold(Collective kind, unsigned long long x, unsigned long long y) {
  switch (kind) {
    case Collective::add: return unsigned(x + y);
    case Collective::min: return unsigned(std::min(int(x), int(y)));
    case Collective::max: return unsigned(std::max(int(x), int(y)));
    case Collective::umin: return std::min(unsigned(x), unsigned(y));
    case Collective::umax: return std::max(unsigned(x), unsigned(y));
    case Collective::bit_and: return x & y;
    case Collective::bit_or: return x | y;
    default: return x ^ y;
  }
}

static unsigned long long outcome(const Warp& warp, const Thread& thread, unsigned lanes) {
  unsigned votes = 0;
  for (unsigned lane = 0; lane < warp.size; ++lane)
    if (lanes >> lane & 1 && warp.first[lane].value) votes |= 1u << lane;
  switch (thread.kind) {
    case Collective::sync: return 0;
    case Collective::ballot: return votes;
    case Collective::any: return votes != 0;
    case Collective::all: return votes == lanes;
    case Collective::shuffle:
      if (thread.source < 32 && lanes >> thread.source & 1) return warp.first[thread.source].value;
      return 0x0101010101010101ull * POISON;  // a lane that does not take part has no value to give
    case Collective::match_any:
    case Collective::match_all: {
      unsigned same = 0;
      for (unsigned lane = 0; lane < warp.size; ++lane)
        if (lanes >> lane & 1 && warp.first[lane].value == thread.value) same |= 1u << lane;
      return thread.kind == Collective::match_any || same == lanes ? same : 0;
    }
    default: break;
  }
  bool begun = false;
  unsigned long long total = 0;
  for (unsigned lane = 0; lane < warp.size; ++lane)
    if (lanes >> lane & 1) {
      total = begun ? fold(thread.kind, total, warp.first[lane].value) : warp.first[lane].value;
      begun = true;
    }
  return total;
}

// If every lane of the mask is here, give each its result and wake all of them but `self`.
bool complete(Warp& warp, Thread& one, Thread* self) {
  const unsigned lanes = one.mask & warp.alive;
  if ((warp.waiting & lanes) != lanes) return false;
  unsigned clock = 0;
  for (unsigned left = lanes; left; left &= left - 1) {
    Thread& other = warp.first[__builtin_ctz(left)];
    if (other.mask != one.mask) return false;
    if (other.kind != one.kind || (one.kind != Collective::sync && other.place.line != one.place.line)) {
      fail(&other, "lanes of one mask (0x%08x) do different things: %s; but %s", one.mask, describe(one), describe(other));
      return false;
    }
    clock = std::max(clock, other.clock);
  }
  unsigned long long results[32];
  for (unsigned left = lanes; left; left &= left - 1) {
    const unsigned lane = __builtin_ctz(left);
    results[lane] = outcome(warp, warp.first[lane], lanes);
    if (one.kind != Collective::shuffle && one.kind != Collective::match_any && left == lanes) {
      for (unsigned rest = lanes; rest; rest &= rest - 1) results[__builtin_ctz(rest)] = results[lane];
      break;
    }
  }
  for (int lane = 31; lane >= 0; --lane)
    if (lanes >> lane & 1) {
      Thread& other = warp.first[lane];
      other.result = results[lane];
      other.clock = clock + 1;
      if (&other != self) wake(&other, true);
    }
  warp.waiting &= ~lanes;
  machine.idle = 0;
  return true;
}

unsigned long long collective(Collective kind, unsigned mask, unsigned long long value, unsigned source, Place place) {
  check_flush();
  Thread* thread = machine.running;
  Warp& warp = *thread->warp;
  wait_as(thread, State::collective, place, __builtin_return_address(0));
  if (!(mask >> thread->identity.lane & 1))
    fail(thread, "a lane is not in the mask it names (0x%08x): %s", mask, describe(*thread));
  thread->kind = kind;
  thread->mask = mask;
  thread->value = value;
  thread->source = source;
  warp.waiting |= 1u << thread->identity.lane;
  if (complete(warp, *thread, thread)) {
    thread->state = State::ready;
    if (!machine.shuffled) return thread->result;
    thread->block->ready.push_back(thread);
  }
  leave_to_scheduler(thread);
  return thread->result;
}

unsigned active_mask(Place place) {
  check_flush();
  Thread* thread = machine.running;
  wait_as(thread, State::weak, place, __builtin_return_address(0));
  leave_to_scheduler(thread);
  return static_cast<unsigned>(thread->result);
}

// Let the lanes that ask for the active mask go: those of a warp at one line find each other.
bool release_weak(Block& block) {
  bool any = false;
  for (Warp& warp : block.warps)
    for (unsigned lane = 0; lane < warp.size; ++lane) {
      Thread& one = warp.first[lane];
      if (one.state != State::weak) continue;
      unsigned together = 0;
      for (unsigned other = lane; other < warp.size; ++other) {
        const Thread& thread = warp.first[other];
        const bool split = machine.shuffled && other != lane && machine.random() % 8 == 0;
        if (thread.state == State::weak && thread.place.line == one.place.line && !split) together |= 1u << other;
      }
      for (unsigned left = together; left; left &= left - 1) {
        Thread& thread = warp.first[__builtin_ctz(left)];
        thread.result = together;
        wake(&thread);
      }
      any = true;
    }
  return any;
}

}  // namespace emulator
