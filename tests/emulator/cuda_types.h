// Vector types with the alignment that CUDA gives them.
#pragma once

#define EMULATOR_VECTORS(name, T, align2, align4)                                                         \
  struct name##1 { T x; };                                                                                \
  struct alignas(align2) name##2 { T x, y; };                                                             \
  struct name##3 { T x, y, z; };                                                                          \
  struct alignas(align4) name##4 { T x, y, z, w; };                                                       \
  inline name##1 make_##name##1(T x) { return {x}; }                                                      \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; }                                              \
  inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                                      \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

#define uint3 emulator_uint3  // runtime.h has it already
EMULATOR_VECTORS(char, signed char, 2, 4)
EMULATOR_VECTORS(uchar, unsigned char, 2, 4)
EMULATOR_VECTORS(short, short, 4, 8)
EMULATOR_VECTORS(ushort, unsigned short, 4, 8)
EMULATOR_VECTORS(int, int, 8, 16)
EMULATOR_VECTORS(uint, unsigned, 8, 16)
EMULATOR_VECTORS(long, long, 16, 16)
EMULATOR_VECTORS(ulong, unsigned long, 16, 16)
EMULATOR_VECTORS(longlong, long long, 16, 16)
EMULATOR_VECTORS(ulonglong, unsigned long long, 16, 16)
EMULATOR_VECTORS(float, float, 8, 16)
EMULATOR_VECTORS(double, double, 16, 16)
#undef uint3
