// The DPX and video instructions, as plain C++ over the halves of a word.
#pragma once

namespace emulator {

// Addition as the chip does it: it wraps.
inline int wrap_add(int x, int y) { return static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(y)); }

inline short half_of(unsigned x, int i) { return static_cast<short>(x >> 16 * i); }
inline unsigned pair_of(int low, int high) { return (static_cast<unsigned>(low) & 0xFFFFu) | static_cast<unsigned>(high) << 16; }

template <class F>
inline unsigned on_halves(unsigned x, unsigned y, F f) {
  return pair_of(f(half_of(x, 0), half_of(y, 0)), f(half_of(x, 1), half_of(y, 1)));
}
template <class F>
inline unsigned on_unsigned_halves(unsigned x, unsigned y, F f) {
  return pair_of(f(x & 0xFFFF, y & 0xFFFF), f(x >> 16, y >> 16));
}
inline int least(int x, int y) { return y < x ? y : x; }
inline int most(int x, int y) { return x < y ? y : x; }
inline short half_sum(int x, int y) { return static_cast<short>(x + y); }
inline short half_sum_saturated(int x, int y) { return static_cast<short>(most(-32768, least(32767, x + y))); }

}  // namespace emulator

inline int __vimin_s32_relu(int x, int y) { return emulator::most(0, emulator::least(x, y)); }
inline int __vimax_s32_relu(int x, int y) { return emulator::most(0, emulator::most(x, y)); }
inline int __vimin3_s32(int x, int y, int z) { return emulator::least(emulator::least(x, y), z); }
inline int __vimax3_s32(int x, int y, int z) { return emulator::most(emulator::most(x, y), z); }
inline unsigned __vimin3_u32(unsigned x, unsigned y, unsigned z) { return min(min(x, y), z); }
inline unsigned __vimax3_u32(unsigned x, unsigned y, unsigned z) { return max(max(x, y), z); }
inline int __viaddmin_s32(int x, int y, int z) { return emulator::least(emulator::wrap_add(x, y), z); }
inline int __viaddmax_s32(int x, int y, int z) { return emulator::most(emulator::wrap_add(x, y), z); }
inline unsigned __viaddmin_u32(unsigned x, unsigned y, unsigned z) { return min(x + y, z); }
inline unsigned __viaddmax_u32(unsigned x, unsigned y, unsigned z) { return max(x + y, z); }

inline unsigned __vadd2(unsigned x, unsigned y) { return emulator::on_halves(x, y, emulator::half_sum); }
inline unsigned __vaddss2(unsigned x, unsigned y) { return emulator::on_halves(x, y, emulator::half_sum_saturated); }
inline unsigned __vaddus2(unsigned x, unsigned y) {
  return emulator::on_unsigned_halves(x, y, [](int a, int b) { return emulator::least(a + b, 65535); });
}
inline unsigned __vsub2(unsigned x, unsigned y) { return emulator::on_halves(x, y, [](int a, int b) { return a - b; }); }
inline unsigned __vmins2(unsigned x, unsigned y) { return emulator::on_halves(x, y, emulator::least); }
inline unsigned __vmaxs2(unsigned x, unsigned y) { return emulator::on_halves(x, y, emulator::most); }
inline unsigned __vminu2(unsigned x, unsigned y) { return emulator::on_unsigned_halves(x, y, emulator::least); }
inline unsigned __vmaxu2(unsigned x, unsigned y) { return emulator::on_unsigned_halves(x, y, emulator::most); }
inline unsigned __vimin3_s16x2(unsigned x, unsigned y, unsigned z) { return __vmins2(__vmins2(x, y), z); }
inline unsigned __vimax3_s16x2(unsigned x, unsigned y, unsigned z) { return __vmaxs2(__vmaxs2(x, y), z); }
inline unsigned __vimin3_u16x2(unsigned x, unsigned y, unsigned z) { return __vminu2(__vminu2(x, y), z); }
inline unsigned __vimax3_u16x2(unsigned x, unsigned y, unsigned z) { return __vmaxu2(__vmaxu2(x, y), z); }
inline unsigned __viaddmin_s16x2(unsigned x, unsigned y, unsigned z) { return __vmins2(__vadd2(x, y), z); }
inline unsigned __viaddmax_s16x2(unsigned x, unsigned y, unsigned z) { return __vmaxs2(__vadd2(x, y), z); }
inline unsigned __viaddmin_u16x2(unsigned x, unsigned y, unsigned z) { return __vminu2(__vadd2(x, y), z); }
inline unsigned __viaddmax_u16x2(unsigned x, unsigned y, unsigned z) { return __vmaxu2(__vadd2(x, y), z); }
inline unsigned __vimin_s16x2(unsigned x, unsigned y) { return __vmins2(x, y); }
inline unsigned __vimax_s16x2(unsigned x, unsigned y) { return __vmaxs2(x, y); }
