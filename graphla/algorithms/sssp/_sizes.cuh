// The sizes a kernel is built with, as a type: one for each shape of graph. `_sizes.py` chooses.
#pragma once

// Many arcs a vertex: the dense start and the pull do the work.
struct Dense {
  static constexpr int BLOCK = 512;
  static constexpr int RESIDENT = 2;       // blocks on a multiprocessor
  static constexpr int LEAD = 2;           // arcs at the front of a row that one thread takes
  static constexpr int WIDE = 2048;        // arcs of the rest that one warp takes
  static constexpr int STASH = 256;        // longer rows that a block puts aside at a time
  static constexpr int AHEAD = 2;          // arcs that a thread has in flight
  static constexpr int NEAR = 3072;        // vertices of a frontier in the shared memory of a block
  static constexpr int FAR = 1024;         // vertices of the pile that a block stages
  static constexpr int ALONE_NEAR = 1024;  // a frontier that one block settles by itself
  static constexpr int ALONE_FAR = 16384;  // a pile that it sorts out by itself
  static constexpr int NEAR_LEAD = 32;     // LEAD and AHEAD where whole rows are relaxed
  static constexpr int NEAR_AHEAD = 4;
  static constexpr int IDLE = 4096;  // vertices a round that are too few: the step grows
};

// Short rows: many rounds, each of one block for the most part, which wants registers and not company.
struct Sparse : Dense { static constexpr int RESIDENT = 1, LEAD = 8, AHEAD = 4; };

// Roads: a row is over after the first arcs that a thread has in flight.
struct Road : Sparse { static constexpr int LEAD = 4, NEAR_LEAD = 4; };

// Blocks on a multiprocessor: distances or offsets of 64 bits need the registers.
template <typename W, typename Offset, typename Sizes>
constexpr int resident = sizeof(W) + sizeof(Offset) > 8 ? 1 : Sizes::RESIDENT;
