// Races in global memory between blocks: each access is held against those of other blocks since the launch began or
// the grid met, unless a fence and a flag order them (order.cpp). Plain accesses race with plain and with atomic ones;
// atomics and volatile accesses do not race with each other. A store that leaves the value as it was is no race with
// loads, nor with a store of the same value.
#if defined(EMULATOR_CHECKED)
#include "watch.h"

namespace emulator {

struct Touch {
  unsigned epoch, block, code;  // epoch: the period of its block
  unsigned short thread;
  Use use;
  bool silent;  // the value stayed as it was
};
struct Cell {
  Touch write, read, other_read, constant;
};

// The last store, which is settled when its value is there.
static struct {
  char* begin;
  size_t size;
  char before[64];
  Thread* thread;
  const EmulatorArray* array;
  Use use;
  void* place;
} store;

enum class Fault { race, constant };

static void report(Thread& thread, const Touch& other, Use use, const EmulatorArray& array, size_t at, void* place,
                   Fault fault = Fault::race) {
  const uint3 b = thread.identity.block, t = thread.identity.thread;
  const unsigned *g = machine.launch->grid, *s = machine.launch->block;
  const unsigned o = other.block, u = other.thread;
  const char* what = fault == Fault::constant ? "constant data changes" : "race in global memory";
  const char* why = fault == Fault::constant               ? "in the same launch"
                    : other.block == thread.block->number ? "with no barrier between"
                                                          : "with no barrier of the grid between";
  thread.address = place;
  const_cast<EmulatorLaunch*>(machine.launch)->other_address = reinterpret_cast<size_t>(place_of(other.code));
  fail(&thread,
       "%s: block (%u, %u, %u) thread (%u, %u, %u) %s what block (%u, %u, %u) thread (%u, %u, %u) %s, %s, at byte %zu of an array (argument %u)", what,
       b.x, b.y, b.z, t.x, t.y, t.z, verb(use), o % g[0], o / g[0] % g[1], o / g[0] / g[1], u % s[0], u / s[0] % s[1], u / s[0] / s[1],
       verb(other.use), why, at - array.begin, array.argument);
}

static bool current(const Touch& touch) { return touch.epoch >= machine.grid_epoch; }

static bool same_warp(const Thread& thread, const Touch& other) {
  return other.block == thread.block->number && other.thread / 32 == thread.number / 32;
}
// Whether the accesses of this warp, or since its last barrier of this block, are as good as the thread's own.
static bool unordered(const Thread& thread, const Touch& other) {
  if (!current(other) || same_warp(thread, other)) return false;
  if (other.block == thread.block->number && other.epoch < thread.block->epoch) return false;
  return !comes_before(other.block, other.thread, other.epoch, thread);
}

static Touch touch_of(const Thread& thread, Use use, void* place, bool silent = false) {
  return {thread.block->period, thread.block->number, code_at(place), static_cast<unsigned short>(thread.number), use, silent};
}

// Of two readers that are kept, in different warps and if possible in different blocks, any writer races with one.
static void note_read(const Thread& thread, Cell& cell, Use use, void* place) {
  const unsigned block = thread.block->number;
  const auto renews = [&](const Touch& old) {
    return !current(old) || (old.block == block && (old.epoch < thread.block->epoch || (same_warp(thread, old) && (old.use > use || !machine.flags.empty()))));
  };
  if (renews(cell.read)) cell.read = touch_of(thread, use, place);
  else if (same_warp(thread, cell.read)) return;
  else if (renews(cell.other_read) || (cell.other_read.block == cell.read.block && cell.read.block != block)) cell.other_read = touch_of(thread, use, place);
}

static Touch* racing_write(const Thread& thread, Cell& cell, Use use) {
  Touch& write = cell.write;
  return current(write) && !write.silent && !(relaxed(use) && write.use == Use::atomic) && unordered(thread, write) ? &write : nullptr;
}

static bool in_launch(const Touch& touch) { return touch.epoch >= machine.launch_epoch; }

static void read_cell(Thread& thread, Cell& cell, Use use, const EmulatorArray& array, size_t at, void* place) {
  if (use == Use::constant) {
    if (in_launch(cell.write) && !cell.write.silent) report(thread, cell.write, use, array, at, place, Fault::constant);
    cell.constant = touch_of(thread, use, place);
    return;
  }
  if (const Touch* write = racing_write(thread, cell, use)) report(thread, *write, use, array, at, place);
  note_read(thread, cell, use, place);
}

static void write_cell(Thread& thread, Cell& cell, bool changed, Use use, const EmulatorArray& array, size_t at, void* place) {
  Touch mine = touch_of(thread, use, place, !changed);
  if (use == Use::atomic && !changed) return read_cell(thread, cell, use, array, at, place);
  if (changed) {
    if (in_launch(cell.constant)) report(thread, cell.constant, use, array, at, place, Fault::constant);
    if (!(use == Use::atomic && cell.write.use == Use::atomic) && unordered(thread, cell.write)) report(thread, cell.write, use, array, at, place);
    for (const Touch* read : {&cell.read, &cell.other_read})
      if (!(use == Use::atomic && relaxed(read->use)) && unordered(thread, *read)) report(thread, *read, use, array, at, place);
  } else if (current(cell.write) && !cell.write.silent) {
    return;
  }
  cell.write = mine;
}

// memcpy and memcmp, without a call for the sizes that there are.
static void copy_bytes(char* to, const char* from, size_t size) {
  if (size == 4) memcpy(to, from, 4);
  else if (size == 8) memcpy(to, from, 8);
  else memcpy(to, from, size);
}
static bool differ(const char* x, const char* y, size_t size) {
  return size == 4 ? memcmp(x, y, 4) != 0 : size == 1 ? *x != *y : memcmp(x, y, size) != 0;
}

template <class Visit>
static void each_cell(const EmulatorArray& array, size_t begin, size_t size, Visit visit) {
  const size_t g = array.granule, end = begin + size;
  if (begin % g || size % g) return;  // a part of an element
  Cell* cells = static_cast<Cell*>(machine.launch->cells) + array.shadow;
  for (size_t at = begin < array.begin ? array.begin : begin; at < end && at < array.end; at += g) visit(cells[(at - array.base) / g], at);
}

void settle_global() {
  if (!store.begin) return;
  const char* begin = store.begin;
  store.begin = nullptr;
  each_cell(*store.array, reinterpret_cast<size_t>(begin), store.size, [&](Cell& cell, size_t at) {
    const size_t offset = at - reinterpret_cast<size_t>(begin);
    const size_t g = store.array->granule;
    const bool changed = offset + g > sizeof store.before || differ(begin + offset, store.before + offset, g);
    write_cell(*store.thread, cell, changed, store.use, *store.array, at, store.place);
  });
}
void forget_global() { store.begin = nullptr; }

void watch_global(Thread& thread, char* address, size_t size, Use use, const EmulatorArray& array, void* place) {
  if (relaxed(use)) notice(thread, address);
  if (use == Use::atomic) publish(thread, address);
  if (use < Use::write) {
    each_cell(array, reinterpret_cast<size_t>(address), size, [&](Cell& cell, size_t at) { read_cell(thread, cell, use, array, at, place); });
    return;
  }
  store.begin = address;
  store.size = size;
  store.thread = &thread;
  store.array = &array;
  store.use = use;
  store.place = place;
  machine.unsettled = true;
  copy_bytes(store.before, address, size < sizeof store.before ? size : sizeof store.before);
}

}  // namespace emulator

extern "C" __attribute__((visibility("default"))) const unsigned emulator_cell_bytes = sizeof(emulator::Cell);
#else
extern "C" __attribute__((visibility("default"))) const unsigned emulator_cell_bytes = 0;
#endif
