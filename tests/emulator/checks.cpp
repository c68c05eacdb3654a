// What a checked build watches: every load and store of the kernel, and undefined arithmetic.
//
// The kernel is compiled with -fsanitize=thread,undefined for the calls that these put into the code, but not
// linked with their libraries: the calls end here. So each access is held against the arrays of the launch
// (out of bounds) and against those of other threads (races: shared.cpp within a block, global.cpp between blocks).
#include <algorithm>

#include "watch.h"

namespace emulator {

#if defined(EMULATOR_CHECKED)

void forget_shared();
void forget_global();
void check_launch() {
  forget_shared();
  forget_global();
}

void settle() {
  machine.unsettled = false;
  settle_shared();
  settle_global();
}

// A volatile or atomic access of an aligned word may reach over the ends of an array of bytes: that is how one byte
// of it is updated.
static const EmulatorArray* array_of(const char* address, size_t size, Use use) {
  const EmulatorArray* const arrays = machine.launch->arrays;  // by their beginnings
  const size_t begin = reinterpret_cast<size_t>(address), end = begin + size;
  const size_t slack = size == 4 && begin % 4 == 0 && relaxed(use) ? 3 : 0;
  const auto after = std::upper_bound(arrays, arrays + machine.launch->array_count, begin + slack,
                                      [](size_t at, const EmulatorArray& array) { return at < array.begin; });
  for (const EmulatorArray* array = after; array-- != arrays;)
    if (end <= array->end + slack) return machine.last_array = array;
  return nullptr;
}
static bool in_last_array(const char* address, size_t size) {
  const EmulatorArray* last = machine.last_array;
  const size_t begin = reinterpret_cast<size_t>(address);
  return last && begin >= last->begin && begin + size <= last->end;
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

static void access(volatile void* memory, size_t size, Use use, void* place, bool at_once = false) {
  if (!machine.running) return;
  if (use == Use::write || use == Use::atomic) machine.idle = 0;
  if (!at_once) check_flush();
  Thread& thread = *machine.running;
  char* address = const_cast<char*>(static_cast<volatile char*>(memory));
  thread.address = place;
  if ((++machine.accesses & 0xFFFFF) == 0) watch_clock();
  const EmulatorLaunch& launch = *machine.launch;
  if (!in_last_array(address, size)) {
    if (use != Use::constant) {
      if (watch_shared(thread, address, size, use, place)) return;
      if (inside(address, size, launch.stacks, launch.stacks_end - launch.stacks)) return;
      if (inside(address, size, machine.module_begin, machine.module_end - machine.module_begin)) return;
    }
    if (!array_of(address, size, use)) report_outside(thread, address, size, use);
  }
  const EmulatorArray& array = *machine.last_array;
  if (!at_once) preempt();
  watch_global(thread, address, size, use, array, place);
}

void atomic_begins(const volatile void* address, unsigned size, Place place, void* caller) {
  machine.running->place = place;
  access(const_cast<volatile void*>(address), size, Use::atomic, caller);
}

void constant_load(const void* address, unsigned size, void* caller) {
  access(const_cast<void*>(address), size, Use::constant, caller);
}

void check_source(const char* from, size_t size, void* place) {
  Thread& thread = *machine.running;
  if (!array_of(from, size, Use::read)) report_outside(thread, from, size, Use::read);
  access(const_cast<char*>(from), size, Use::read, place);
}

#else

void check_launch() {}
void settle() {}
void check_source(const char*, size_t, void*) {}
void check_copy(const Copy&, bool, void*) {}
SharedShadow* take_shadow() { return nullptr; }
void give_shadow(SharedShadow*) {}
void atomic_begins(const volatile void*, unsigned, Place, void*) { preempt(); }
void constant_load(const void*, unsigned, void*) {}

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
// The copy of a struct announces its store, then its load, and then it happens: nothing may come between.
HOOK __tsan_write_range(void* p, size_t size) {
  emulator::access(p, size, Use::write, __builtin_return_address(0));
  emulator::machine.copying = emulator::machine.running;
}
HOOK __tsan_read_range(void* p, size_t size) {
  const bool at_once = emulator::machine.unsettled && emulator::machine.copying == emulator::machine.running;
  emulator::access(p, size, Use::read, __builtin_return_address(0), at_once);
}
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
