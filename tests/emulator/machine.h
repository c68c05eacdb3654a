// The state of a launch: threads, warps, blocks, and the one machine that runs them.
#pragma once
#include <deque>
#include <memory>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fiber.h"
#include "runtime.h"

namespace emulator {

constexpr unsigned POISON = 0xDD;  // a byte that nobody wrote

enum class State : unsigned char { ready, collective, weak, barrier, grid, gone };

struct Block;
struct Warp;
struct SharedShadow;  // shared.cpp

// An asynchronous copy that no wait has covered yet.
struct Copy {
  char* to;
  const char* from;
  unsigned bytes, read, group, grid_epoch;  // `read` of the bytes come from the source, the rest are zeros
  char source[16];              // as it was when the copy began
  Place place;
  void* caller;
};

// What a fence makes visible of one warp's block: the accesses of all its threads in periods before `all`, and those of
// the warp in periods up to `own`.
struct Published {
  unsigned block, warp, all, own;
};
using Order = std::vector<Published>;  // one entry a warp

struct Identity {
  uint3 thread, block;
  dim3 block_size, grid_size;
  unsigned lane;
};

// What few threads have: copies under way, oldest first, and groups of them committed; what their last fence published
// and what they have read in flags since then.
struct Errands {
  unsigned groups;
  std::vector<Copy> copies;
  Order released, read;
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
  std::unique_ptr<Errands> errands;
};

struct Warp {
  Thread* first;
  unsigned size, alive, waiting;
};

struct Block {
  uint3 index;
  unsigned number, epoch, period;  // an epoch ends at a barrier of the block, a period also at a fence
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::deque<Thread*> ready;
  unsigned alive, at_barrier, at_grid, yields;
  int predicates;
  std::vector<char> static_shared, dynamic_shared;
  SharedShadow* shadow;
  Order before;                                      // accesses of other blocks that its threads come after
  std::vector<std::pair<unsigned, Order>> acquired;  // the same for one warp, until the next barrier
};

struct Machine {
  const EmulatorLaunch* launch;
  Fiber scheduler;
  std::vector<Block*> blocks;  // resident now
  Block* entered;              // whose static shared memory lies in place
  Thread *running, *copying;  // copying: who announced the store of a struct last
  std::minstd_rand random;
  unsigned next_block, block_count, epochs, alive, at_grid;
  unsigned launch_epoch, grid_epoch;        // the second began with the launch or with the last barrier of the grid
  std::unordered_map<size_t, Order> flags;  // what words were written after a fence, and what that published
  unsigned long long idle, switches, accesses;  // yields since anything happened
  bool failed, shuffled, unsettled;  // unsettled: check_flush has something to do
  char* static_begin;
  size_t static_bytes;
  std::vector<unsigned> order;
  std::vector<char*> free_stacks;
  const EmulatorArray* last_array;  // that was accessed
  char* module_begin;
  char* module_end;
};

extern Machine machine;

void fail(Thread* thread, const char* format, ...);
const char* describe(const Thread& thread);
void begin_epoch(Block& block);
void preempt();  // in a shuffled run: perhaps let another thread go first
void watch_clock();
void end_copies(Thread& thread);  // copies.cpp: at the end of the kernel none may be under way

// The checks of a checked build; in the others they do nothing.
void check_launch();                                         // checks.cpp: a launch begins
void settle();                                               // checks.cpp: what the last store has changed is there
inline void check_flush() {
  if (machine.unsettled) settle();
}
void check_source(const char* from, size_t size, void* at);  // checks.cpp: a copy reads
void check_copy(const Copy& copy, bool lands, void* at);     // shared.cpp: a copy begins or lands
SharedShadow* take_shadow();                                 // shared.cpp: for a new block
void give_shadow(SharedShadow* shadow);

// order.cpp: which accesses of other blocks come before those of a thread.
void meet_block(Block& block);
void meet_grid();

inline Errands& errands_of(Thread& thread) {
  if (!thread.errands) thread.errands = std::make_unique<Errands>();
  return *thread.errands;
}

void leave_to_scheduler(Thread* thread);
void wake(Thread* thread, bool first = false);
void wait_as(Thread* thread, State state, Place place, void* address);
bool complete(Warp& warp, Thread& one, Thread* self);  // warps.cpp: lanes of a mask go on once all are here
bool release_weak(Block& block);                       // warps.cpp: so do those that asked who is active

}  // namespace emulator

extern "C" void emulator_entry(void** arguments);  // defined after the kernel text
