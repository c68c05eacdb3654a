// Atomics: one fiber runs at a time, so a plain update is one but for those of the system, which other processes see;
// each may let another thread go first.
#pragma once

namespace emulator {

template <class T, class F>
EMULATOR_FREE T update(T* address, Place place, void* caller, F f) {
  atomic_begins(address, sizeof(T), place, caller);
  const T old = *address, next = f(old);
  *address = next;
  atomic_ends(memcmp(&old, &next, sizeof(T)) != 0);
  return old;
}
// The same in memory that other processes change.
template <class T, class F>
EMULATOR_FREE T update_shared(T* address, Place place, void* caller, F f) {
  atomic_begins(address, sizeof(T), place, caller);
  T old, next;
  __atomic_load(address, &old, __ATOMIC_SEQ_CST);
  do {
    next = f(old);
  } while (!__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  atomic_ends(memcmp(&old, &next, sizeof(T)) != 0);
  return old;
}
inline int wrapping_add(int x, int y) { return wrap_add(x, y); }
template <class T>
inline T wrapping_add(T x, T y) { return x + y; }

}  // namespace emulator

#define EMULATOR_ATOMIC(name, T, next)                                                              \
  EMULATOR_FREE T name(T* address, T x, EMULATOR_AT) {                                              \
    return emulator::update(address, EMULATOR_PLACE(#name), EMULATOR_CALLER, [=](T old) __attribute__((no_sanitize("thread", "undefined"))) -> T { return next; }); \
  }                                                                                                 \
  EMULATOR_FREE T name##_block(T* address, T x, EMULATOR_AT) { return name(address, x, line, file); } \
  EMULATOR_FREE T name##_system(T* address, T x, EMULATOR_AT) {                                      \
    return emulator::update_shared(address, EMULATOR_PLACE(#name), EMULATOR_CALLER, [=](T old) __attribute__((no_sanitize("thread", "undefined"))) -> T { return next; }); \
  }

#define EMULATOR_ATOMIC_INTEGERS(name, next)         \
  EMULATOR_ATOMIC(name, int, next)                   \
  EMULATOR_ATOMIC(name, unsigned, next)              \
  EMULATOR_ATOMIC(name, unsigned long long, next)

EMULATOR_ATOMIC_INTEGERS(atomicAdd, emulator::wrapping_add(old, x))
EMULATOR_ATOMIC(atomicAdd, float, old + x)
EMULATOR_ATOMIC(atomicAdd, double, old + x)
EMULATOR_ATOMIC(atomicSub, int, static_cast<int>(static_cast<unsigned>(old) - static_cast<unsigned>(x)))
EMULATOR_ATOMIC(atomicSub, unsigned, old - x)
EMULATOR_ATOMIC_INTEGERS(atomicMin, x < old ? x : old)
EMULATOR_ATOMIC(atomicMin, long long, x < old ? x : old)
EMULATOR_ATOMIC_INTEGERS(atomicMax, old < x ? x : old)
EMULATOR_ATOMIC(atomicMax, long long, old < x ? x : old)
EMULATOR_ATOMIC_INTEGERS(atomicAnd, old & x)
EMULATOR_ATOMIC_INTEGERS(atomicOr, old | x)
EMULATOR_ATOMIC_INTEGERS(atomicXor, old ^ x)
EMULATOR_ATOMIC_INTEGERS(atomicExch, (static_cast<void>(old), x))
EMULATOR_ATOMIC(atomicExch, float, (static_cast<void>(old), x))
EMULATOR_ATOMIC(atomicInc, unsigned, old >= x ? 0 : old + 1)
EMULATOR_ATOMIC(atomicDec, unsigned, old == 0 || old > x ? x : old - 1)

#define EMULATOR_CAS(T)                                                                             \
  EMULATOR_FREE T atomicCAS(T* address, T expected, T x, EMULATOR_AT) {                             \
    return emulator::update(address, EMULATOR_PLACE("atomicCAS"), EMULATOR_CALLER,                                 \
                            [=](T old) __attribute__((no_sanitize("thread", "undefined"))) -> T { return old == expected ? x : old; }); \
  }
EMULATOR_CAS(int)
EMULATOR_CAS(unsigned)
EMULATOR_CAS(unsigned short)
EMULATOR_CAS(unsigned long long)
