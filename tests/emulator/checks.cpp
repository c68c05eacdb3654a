// What a checked build watches: every load and store of the kernel, and undefined arithmetic.
//
// The kernel is compiled with -fsanitize=thread,undefined for the calls that these put into the code, but not
// linked with their libraries: the calls end here. So each access is held against the arrays of the launch
// (out of bounds), and each access to shared memory against those of the other threads since the last
// barrier (race). Two threads may store the same value; atomics and volatile accesses do not race with each other.
#include "machine.h"

namespace emulator {

#if defined(EMULATOR_CHECKED)

enum class Use { read, volatile_read, write, atomic };  // a volatile write counts as atomic

struct Access {
  unsigned epoch, thread, clock;
  Use use;
  void* address;
};
struct Shadow {
  Access write, read, other_read;
};

static std::vector<Shadow> static_shadow, dynamic_shadow;

// A store that another thread's store precedes: a race unless it changes nothing.
static struct {
  char* byte;
  char before;
  Thread* thread;
  Access other;
} doubt;

static const char* verb(Use use) {
  return use == Use::write ? "writes" : use == Use::atomic ? "updates atomically" : "reads";
}

static void report_race(const Thread& thread, const Access& other, const char* mine) {
  const Thread& second = thread.block->threads[other.thread];
  const uint3 b = thread.identity.block, t = thread.identity.thread, o = second.identity.thread;
  fail(machine.running, "race in shared memory: block (%u, %u, %u) thread (%u, %u, %u) %s what thread (%u, %u, %u) %s, with no barrier between",
       b.x, b.y, b.z, t.x, t.y, t.z, mine, o.x, o.y, o.z, verb(other.use));
}

void check_flush() {
  if (!doubt.byte) return;
  char* byte = doubt.byte;
  doubt.byte = nullptr;
  if (*byte != doubt.before) report_race(*doubt.thread, doubt.other, "writes");
}

void check_entered(Block&) {
  const size_t bytes = machine.launch->shared_bytes;
  if (static_shadow.size() < machine.static_bytes) static_shadow.resize(machine.static_bytes);
  if (dynamic_shadow.size() < bytes) dynamic_shadow.resize(bytes);
}

static bool unordered(const Thread& thread, const Access& other) {
  if (other.epoch != thread.block->epoch || other.thread == thread.number) return false;
  const bool same_warp = other.thread / 32 == thread.number / 32;
  return !same_warp || other.clock >= thread.clock;
}

static void check_byte(Thread& thread, Shadow& shadow, char* byte, Use use, void* address) {
  const Access mine{thread.block->epoch, thread.number, thread.clock, use, address};
  const bool relaxed = use == Use::atomic || use == Use::volatile_read;
  const bool write_conflict = unordered(thread, shadow.write) && !(relaxed && shadow.write.use == Use::atomic);
  if (write_conflict && use == Use::write && shadow.write.use == Use::write)
    doubt = {byte, *byte, &thread, shadow.write};
  else if (write_conflict)
    report_race(thread, shadow.write, verb(use));
  if (use == Use::volatile_read) return;
  if (use == Use::read) {
    if (shadow.read.epoch != mine.epoch || shadow.read.thread == mine.thread)
      shadow.read = mine;
    else
      shadow.other_read = mine;
    return;
  }
  if (unordered(thread, shadow.read)) report_race(thread, shadow.read, verb(use));
  if (unordered(thread, shadow.other_read)) report_race(thread, shadow.other_read, verb(use));
  shadow.write = mine;
}

static bool inside(const char* address, size_t size, const char* begin, size_t bytes) {
  return address >= begin && address + size <= begin + bytes;
}

static bool check_shared(Thread& thread, char* address, size_t size, Use use, void* place) {
  std::vector<char>& dynamic = thread.block->dynamic_shared;
  const bool fixed = inside(address, size, machine.static_begin, machine.static_bytes);
  if (!fixed && !inside(address, size, dynamic.data(), dynamic.size())) return false;
  Shadow* shadow = fixed ? &static_shadow[address - machine.static_begin] : &dynamic_shadow[address - dynamic.data()];
  for (size_t i = 0; i < size; ++i) check_byte(thread, shadow[i], address + i, use, place);
  return true;
}

// A volatile or atomic access of an aligned word may reach over the ends of an array of bytes: that is how one byte
// of it is updated.
static bool in_arrays(const char* address, size_t size, Use use) {
  static unsigned last = 0;
  const EmulatorArray* arrays = machine.launch->arrays;
  const unsigned count = machine.launch->array_count;
  const size_t begin = reinterpret_cast<size_t>(address), end = begin + size;
  const size_t slack = size == 4 && begin % 4 == 0 && (use == Use::atomic || use == Use::volatile_read) ? 3 : 0;
  if (last < count && begin >= arrays[last].begin && end <= arrays[last].end) return true;
  for (unsigned i = 0; i < count; ++i)
    if (begin + slack >= arrays[i].begin && end <= arrays[i].end + slack) {
      last = i;
      return true;
    }
  return false;
}

static void report_outside(Thread& thread, const char* address, size_t size, Use use) {
  const size_t at = reinterpret_cast<size_t>(address);
  unsigned nearest = 0;
  size_t distance = ~size_t(0);
  for (unsigned i = 0; i < machine.launch->array_count; ++i) {
    const EmulatorArray& a = machine.launch->arrays[i];
    const size_t away = at < a.begin ? a.begin - at : at >= a.end ? at - a.end : 0;
    if (away < distance) distance = away, nearest = i;
  }
  const uint3 b = thread.identity.block, t = thread.identity.thread;
  char where[96] = "";
  if (distance < (1u << 20)) {
    const EmulatorArray& a = machine.launch->arrays[nearest];
    snprintf(where, sizeof where, ", at byte %lld of an array of %lld bytes (argument %u)", (long long)(at - a.begin),
             (long long)(a.end - a.begin), a.argument);
  }
  fail(&thread, "out of bounds: block (%u, %u, %u) thread (%u, %u, %u) %s %zu bytes that belong to no array%s", b.x, b.y, b.z,
       t.x, t.y, t.z, verb(use), size, where);
}

static void access(volatile void* memory, size_t size, Use use, void* place) {
  if (!machine.running) return;
  if (use == Use::write || use == Use::atomic) machine.idle = 0;
  check_flush();
  Thread& thread = *machine.running;
  char* address = const_cast<char*>(static_cast<volatile char*>(memory));
  thread.address = place;
  if ((++machine.accesses & 0xFFFFF) == 0) watch_clock();
  if (in_arrays(address, size, use)) return preempt();
  const EmulatorLaunch& launch = *machine.launch;
  if (check_shared(thread, address, size, use, place)) return;
  if (inside(address, size, launch.stacks, launch.stacks_end - launch.stacks)) return;
  if (inside(address, size, machine.module_begin, machine.module_end - machine.module_begin)) return;
  report_outside(thread, address, size, use);
}

void atomic_begins(const volatile void* address, unsigned size, Place place) {
  machine.running->place = place;
  access(const_cast<volatile void*>(address), size, Use::atomic, __builtin_return_address(0));
}

#else

void check_flush() {}
void check_entered(Block&) {}
void atomic_begins(const volatile void*, unsigned, Place) { preempt(); }

#endif

void atomic_ends(bool changed) {
  if (changed) machine.idle = 0;
}

}  // namespace emulator

