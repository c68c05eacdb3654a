// A context switch: twelve instructions on x86-64, ucontext elsewhere.
#pragma once
#include <stddef.h>

struct Fiber {
  void* stack_pointer;
  const void* stack;
  size_t bytes;
#if !defined(__x86_64__)
  void* context;
#endif
};

// AddressSanitizer wants to be told of every change of stack.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
inline void* fiber_leaves(const Fiber& to) {
  void* kept = nullptr;
  __sanitizer_start_switch_fiber(&kept, to.stack, to.bytes);
  return kept;
}
inline void fiber_returns(void* kept) { __sanitizer_finish_switch_fiber(kept, nullptr, nullptr); }
inline void fiber_begun(Fiber& scheduler) { __sanitizer_finish_switch_fiber(nullptr, &scheduler.stack, &scheduler.bytes); }
inline void fiber_clean(char* stack, size_t bytes) { __asan_unpoison_memory_region(stack, bytes); }
#else
inline void* fiber_leaves(const Fiber&) { return nullptr; }
inline void fiber_returns(void*) {}
inline void fiber_begun(Fiber&) {}
inline void fiber_clean(char*, size_t) {}
#endif

#if defined(__x86_64__)

extern "C" __attribute__((visibility("hidden"))) void emulator_switch(void** from, void* to);

inline void fiber_make(Fiber& fiber, char* stack, size_t bytes, void (*entry)()) {
  fiber_clean(stack, bytes);
  fiber.stack = stack;
  fiber.bytes = bytes;
  void** top = reinterpret_cast<void**>(reinterpret_cast<size_t>(stack + bytes) & ~size_t(63));
  *--top = nullptr;  // where a return address of entry would be
  *--top = reinterpret_cast<void*>(entry);
  for (int i = 0; i < 6; ++i) *--top = nullptr;
  fiber.stack_pointer = top;
}

inline void fiber_jump(Fiber& from, Fiber& to) { emulator_switch(&from.stack_pointer, to.stack_pointer); }

#else

#include <stdlib.h>
#include <ucontext.h>

inline ucontext_t* fiber_context(Fiber& fiber) {
  if (!fiber.context) fiber.context = calloc(1, sizeof(ucontext_t));
  return static_cast<ucontext_t*>(fiber.context);
}

inline void fiber_make(Fiber& fiber, char* stack, size_t bytes, void (*entry)()) {
  fiber_clean(stack, bytes);
  fiber.stack = stack;
  fiber.bytes = bytes;
  ucontext_t* context = fiber_context(fiber);
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = bytes;
  makecontext(context, entry, 0);
}

inline void fiber_jump(Fiber& from, Fiber& to) { swapcontext(fiber_context(from), fiber_context(to)); }

#endif

inline void fiber_switch(Fiber& from, Fiber& to) {
  void* kept = fiber_leaves(to);
  fiber_jump(from, to);
  fiber_returns(kept);
}
