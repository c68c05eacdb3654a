// CUDA C++ as g++ reads it: put in front of a kernel's text, it makes the text run on the emulator.
#pragma once
#include "runtime.h"

#define GRAPHLA_EMULATOR 1
#define __global__
#define __grid_constant__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __shared__ thread_local
#define __constant__ static
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define __grid_constant__
#define __builtin_assume(x)
#define __builtin_assume_aligned(p, ...) (p)

#define threadIdx (emulator::thread_index())
#define blockIdx (emulator::block_index())
#define blockDim (emulator::block_size())
#define gridDim (emulator::grid_size())
constexpr int warpSize = 32;

#define EMULATOR_FREE inline __attribute__((no_sanitize("thread", "undefined")))
#define EMULATOR_PLACE(name) emulator::Place{file, line, name}
#if defined(__SANITIZE_THREAD__)  // then nothing EMULATOR_FREE is inlined into a kernel
#define EMULATOR_CALLER __builtin_return_address(0)
#else
#define EMULATOR_CALLER nullptr
#endif
#define EMULATOR_AT int line = __builtin_LINE(), const char *file = __builtin_FILE()

#include "cuda_types.h"
#include "cuda_math.h"
#include "cuda_simd.h"
#include "cuda_warp.h"
#include "cuda_atomics.h"
#include "cuda_copies.h"

#undef assert
#define assert(condition) \
  ((condition) ? void(0) : emulator::fail_here("assertion " #condition " failed", {__FILE__, __LINE__, "assert"}))
#define __trap() emulator::fail_here("trap", {__FILE__, __LINE__, "__trap"})

// How emulator_entry calls the kernel with the arguments of a launch, and what it tells of them.
namespace emulator {

template <int... i>
struct Numbers {};
template <int n>
constexpr auto numbers() { return Numbers<__integer_pack(n)...>{}; }

template <class T>
struct Pointee {
  static constexpr int size = 0;
  static constexpr bool is_const = false;
  using type = T;
};
template <class T>
struct Pointee<T*> {
  static constexpr int size = sizeof(T);
  static constexpr bool is_const = __is_same_as(const T, T);
  using type = T;
};
template <>
struct Pointee<void*> {
  static constexpr int size = -1;
  static constexpr bool is_const = false;
  using type = void;
};
template <>
struct Pointee<const void*> {
  static constexpr int size = -1;
  static constexpr bool is_const = true;
  using type = void;
};

template <class T>
constexpr char kind_of(T*) {
  if constexpr (__is_same_as(T, float) || __is_same_as(T, double)) return 'f';
  else if constexpr (__is_same_as(T, bool)) return 'b';
  else if constexpr (__is_class(T) || __is_union(T) || __is_same_as(T, void)) return 'o';
  else return 'i';
}
template <class T>
struct Bare {
  using type = T;
};
template <class T>
struct Bare<const T> {
  using type = T;
};
template <class T>
struct Bare<volatile T> {
  using type = T;
};

template <class T>
constexpr EmulatorParameter parameter() {
  using Target = typename Bare<typename Pointee<T>::type>::type;
  return {sizeof(T), Pointee<T>::size, kind_of(static_cast<Target*>(nullptr)), Pointee<T>::is_const};
}

template <class... T>
struct Signature {
  static constexpr int count = sizeof...(T);
  static constexpr EmulatorParameter parameters[] = {parameter<T>()..., {}};
  template <class Kernel, int... i>
  EMULATOR_FREE static void call(Kernel kernel, void** arguments, Numbers<i...>) {
    kernel(*static_cast<T*>(arguments[i])...);
  }
};
template <class... T>
constexpr Signature<T...> signature(void (*)(T...)) { return {}; }

}  // namespace emulator

// Written after the kernel's text; the expression names the kernel.
#define EMULATOR_ENTRY(...)                                                                              \
  using EmulatorSignature = decltype(emulator::signature(&__VA_ARGS__));                                 \
  extern "C" __attribute__((visibility("hidden"), no_sanitize("thread"))) void emulator_entry(void** arguments) { \
    EmulatorSignature::call(&__VA_ARGS__, arguments, emulator::numbers<EmulatorSignature::count>());     \
  }                                                                                                      \
  extern "C" __attribute__((visibility("default"))) int emulator_parameters(const EmulatorParameter** out) { \
    *out = EmulatorSignature::parameters;                                                                \
    return EmulatorSignature::count;                                                                     \
  }
