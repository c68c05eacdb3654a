// Barriers of a block and of the grid, and threads that let others go first.
#include "machine.h"

namespace emulator {

constexpr unsigned long long IDLE_LIMIT = 4'000'000;  // yields in a row with nothing else happening

int block_barrier(int predicate, Place place) {
  check_flush();
  Thread* thread = machine.running;
  Block& block = *thread->block;
  for (Thread& other : block.threads)
    if (block.at_barrier && other.state == State::barrier) {
      if (other.place.line == place.line) break;
      wait_as(thread, State::barrier, place, __builtin_return_address(0));
      fail(thread, "divergent barrier: %s; but %s", describe(*thread), describe(other));
    }
  wait_as(thread, State::barrier, place, __builtin_return_address(0));
  block.predicates += predicate != 0;
  if (++block.at_barrier == block.threads.size()) {
    for (Thread& other : block.threads) {
      other.result = static_cast<unsigned>(block.predicates);
      wake(&other);
    }
    block.at_barrier = 0;
    block.predicates = 0;
    meet_block(block);
    machine.idle = 0;
  }
  leave_to_scheduler(thread);
  return static_cast<int>(thread->result);
}

void grid_barrier(Place place) {
  check_flush();
  Thread* thread = machine.running;
  wait_as(thread, State::grid, place, __builtin_return_address(0));
  if (!machine.launch->cooperative)
    fail(thread, "a grid barrier needs a cooperative launch: %s", describe(*thread));
  if (++machine.at_grid == machine.block_count * thread->block->threads.size()) {
    for (Block* block : machine.blocks) {
      for (Thread& other : block->threads) {
        if (other.place.line != place.line) fail(thread, "divergent grid barrier: %s; but %s", describe(*thread), describe(other));
        wake(&other);
      }
    }
    meet_grid();
    machine.at_grid = 0;
    machine.idle = 0;
  }
  leave_to_scheduler(thread);
}

void yield(Place place) {
  check_flush();
  Thread* thread = machine.running;
  wait_as(thread, State::ready, place, __builtin_return_address(0));
  thread->block->ready.push_back(thread);
  ++thread->block->yields;
  if (++machine.idle > IDLE_LIMIT)
    fail(thread, "threads spin and nothing changes: %s", describe(*thread));
  leave_to_scheduler(thread);
}

void preempt() {
  if (!machine.shuffled || machine.random() & 0xF000) return;
  Thread* thread = machine.running;
  thread->block->ready.push_back(thread);
  leave_to_scheduler(thread);
}

}  // namespace emulator
