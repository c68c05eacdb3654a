// The sizes that a kernel is built with, as a type for each shape of graph; `_sizes.py` chooses one.
#pragma once

#include "_sizes.py"  // BLOCK

// Many arcs per vertex: the dense start and the pull do the work.
struct Dense {
  static constexpr int BLOCK = ::BLOCK;    // threads
  static constexpr int RESIDENT = 2;       // blocks per multiprocessor
  static constexpr int LEAD = 2;           // arcs at the front of a row that one thread relaxes
  static constexpr int WIDE = 2048;        // further arcs of a row that one warp relaxes; a block relaxes longer rows
  static constexpr int STASH = 256;        // longer rows that a block buffers
  static constexpr int AHEAD = 2;          // arcs that a thread has in flight
  static constexpr int GROUPS = 4;         // vertices that a thread of a sweep looks at together
  static constexpr int NEAR = 3072;        // vertices of a frontier in the shared memory of a block
  static constexpr int FAR = 1024;         // vertices of the far pile that a block buffers
  static constexpr int ALONE_NEAR = 1024;  // a frontier up to this size is settled by one block
  static constexpr int ALONE_FAR = 16384;  // a far pile up to this size is split by one block
  static constexpr int NEAR_LEAD = 32;     // LEAD and AHEAD where whole rows are relaxed
  static constexpr int NEAR_AHEAD = 4;
  static constexpr int IDLE = 4096;  // fewer vertices per round leave the device idle: the step grows
  static constexpr int LOCAL = 1;    // rounds that a block goes on with what it found before all blocks meet
};

// Short rows: many rounds, most of them of one block, which gains more from registers than from a second block.
struct Sparse : Dense { static constexpr int RESIDENT = 1, LEAD = 8, AHEAD = 4; };

// Roads: a row ends within the first arcs that a thread has in flight.
struct Road : Sparse { static constexpr int LEAD = 4, NEAR_LEAD = 4, LOCAL = 8, ALONE_NEAR = 32, ALONE_FAR = 1024; };

// Blocks per multiprocessor: distances or offsets of 64 bits need the registers of two.
template <class W, class Offset, class Sizes>
constexpr int resident = sizeof(W) + sizeof(Offset) > 8 ? 1 : Sizes::RESIDENT;
