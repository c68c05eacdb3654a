// Asynchronous copies from global to shared memory, as cp.async makes them.
//
// A thread's copies since its last commit are a group; a wait leaves it at most so many of its newest groups under way.
// A GPU moves the bytes at any time between the copy and the wait. Here they arrive as late as they may, in the wait,
// and are poison until then; a source that changes in between is an error, for either value might arrive.
#include "machine.h"

namespace emulator {

static bool aligned(const void* p, unsigned bytes) { return reinterpret_cast<size_t>(p) % bytes == 0; }

void copy_begins(void* to, const void* from, unsigned bytes, unsigned zeros, Place place, void* caller) {
  check_flush();
  Thread* thread = machine.running;
  thread->place = place;
  thread->address = caller;
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes)
    fail(thread, "an asynchronous copy moves 4, 8 or 16 bytes, not %u with %u zeros: %s", bytes, zeros, describe(*thread));
  if (!aligned(to, bytes) || !aligned(from, bytes))
    fail(thread, "misaligned: an asynchronous copy of %u bytes: %s", bytes, describe(*thread));
  Copy copy{static_cast<char*>(to), static_cast<const char*>(from), bytes, bytes - zeros, errands_of(*thread).groups, machine.grid_epoch, {}, place, caller};
  if (copy.read) check_source(copy.from, copy.read, caller);
  memcpy(copy.source, copy.from, copy.read);
  check_copy(copy, false, thread->address);
  memset(copy.to, POISON, bytes);
  errands_of(*thread).copies.push_back(copy);
}

void commit_copies() { ++errands_of(*machine.running).groups; }

static void land(Thread* thread, const Copy& copy) {
  if (copy.read && copy.grid_epoch != machine.grid_epoch) check_source(copy.from, copy.read, thread->address);
  if (memcmp(copy.source, copy.from, copy.read))
    fail(thread, "the source of an asynchronous copy changes before the copy has arrived: %s; it began at %s:%d",
         describe(*thread), copy.place.file, copy.place.line);
  check_copy(copy, true, thread->address);
  memcpy(copy.to, copy.source, copy.read);
  memset(copy.to + copy.read, 0, copy.bytes - copy.read);
}

void wait_for_copies(unsigned missing, Place place, void* caller) {
  check_flush();
  Thread* thread = machine.running;
  thread->place = place;
  thread->address = caller;
  auto& [groups, copies, released, read] = errands_of(*thread);
  const unsigned covered = groups > missing ? groups - missing : 0;
  size_t landed = 0;
  for (; landed < copies.size() && copies[landed].group < covered; ++landed) land(thread, copies[landed]);
  copies.erase(copies.begin(), copies.begin() + landed);
}

void end_copies(Thread& thread) {
  if (!thread.errands || thread.errands->copies.empty()) return;
  thread.place = thread.errands->copies[0].place;
  thread.address = thread.errands->copies[0].caller;
  fail(&thread, "the kernel ends with asynchronous copies that it never waited for: %s", describe(thread));
}

}  // namespace emulator
