// The scheduler: threads are fibers, every rendezvous is a queue, a launch ends or says why it cannot.
//
// Rules played:
// * a block barrier needs every thread of the block at the same line, and a thread that has left the
//   kernel never arrives (the guide's rule for portable code, stricter than recent hardware);
// * a warp operation needs every lane of its mask that has not left, with the same mask, operation and line
//   (__syncwarp: any line);
// * lanes of __activemask are those that wait at the same line once nothing else in the block can run;
// * a spin must call emulator_yield(); threads that do nothing but yield are reported.
#include "machine.h"

#include <link.h>
#include <stdarg.h>
#include <time.h>

#include <algorithm>

namespace emulator {

Machine machine;
static thread_local volatile char anchor[1];  // makes the module have a block of thread-local (= shared) memory

constexpr unsigned POISON = 0xDD;
constexpr unsigned long long IDLE_LIMIT = 4'000'000;

uint3 thread_index() { return machine.running->identity.thread; }
uint3 block_index() { return machine.running->identity.block; }
dim3 block_size() { return machine.running->identity.block_size; }
dim3 grid_size() { return machine.running->identity.grid_size; }
unsigned lane() { return machine.running->identity.lane; }

void* dynamic_shared() { return machine.running->block->dynamic_shared.data(); }

const char* describe(const Thread& thread) {
  static char text[4][256];
  static int turn = 0;
  char* out = text[turn++ & 3];
  const uint3 b = thread.identity.block, t = thread.identity.thread;
  int used = snprintf(out, 256, "block (%u, %u, %u) thread (%u, %u, %u)", b.x, b.y, b.z, t.x, t.y, t.z);
  if (thread.state == State::gone)
    snprintf(out + used, 256 - used, ", which has left the kernel");
  else if (thread.place.what)
    snprintf(out + used, 256 - used, ", %s at %s:%d", thread.place.what, thread.place.file, thread.place.line);
  return out;
}

static void leave_to_scheduler(Thread* thread) { fiber_switch(thread->fiber, machine.scheduler); }

void fail(Thread* thread, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(machine.launch->message, 1024, format, arguments);
  va_end(arguments);
  machine.failed = true;
  if (thread) const_cast<EmulatorLaunch*>(machine.launch)->address = reinterpret_cast<size_t>(thread->address);
  if (machine.running) leave_to_scheduler(machine.running);
}

void fail_here(const char* message, Place place) {
  Thread* thread = machine.running;
  thread->place = place;
  thread->address = __builtin_return_address(0);
  fail(thread, "%s: %s", message, describe(*thread));
}

static double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
static double deadline;

void watch_clock() {
  if (now() > deadline)
    fail(machine.running, "the kernel runs for more than %g s: %s", machine.launch->time_limit, describe(*machine.running));
}

static void wake(Thread* thread, bool first = false) {
  thread->state = State::ready;
  if (first)
    thread->block->ready.push_front(thread);
  else
    thread->block->ready.push_back(thread);
}

static void wait_as(Thread* thread, State state, Place place, void* address) {
  thread->state = state;
  thread->place = place;
  thread->address = address;
}

// --- warps ---------------------------------------------------------------------------------------

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
static bool complete(Warp& warp, Thread& one, Thread* self) {
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
static bool release_weak(Block& block) {
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

// --- barriers ------------------------------------------------------------------------------------

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
    block.epoch = ++machine.epochs;
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
      block->epoch = ++machine.epochs;
    }
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

// --- blocks and the scheduler --------------------------------------------------------------------

static void thread_main() {
  fiber_begun(machine.scheduler);
  Thread* thread = machine.running;
  emulator_entry(machine.launch->arguments);
  check_flush();
  thread->state = State::gone;
  leave_to_scheduler(thread);
  __builtin_unreachable();
}

static void retire(Thread& thread) {
  Warp& warp = *thread.warp;
  warp.alive &= ~(1u << thread.identity.lane);
  --thread.block->alive;
  --machine.alive;
  machine.idle = 0;
  machine.free_stacks.push_back(thread.stack);
  for (unsigned lane = 0; lane < warp.size; ++lane)
    if (warp.waiting >> lane & 1) complete(warp, warp.first[lane], nullptr);
}

static Block* make_block(unsigned number) {
  const EmulatorLaunch& launch = *machine.launch;
  Block* block = new Block{};
  const unsigned* g = launch.grid;
  const unsigned* b = launch.block;
  const unsigned count = b[0] * b[1] * b[2];
  block->number = number;
  block->index = {number % g[0], number / g[0] % g[1], number / g[0] / g[1]};
  block->epoch = ++machine.epochs;
  block->threads.resize(count);
  block->warps.resize((count + 31) / 32);
  block->alive = count;
  machine.alive += count;
  block->static_shared.assign(machine.static_bytes, char(POISON));
  block->dynamic_shared.assign(launch.shared_bytes, char(POISON));
  for (unsigned w = 0; w < block->warps.size(); ++w) {
    const unsigned size = std::min(32u, count - 32 * w);
    block->warps[w] = {&block->threads[32 * w], size, size == 32 ? ~0u : (1u << size) - 1, 0};
  }
  for (unsigned i = 0; i < count; ++i) {
    Thread& thread = block->threads[i];
    thread.identity = {{i % b[0], i / b[0] % b[1], i / b[0] / b[1]}, block->index, {b[0], b[1], b[2]}, {g[0], g[1], g[2]}, i & 31};
    thread.block = block;
    thread.warp = &block->warps[i / 32];
    thread.number = i;
    thread.stack = machine.free_stacks.back();
    machine.free_stacks.pop_back();
    fiber_make(thread.fiber, thread.stack, launch.stack_bytes - 64 * (i % 61), thread_main);
    block->ready.push_back(&thread);
  }
  return block;
}

static void enter(Block& block) {
  if (machine.entered == &block) return;
  if (machine.entered) memcpy(machine.entered->static_shared.data(), machine.static_begin, machine.static_bytes);
  memcpy(machine.static_begin, block.static_shared.data(), machine.static_bytes);
  machine.entered = &block;
  check_entered(block);
}

static Thread* pick(Block& block) {
  if (machine.shuffled) {
    const size_t n = block.ready.size();
    std::swap(block.ready.front(), block.ready[machine.random() % n]);
  }
  Thread* thread = block.ready.front();
  block.ready.pop_front();
  return thread;
}

// Run a block until none of its threads can go on, or all of them only spin.
static void run_block(Block& block) {
  enter(block);
  block.yields = 0;
  while (!block.ready.empty()) {
    Thread* thread = pick(block);
    machine.running = thread;
    if ((++machine.switches & 0xFFFFF) == 0) watch_clock();
    fiber_switch(machine.scheduler, thread->fiber);
    if (machine.failed) return;
    machine.running = nullptr;
    if (thread->state == State::gone) retire(*thread);
    if (machine.failed) return;
    if (block.ready.empty() || block.yields > 2 * block.ready.size()) release_weak(block);
    if (block.yields > 2 * block.ready.size()) return;
    if (machine.shuffled && machine.blocks.size() > 1 && machine.random() % 64 == 0) return;
  }
}

static void report_deadlock() {
  for (Block* block : machine.blocks)
    for (Thread& thread : block->threads) {
      if (thread.state == State::gone || thread.state == State::ready) continue;
      for (Block* place : machine.blocks)
        for (Thread& other : place->threads) {
          const bool same = other.state == thread.state && other.place.line == thread.place.line;
          const bool apart = thread.state != State::grid && other.block != thread.block;
          const bool outside = thread.state == State::collective && (other.warp != thread.warp || !(thread.mask >> other.identity.lane & 1));
          if (!same && !apart && !outside)
            return fail(&thread, "deadlock: %s, waits in vain for %s", describe(thread), describe(other));
        }
      return fail(&thread, "deadlock: %s, waits in vain%s", describe(thread),
                  thread.state == State::grid ? " for blocks that have left the kernel" : "");
    }
}

static void forget(Block* block) {
  if (machine.entered == block) machine.entered = nullptr;
  delete block;
}

static void run_grid() {
  const EmulatorLaunch& launch = *machine.launch;
  const unsigned window = launch.cooperative ? machine.block_count : (machine.shuffled ? launch.resident : 1);
  size_t turn = 0, stuck = 0;
  while (!machine.failed) {
    while (machine.blocks.size() < window && machine.next_block < machine.block_count)
      machine.blocks.push_back(make_block(machine.order[machine.next_block++]));
    if (machine.blocks.empty()) return;
    turn = machine.shuffled ? machine.random() % machine.blocks.size() : (turn + 1) % machine.blocks.size();
    Block* block = machine.blocks[turn];
    stuck = block->ready.empty() && block->alive ? stuck + 1 : 0;
    if (block->alive) run_block(*block);
    if (machine.failed) return;
    if (block->alive == 0) {
      machine.blocks.erase(machine.blocks.begin() + turn);
      forget(block);
    } else if (stuck > 64 * machine.blocks.size()) {
      bool ready = false;
      for (Block* other : machine.blocks) ready |= !other->ready.empty();
      if (!ready) report_deadlock();
    }
  }
}

// The module's thread-local block is where its __shared__ variables live.
static int find_module(dl_phdr_info* info, size_t, void*) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    char* data = static_cast<char*>(info->dlpi_tls_data);
    if (header.p_type == PT_TLS && data && anchor >= data && anchor < data + header.p_memsz) {
      machine.static_begin = data;
      machine.static_bytes = header.p_memsz;
      machine.module_begin = reinterpret_cast<char*>(info->dlpi_addr);
      for (int j = 0; j < info->dlpi_phnum; ++j)
        if (info->dlpi_phdr[j].p_type == PT_LOAD)
          machine.module_end = machine.module_begin + info->dlpi_phdr[j].p_vaddr + info->dlpi_phdr[j].p_memsz;
      return 1;
    }
  }
  return 0;
}

}  // namespace emulator