#if defined(EMULATOR_CHECKED)

using emulator::Use;

#define HOOK extern "C" __attribute__((visibility("hidden"))) void
#define HOOKS(size)                                                                                                  \
  HOOK __tsan_read##size(void* p) { emulator::access(p, size, Use::read, __builtin_return_address(0)); }             \
  HOOK __tsan_write##size(void* p) { emulator::access(p, size, Use::write, __builtin_return_address(0)); }           \
  HOOK __tsan_unaligned_read##size(void* p) { emulator::access(p, size, Use::read, __builtin_return_address(0)); }   \
  HOOK __tsan_unaligned_write##size(void* p) { emulator::access(p, size, Use::write, __builtin_return_address(0)); } \
  HOOK __tsan_volatile_read##size(void* p) { emulator::access(p, size, Use::volatile_read, __builtin_return_address(0)); }  \
  HOOK __tsan_volatile_write##size(void* p) { emulator::access(p, size, Use::atomic, __builtin_return_address(0)); } \
  HOOK __tsan_unaligned_volatile_read##size(void* p) { emulator::access(p, size, Use::volatile_read, __builtin_return_address(0)); } \
  HOOK __tsan_unaligned_volatile_write##size(void* p) { emulator::access(p, size, Use::atomic, __builtin_return_address(0)); }

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
HOOK __tsan_read_range(void* p, size_t size) { emulator::access(p, size, Use::read, __builtin_return_address(0)); }
HOOK __tsan_write_range(void* p, size_t size) { emulator::access(p, size, Use::write, __builtin_return_address(0)); }
HOOK __tsan_func_entry(void*) {}
HOOK __tsan_func_exit() {}
HOOK __tsan_init() {}

// Undefined behaviour: every report begins with the place in the source.
struct SourceLocation {
  const char* file;
  unsigned line, column;
};

static void undefined(const SourceLocation* at, const char* what, void* place) {
  emulator::Thread* thread = emulator::machine.running;
  if (!thread) return;
  thread->address = place;
  const uint3 b = thread->identity.block, t = thread->identity.thread;
  emulator::fail(thread, "undefined behaviour: %s at %s:%u:%u: block (%u, %u, %u) thread (%u, %u, %u)", what, at->file, at->line,
                 at->column, b.x, b.y, b.z, t.x, t.y, t.z);
}

#define UNDEFINED(name, what)                                                                         \
  HOOK __ubsan_handle_##name(SourceLocation* at, ...) { undefined(at, what, __builtin_return_address(0)); }

UNDEFINED(add_overflow, "signed addition overflows")
UNDEFINED(sub_overflow, "signed subtraction overflows")
UNDEFINED(mul_overflow, "signed multiplication overflows")
UNDEFINED(negate_overflow, "signed negation overflows")
UNDEFINED(divrem_overflow, "division by zero or overflow of a division")
UNDEFINED(shift_out_of_bounds, "shift by more than the width or by a negative number")
UNDEFINED(out_of_bounds, "index outside of its array")
UNDEFINED(pointer_overflow, "pointer arithmetic overflows")
UNDEFINED(type_mismatch_v1, "access by a misaligned or null pointer")
UNDEFINED(alignment_assumption, "alignment is not as promised")
UNDEFINED(builtin_unreachable, "unreachable code is reached")
UNDEFINED(missing_return, "a function ends without its value")
UNDEFINED(vla_bound_not_positive, "length of an array is not positive")
UNDEFINED(load_invalid_value, "a bool or enum holds none of its values")
UNDEFINED(float_cast_overflow, "a float does not fit the integer it is cast to")
UNDEFINED(nonnull_arg, "null where an argument must not be")
UNDEFINED(invalid_builtin, "builtin has no meaning for zero")

#endif
