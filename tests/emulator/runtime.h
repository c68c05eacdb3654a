// What the language header (cuda_emulator.h) and the scheduler (runtime.cpp) have in common.
#pragma once
// The plain C headers: those of C++ would treble the compiled header, which every kernel loads.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <math.h>
#include <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <stdio.h>
#include <string.h>

struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; };

namespace emulator {

// A place in the kernel text: every rendezvous takes one, so that an error names the line.
struct Place {
  const char* file;
  int line;
  const char* what;
};

enum class Collective { sync, shuffle, ballot, any, all, match_any, match_all, add, min, max, umin, umax, bit_and, bit_or, bit_xor };

// Who the running thread is: constant in its life, hence the attribute.
uint3 thread_index() __attribute__((const));
uint3 block_index() __attribute__((const));
dim3 block_size() __attribute__((const));
dim3 grid_size() __attribute__((const));
unsigned lane() __attribute__((const));

unsigned long long collective(Collective kind, unsigned mask, unsigned long long value, unsigned source, Place place);
unsigned active_mask(Place place);
int block_barrier(int predicate, Place place);  // how many threads of the block gave true
void grid_barrier(Place place);
void yield(Place place);                        // a spinning thread lets the others run
void* dynamic_shared();
void atomic_begins(const volatile void* address, unsigned size, Place place, void* caller);
void constant_load(const void* address, unsigned size, void* caller);
void atomic_ends(bool changed);
void fence();
void copy_begins(void* to, const void* from, unsigned bytes, unsigned zeros, Place place, void* caller);
void commit_copies();
void wait_for_copies(unsigned missing, Place place, void* caller);  // until at most so many groups are under way
void fail_here(const char* message, Place place);

}  // namespace emulator

// One launch as the Python side describes it.
struct EmulatorArray {
  unsigned long long begin, end;
  unsigned argument, granule;       // bytes that a cell of the shadow memory watches
  unsigned long long shadow, base;  // the number of the cell that watches the granule at address `base`
};
struct EmulatorLaunch {
  unsigned grid[3], block[3];
  unsigned shared_bytes, cooperative, resident, seed;
  void** arguments;
  const EmulatorArray* arrays;
  unsigned array_count, stack_bytes;
  char *stacks, *stacks_end;
  double time_limit;
  char* message;  // 1024 bytes for the error, empty if all is well
  unsigned long long address, other_address;  // where in the code it happened, and the access that it is held against
  void* cells;      // the shadow memory of the arrays
  unsigned epochs;  // how many have passed in all launches of the process
};
struct EmulatorParameter {
  int size, pointee_size;  // pointee_size: 0 for a value, -1 for void*
  char kind, is_const;     // f float, i integer, b bool, o other
};
