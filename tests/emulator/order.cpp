// Which accesses of other blocks come before those of a thread: fences and the flags that are written after them.
//
// A fence publishes what its thread's warp did before it and what the block did before its last barrier, with all that
// these come after. An atomic or volatile store that follows the fence carries this to whoever reads the word by an
// atomic or volatile load and then fences: to the reader's warp at once, to its block at the next barrier. A barrier of
// the grid orders everything.
#include <algorithm>

#include "watch.h"

namespace emulator {

static unsigned warp_of(const Thread& thread) { return thread.number / 32; }

static void join(Order& order, const Order& more) {
  for (const Published& p : more) {
    const auto same = std::find_if(order.begin(), order.end(), [&](const Published& q) { return q.block == p.block && q.warp == p.warp; });
    if (same == order.end()) {
      order.push_back(p);
    } else {
      same->all = std::max(same->all, p.all);
      same->own = std::max(same->own, p.own);
    }
  }
}

static bool covers(const Order& order, unsigned block, unsigned warp, unsigned period) {
  return std::any_of(order.begin(), order.end(), [=](const Published& p) {
    return p.block == block && (period < p.all || (p.warp == warp && period <= p.own));
  });
}

void fence() {
  check_flush();
  Thread& thread = *machine.running;
  Block& block = *thread.block;
  Errands& own = errands_of(thread);
  if (!own.read.empty()) block.acquired.push_back({warp_of(thread), std::move(own.read)});
  own.read.clear();
  own.released = block.before;
  for (const auto& [warp, order] : block.acquired)
    if (warp == warp_of(thread)) join(own.released, order);
  join(own.released, {{block.number, warp_of(thread), block.epoch, block.period}});
  block.period = ++machine.epochs;
}

void publish(Thread& thread, const void* word) {
  if (thread.errands && !thread.errands->released.empty())
    join(machine.flags[reinterpret_cast<size_t>(word)], thread.errands->released);
}

void notice(Thread& thread, const void* word) {
  if (machine.flags.empty()) return;
  const auto flag = machine.flags.find(reinterpret_cast<size_t>(word));
  if (flag != machine.flags.end()) join(errands_of(thread).read, flag->second);
}

bool comes_before(unsigned block, unsigned thread, unsigned period, const Thread& later) {
  if (machine.flags.empty()) return false;
  if (covers(later.block->before, block, thread / 32, period)) return true;
  for (const auto& [warp, order] : later.block->acquired)
    if (warp == warp_of(later) && covers(order, block, thread / 32, period)) return true;
  return false;
}

void meet_block(Block& block) {
  begin_epoch(block);
  for (const auto& [warp, order] : block.acquired) join(block.before, order);
  block.acquired.clear();
}

void meet_grid() {
  machine.grid_epoch = ++machine.epochs;
  machine.flags.clear();
  for (Block* block : machine.blocks) {
    begin_epoch(*block);
    block->before.clear();
    block->acquired.clear();
    for (Thread& thread : block->threads)
      if (thread.errands) {
        thread.errands->released.clear();
        thread.errands->read.clear();
      }
  }
}

}  // namespace emulator