using emulator::machine;

extern "C" __attribute__((visibility("default"))) int emulator_run(EmulatorLaunch* launch) {
  for (emulator::Block* block : machine.blocks) emulator::forget(block);
  const unsigned epochs = machine.epochs;  // those of earlier launches are never met again
  machine = emulator::Machine{};
  machine.epochs = epochs;
  machine.launch = launch;
  emulator::anchor[0] = 0;
  dl_iterate_phdr(emulator::find_module, nullptr);
  machine.shuffled = launch->seed != 0;
  machine.random.seed(launch->seed + 1);
  machine.block_count = launch->grid[0] * launch->grid[1] * launch->grid[2];
  const unsigned threads = launch->block[0] * launch->block[1] * launch->block[2];
  const unsigned window = launch->cooperative ? machine.block_count : launch->resident;
  for (size_t i = size_t(threads) * window; i-- > 0;) machine.free_stacks.push_back(launch->stacks + i * launch->stack_bytes);
  for (unsigned i = 0; i < machine.block_count; ++i) machine.order.push_back(i);
  if (machine.shuffled) std::shuffle(machine.order.begin(), machine.order.end(), machine.random);
  emulator::deadline = emulator::now() + launch->time_limit;
  emulator::run_grid();
  for (emulator::Block* block : machine.blocks) emulator::forget(block);
  machine.blocks.clear();
  machine.running = nullptr;
  return machine.failed;
}
