// What the checks of a checked build share.
#pragma once
#include "machine.h"

namespace emulator {

enum class Use : unsigned char { read, volatile_read, constant, write, atomic };  // a volatile write counts as atomic

inline bool relaxed(Use use) { return use == Use::volatile_read || use == Use::atomic; }
inline const char* verb(Use use) {
  constexpr const char* verbs[] = {"reads", "reads", "reads as constant", "writes", "updates atomically"};
  return verbs[static_cast<int>(use)];
}
inline bool inside(const char* address, size_t size, const char* begin, size_t bytes) {
  return address >= begin && address + size <= begin + bytes;
}
// A place in the kernel's code, in four bytes.
inline unsigned code_at(void* place) { return static_cast<unsigned>(static_cast<char*>(place) - machine.module_begin); }
inline void* place_of(unsigned code) { return machine.module_begin + code; }

bool watch_shared(Thread& thread, char* address, size_t size, Use use, void* place);  // false: it lies elsewhere
void watch_global(Thread& thread, char* address, size_t size, Use use, const EmulatorArray& array, void* place);
void settle_shared();
void settle_global();

// order.cpp
void publish(Thread& thread, const void* word);  // an atomic or volatile store
void notice(Thread& thread, const void* word);   // an atomic or volatile load
bool comes_before(unsigned block, unsigned thread, unsigned period, const Thread& later);

}  // namespace emulator
