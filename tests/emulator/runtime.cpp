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

void leave_to_scheduler(Thread* thread) { fiber_switch(thread->fiber, machine.scheduler); }

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

void wake(Thread* thread, bool first) {
  thread->state = State::ready;
  if (first)
    thread->block->ready.push_front(thread);
  else
    thread->block->ready.push_back(thread);
}

void wait_as(Thread* thread, State state, Place place, void* address) {
  thread->state = state;
  thread->place = place;
  thread->address = address;
}

// --- blocks and the scheduler --------------------------------------------------------------------

static void thread_main() {
  fiber_begun(machine.scheduler);
  Thread* thread = machine.running;
  emulator_entry(machine.launch->arguments);
  check_flush();
  end_copies(*thread);
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

void begin_epoch(Block& block) { block.epoch = block.period = ++machine.epochs; }

static Block* make_block(unsigned number) {
  const EmulatorLaunch& launch = *machine.launch;
  Block* block = new Block{};
  const unsigned* g = launch.grid;
  const unsigned* b = launch.block;
  const unsigned count = b[0] * b[1] * b[2];
  block->number = number;
  block->index = {number % g[0], number / g[0] % g[1], number / g[0] / g[1]};
  begin_epoch(*block);
  block->shadow = take_shadow();
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
  give_shadow(block->shadow);
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
  machine = emulator::Machine{};
  machine.epochs = launch->epochs;  // those of earlier launches are never met again
  machine.launch_epoch = machine.grid_epoch = ++machine.epochs;
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
  emulator::check_launch();
  emulator::deadline = emulator::now() + launch->time_limit;
  emulator::run_grid();
  for (emulator::Block* block : machine.blocks) emulator::forget(block);
  machine.blocks.clear();
  machine.running = nullptr;
  launch->epochs = machine.epochs;
  return machine.failed;
}
