// The same for rows of more than PIECE neighbours: a block owns a piece of a row, and a row has a table in global
// memory, of twice as many slots as there are places in its pieces.
//
// A slot is a label plus one above its count, zero while it is free. Three launches: clear the tables, count (each
// block first in shared memory, then label by label in the table of the row), and settle. `hub` is the vertex of each
// piece, `place` its place among the pieces of its row. The best label so far stands at the first piece of the row.
//
// compiled: clear_tables<Offset> with Offset = int | long long; hot
// compiled: count_pieces<Offset> with Offset = int | long long; hot
// compiled: settle_hubs<Offset> with Offset = int | long long; hot
#pragma once

#include "_round.cuh"
#include "_row_hash_cuda.py"  // PIECE, PIECE_THREADS
#include "headers/primitives.cuh"

constexpr int PIECE_SLOTS = 2 * PIECE;

template <class Offset>
struct HubParameters {
  const int* hub;
  const int* place;
  unsigned long long* slots;
  unsigned long long* best;
  const Offset* indptr;
  const int* indices;
  const int* label;
  int* next;
  const int* stamp;
  int* next_stamp;
  int round;
  unsigned long long* changed;
  const unsigned long long* changed_before;
  const unsigned long long* changed_before_that;
  unsigned long long few;
};

// The piece of a block: its vertex, its neighbours, and where the table and the best label of the row are.
template <class Offset>
struct Piece {
  int v, place, row;
  Offset begin, end;
  unsigned long long size;

  __device__ __forceinline__ explicit Piece(const HubParameters<Offset>& given)
      : v(given.hub[blockIdx.x]),
        place(given.place[blockIdx.x]),
        row(static_cast<int>(blockIdx.x) - place) {
    const Offset first = given.indptr[v], last = given.indptr[v + 1];
    begin = first + static_cast<Offset>(place) * PIECE;
    end = last - begin > PIECE ? begin + PIECE : last;
    size = static_cast<unsigned long long>((last - first + PIECE - 1) / PIECE) * PIECE_SLOTS;
  }
};

template <class Offset>
__global__ void clear_tables(const __grid_constant__ HubParameters<Offset> given) {
  const Round<Offset, HubParameters<Offset>> round(given);
  const Piece<Offset> piece(given);
  if (!round.is_awake(piece.v)) return;
  unsigned long long* const mine = given.slots + static_cast<unsigned long long>(blockIdx.x) * PIECE_SLOTS;
  for (const int slot : block_range(0, PIECE_SLOTS)) mine[slot] = 0;
  if (threadIdx.x == 0) given.best[blockIdx.x] = 0;
}

// The count of a label in the table of a row after `amount` more.
__device__ __forceinline__ int add_to_row(unsigned long long* slots, unsigned long long size, int x, int amount) {
  const unsigned long long mine = static_cast<unsigned long long>(static_cast<unsigned>(x) + 1u) << 32;
  unsigned long long slot = static_cast<unsigned long long>(static_cast<unsigned>(x) * GOLDEN) * size >> 32;
  for (;; slot = slot + 1 < size ? slot + 1 : 0) {
    unsigned long long held = load_racing(slots + slot);
    if (held == 0) held = atomicCAS(slots + slot, 0ull, mine | static_cast<unsigned>(amount));
    if (held == 0) return amount;
    if ((held ^ mine) >> 32 == 0)
      return static_cast<int>(atomicAdd(slots + slot, static_cast<unsigned long long>(amount))) + amount;
  }
}

template <class Offset>
__global__ __launch_bounds__(PIECE_THREADS) void count_pieces(const __grid_constant__ HubParameters<Offset> given) {
  __shared__ Counts<PIECE_SLOTS> table;
  const Round<Offset, HubParameters<Offset>> round(given);
  const Piece<Offset> piece(given);
  if (!round.is_awake(piece.v)) return;
  const int shift = shift_for(PIECE);
  round.count_piece(table, piece.begin, piece.end, shift);
  unsigned long long* const slots = given.slots + static_cast<unsigned long long>(piece.row) * PIECE_SLOTS;
  unsigned long long best = 0;
  for (const int slot : block_range(0, PIECE_SLOTS)) {
    const int x = table.label[slot];
    if (x < 0) continue;
    const unsigned long long found = rate(add_to_row(slots, piece.size, x, table.total[slot]), x);
    best = found > best ? found : best;
  }
  best = block_reduce(best, 0ull, Most());
  if (threadIdx.x == 0) atomicMax(given.best + piece.row, best);
}

template <class Offset>
__global__ void settle_hubs(const __grid_constant__ HubParameters<Offset> given) {
  const Round<Offset, HubParameters<Offset>> round(given);
  const Piece<Offset> piece(given);
  const int before = given.label[piece.v];
  const int after = round.is_awake(piece.v) ? label_in(given.best[piece.row]) : before;
  if (after != before) round.wake(piece.begin + threadIdx.x, piece.end, static_cast<int>(blockDim.x));
  if (threadIdx.x != 0) return;
  if (piece.place == 0) given.next[piece.v] = after;
  if (after != before) atomicAdd(given.changed, static_cast<unsigned long long>(piece.end - piece.begin));
}
