// Races in shared memory: each access is held against those of the block's other threads since the last barrier. Two
// threads may store the same value; atomics and volatile accesses do not race with each other. What an asynchronous
// copy writes belongs to it from its beginning to the wait that covers it, and is written again by that wait.
#if defined(EMULATOR_CHECKED)
#include <algorithm>
#include <array>
#include <memory>

#include "watch.h"

namespace emulator {

struct Access {
  unsigned epoch, clock, code;
  unsigned short thread;
  Use use;
};
// What is known of four bytes, or of each of them once some were touched without the others.
struct Shadow {
  Access write, read, other_read;
  unsigned copied;  // the epoch of the block's birth, while a copy to here is under way
  unsigned parts;   // 0, or which of the quartets tells the bytes apart
};
struct SharedShadow {
  std::vector<Shadow> fixed, dynamic;
  std::vector<std::array<Shadow, 4>> quartets;
  unsigned birth;
};
constexpr size_t WORD = 4;

static std::vector<std::unique_ptr<SharedShadow>> idle;

SharedShadow* take_shadow() {
  if (idle.empty()) idle.push_back(std::make_unique<SharedShadow>());
  SharedShadow* shadow = idle.back().release();
  idle.pop_back();
  shadow->fixed.resize(std::max(shadow->fixed.size(), machine.static_bytes / WORD + 2));
  shadow->dynamic.resize(std::max<size_t>(shadow->dynamic.size(), machine.launch->shared_bytes / WORD + 2));
  shadow->quartets.resize(std::max<size_t>(shadow->quartets.size(), 1));
  shadow->birth = machine.epochs;
  return shadow;
}
void give_shadow(SharedShadow* shadow) { idle.emplace_back(shadow); }

// A store over bytes that another thread has stored to: a race unless it changes none of them.
static struct {
  char* begin;
  size_t size;
  char before[64];
  Thread* thread;
  Access other;
  void* place;
} doubt;

static void report(Thread& thread, const Access& other, const char* format, const char* mine, void* place) {
  const uint3 b = thread.identity.block, t = thread.identity.thread, o = thread.block->threads[other.thread].identity.thread;
  thread.address = place;
  const_cast<EmulatorLaunch*>(machine.launch)->other_address = reinterpret_cast<size_t>(place_of(other.code));
  fail(&thread, format, b.x, b.y, b.z, t.x, t.y, t.z, mine, o.x, o.y, o.z, verb(other.use));
}
static void report_race(Thread& thread, const Access& other, const char* mine, void* place) {
  report(thread, other, "race in shared memory: block (%u, %u, %u) thread (%u, %u, %u) %s what thread (%u, %u, %u) %s, with no barrier between",
         mine, place);
}
static void report_copied(Thread& thread, const Access& copy, const char* mine, void* place) {
  report(thread, copy, "asynchronous copy under way: block (%u, %u, %u) thread (%u, %u, %u) %s what thread (%u, %u, %u) copies and has not waited for",
         mine, place);
}

void settle_shared() {
  if (!doubt.begin) return;
  const char* begin = doubt.begin;
  doubt.begin = nullptr;
  if (doubt.thread && memcmp(begin, doubt.before, doubt.size)) report_race(*doubt.thread, doubt.other, "writes", doubt.place);
}
void forget_shared() { doubt.begin = nullptr; }

static void begin_doubt(Thread& thread, const Access& other, char* bytes, size_t size, void* place) {
  if (!doubt.begin) {
    doubt.begin = bytes;
    doubt.thread = &thread;
    doubt.other = other;
    doubt.place = place;
    machine.unsettled = true;
  }
  doubt.size = std::min<size_t>(bytes + size - doubt.begin, sizeof doubt.before);
  memcpy(doubt.before, doubt.begin, doubt.size);
}

static bool unordered(const Thread& thread, const Access& mine, const Access& other) {
  if (other.epoch != mine.epoch || other.thread == mine.thread) return false;
  const bool same_warp = other.thread / 32 == mine.thread / 32;
  return !same_warp || other.clock >= thread.clock;
}

static void check_bytes(Thread& thread, Shadow& shadow, const Access& mine, char* bytes, size_t size, void* place) {
  const Use use = mine.use;
  if (shadow.copied == thread.block->shadow->birth) report_copied(thread, shadow.write, verb(use), place);
  if (unordered(thread, mine, shadow.write) && !(relaxed(use) && shadow.write.use == Use::atomic)) {
    if (use != Use::write || shadow.write.use != Use::write) report_race(thread, shadow.write, verb(use), place);
    begin_doubt(thread, shadow.write, bytes, size, place);
  }
  if (use == Use::volatile_read) return;
  if (use == Use::read) {
    if (shadow.read.epoch != mine.epoch || shadow.read.thread == mine.thread)
      shadow.read = mine;
    else
      shadow.other_read = mine;
    return;
  }
  if (unordered(thread, mine, shadow.read)) report_race(thread, shadow.read, verb(use), place);
  if (unordered(thread, mine, shadow.other_read)) report_race(thread, shadow.other_read, verb(use), place);
  shadow.write = mine;
}

// The shadow of the word that holds this byte, null outside of shared memory.
static Shadow* shadow_of(const Thread& thread, const char* address, size_t size) {
  const auto word = [=](const char* begin) { return reinterpret_cast<size_t>(address) / WORD - reinterpret_cast<size_t>(begin) / WORD; };
  Block& block = *thread.block;
  if (inside(address, size, machine.static_begin, machine.static_bytes)) return &block.shadow->fixed[word(machine.static_begin)];
  const char* dynamic = block.dynamic_shared.data();
  if (inside(address, size, dynamic, block.dynamic_shared.size())) return &block.shadow->dynamic[word(dynamic)];
  return nullptr;
}

// visit(shadow, bytes, how many): whole words, and single bytes of those that are told apart.
template <class Visit>
static void each_shadow(SharedShadow& all, Shadow* word, char* bytes, size_t size, Visit visit) {
  for (char* const end = bytes + size; bytes < end; ++word) {
    const size_t at = reinterpret_cast<size_t>(bytes) % WORD, count = std::min<size_t>(WORD - at, end - bytes);
    if (count == WORD && !word->parts) {
      visit(*word, bytes, WORD);
    } else {
      if (!word->parts) {
        all.quartets.push_back({*word, *word, *word, *word});
        word->parts = static_cast<unsigned>(all.quartets.size() - 1);
      }
      for (size_t i = 0; i < count; ++i) visit(all.quartets[word->parts][at + i], bytes + i, 1);
    }
    bytes += count;
  }
}

static Access access_of(const Thread& thread, Use use, void* place) {
  return {thread.block->epoch, thread.clock, code_at(place), static_cast<unsigned short>(thread.number), use};
}

bool watch_shared(Thread& thread, char* address, size_t size, Use use, void* place) {
  Shadow* shadow = shadow_of(thread, address, size);
  if (!shadow) return false;
  const Access mine = access_of(thread, use, place);
  each_shadow(*thread.block->shadow, shadow, address, size,
              [&](Shadow& one, char* bytes, size_t count) { check_bytes(thread, one, mine, bytes, count, place); });
  return true;
}

void check_copy(const Copy& copy, bool lands, void* place) {
  Thread& thread = *machine.running;
  Shadow* shadow = shadow_of(thread, copy.to, copy.bytes);
  if (!shadow) fail(&thread, "an asynchronous copy to what is not shared memory: %s", describe(thread));
  const Access mine = access_of(thread, Use::write, place);
  each_shadow(*thread.block->shadow, shadow, copy.to, copy.bytes, [&](Shadow& one, char* bytes, size_t count) {
    if (lands) one.copied = 0;
    check_bytes(thread, one, mine, bytes, count, place);
    if (!lands) one.copied = thread.block->shadow->birth;
  });
  check_flush();
}

}  // namespace emulator
#endif
