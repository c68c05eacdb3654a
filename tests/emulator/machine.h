// The state of a launch: threads, warps, blocks, and the one machine that runs them.
#pragma once
#include <deque>
#include <random>
#include <vector>

#include "fiber.h"
#include "runtime.h"

namespace emulator {

constexpr unsigned POISON = 0xDD;  // a byte that nobody wrote

enum class State : unsigned char { ready, collective, weak, barrier, grid, gone };

struct Block;
struct Warp;

struct Identity {
  uint3 thread, block;
  dim3 block_size, grid_size;
  unsigned lane;
};

struct Thread {
  Fiber fiber;
  Identity identity;
  Block* block;
  Warp* warp;
  char* stack;
  State state;
  Collective kind;
  unsigned mask, source, number, clock;  // clock: Lamport time of the warp's rendezvous, for the race check
  unsigned long long value, result;
  Place place;
  void* address;
};

struct Warp {
  Thread* first;
  unsigned size, alive, waiting;
};

struct Block {
  uint3 index;
  unsigned number, epoch;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::deque<Thread*> ready;
  unsigned alive, at_barrier, at_grid, yields;
  int predicates;
  std::vector<char> static_shared, dynamic_shared;
};

struct Machine {
  const EmulatorLaunch* launch;
  Fiber scheduler;
  std::vector<Block*> blocks;  // resident now
  Block* entered;              // whose static shared memory lies in place
  Thread* running;
  std::minstd_rand random;
  unsigned next_block, block_count, epochs, alive, at_grid;
  unsigned long long idle, switches, accesses;  // yields since anything happened
  bool failed, shuffled;
  char* static_begin;
  size_t static_bytes;
  std::vector<unsigned> order;
  std::vector<char*> free_stacks;
  char* module_begin;
  char* module_end;
};

extern Machine machine;

void fail(Thread* thread, const char* format, ...);
const char* describe(const Thread& thread);
void check_entered(Block& block);      // checks.cpp: a block's shared memory is in place
void check_flush();                    // checks.cpp: settle the write that was in doubt
void preempt();                        // in a shuffled run: perhaps let another thread go first
void watch_clock();

void leave_to_scheduler(Thread* thread);
void wake(Thread* thread, bool first = false);
void wait_as(Thread* thread, State state, Place place, void* address);
bool complete(Warp& warp, Thread& one, Thread* self);  // warps.cpp: lanes of a mask go on once all are here
bool release_weak(Block& block);                       // warps.cpp: so do those that asked who is active

}  // namespace emulator

extern "C" void emulator_entry(void** arguments);  // defined after the kernel text
