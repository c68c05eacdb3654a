// C[i, j] = |A[i, :] ∩ Bᵀ[j, :]| for the entries (i, j) of a mask alone: plus.pair, which reads no values.
//
// Columns with the most entries in Bᵀ are hubs; both operands are split into hubs and others (split_hubs.cuh). A warp
// owns a task: neighbouring entries of the mask in one row i. It holds the hubs of A[i, :] as a row of bits and the
// other columns in a hash table, and takes 32 entries (i, j) at a time:
//   - the other columns of the 32 rows j are read as one list, and looked up in the table;
//   - so are their hubs, in the bits of i, where a row j has no row of bits;
//   - where row j has bits, they are ANDed with those of i, or a lane looks up each hub of i if these are at most 32;
//   - where row j is much longer than A[i, :], the lanes search it for the columns of A[i, :].
// Votes say how many columns of a list are found; one lane per list adds them to the count of its entry.
//
// compiled: pair_dots<C> with C = long long | int | float | double | signed char; hot on sm_90 sm_100
#pragma once

#include "headers/primitives.cuh"
#include "pair_dots.py"  // AHEAD, BITS_AHEAD, CHUNK, HUBS, PAIR_WARPS, SEARCH_COST, TABLE

constexpr int HUB_WORDS = HUBS / 32, QUADS = HUBS / 4096, EMPTY = -1;
using Words = Pack<unsigned, 4>;

template <class C>
struct PairDotsParameters {
  const int* task_row;
  const int* task_chunk;
  const long long* mask_indptr;
  const int* mask_indices;
  const long long* a_indptr;
  const int* a_indices;
  const int* a_parts;
  const int* a_hubs;
  const long long* b_indptr;
  const int* b_indices;
  const int* b_parts;
  const int* b_hubs;
  const int* bit_row;
  const int* bit_ends;
  const unsigned* bits;
  bool* present;
  C* out;
  int tasks;
  int chunk;
};

// A set of columns of a warp.
struct ColumnTable {
  int* slots;

  __device__ __forceinline__ int slot_of(int k) const {
    return static_cast<int>(static_cast<unsigned>(k) * 2654435761u >> 7 & (TABLE - 1));
  }
  __device__ __forceinline__ void fill(const int* from, int count) const {
    const Pack<int, 4> empty{{EMPTY, EMPTY, EMPTY, EMPTY}};
    for (int s = lane_index() * 4; s < TABLE; s += 128) store_pack(slots + s, empty);
    __syncwarp();
    for (int p = lane_index(); p < count; p += 32) {
      const int k = from[p];
      int slot = slot_of(k);
      while (atomicCAS(slots + slot, EMPTY, k) != EMPTY) slot = slot + 1 & (TABLE - 1);
    }
    __syncwarp();
  }
  __device__ __forceinline__ bool holds(int k) const {
    for (int slot = slot_of(k);; slot = slot + 1 & (TABLE - 1)) {
      const int there = slots[slot];
      if (there == k) return true;
      if (there == EMPTY) return false;
    }
  }
};

// The row j of one lane's entry.
struct Partner {
  long long begin, end;
  int hubs, bits;  // `bits`: its row of bits, or -1
  bool searched;

  __device__ __forceinline__ int others() const { return static_cast<int>(end - begin) - hubs; }
};

// A row of A and what a warp knows of it; `base`, `owner` and `counts` have a place for each lane.
template <class C>
struct PairRow {
  const PairDotsParameters<C>& given;
  long long begin;
  int hubs, others;
  unsigned* mine;
  ColumnTable table;
  long long* base;
  int* owner;
  int* counts;

  __device__ __forceinline__ int size() const { return hubs + others; }
  __device__ __forceinline__ void set_mine() const {
    for (int word = lane_index(); word < HUB_WORDS; word += 32) mine[word] = 0;
    __syncwarp();
    for (int p = lane_index(); p < hubs; p += 32) {
      const int hub = given.a_parts[begin + p];
      atomicOr(mine + (hub >> 5), 1u << (hub & 31));
    }
    __syncwarp();
  }
  __device__ __forceinline__ Partner find_partner(bool there, int j) const {
    Partner b{0, 0, 0, -1, false};
    if (!there) return b;
    b = {given.b_indptr[j], given.b_indptr[j + 1], given.b_hubs[j], given.bit_row[j], false};
    const long long walked = (others ? b.others() : 0) + (hubs && b.bits < 0 ? b.hubs : 0);
    b.searched = walked > static_cast<long long>(SEARCH_COST) * size();
    return b;
  }

  // The lists of the lanes, one after the other: `count` columns from `begin` on. Each lane takes every 32nd. Bits of
  // a vote tell where lists begin among 32 columns, and so of which list a column is.
  template <class Holds>
  __device__ __forceinline__ void walk_lists(long long list_begin, int count, Holds holds) const {
    const int start = warp_exclusive_sum(count), total = shuffle_from(start + count, 31);
    if (total == 0) return;
    const int order = __popc(__ballot_sync(WHOLE_WARP, count > 0) & lower_lanes());
    if (count) {
      base[order] = list_begin - start;
      owner[order] = lane_index();
    }
    __syncwarp();
    int opened = 0;
    for (int first = 0; first < total; first += 32 * AHEAD) {
      int list[AHEAD], next[AHEAD];
      unsigned begun[AHEAD];
#pragma unroll
      for (int i = 0; i < AHEAD; ++i) {
        const int from = first + 32 * i, place = from + lane_index();
        if (from >= total) break;
        const bool begins = count && start >= from && start < from + 32;
        begun[i] = __reduce_or_sync(WHOLE_WARP, begins ? 1u << (start - from) : 0u);
        list[i] = opened + __popc(begun[i] & (lower_lanes() << 1 | 1u)) - 1;
        next[i] = place < total ? given.b_parts[base[list[i]] + place] : 0;
        opened += __popc(begun[i]);
      }
#pragma unroll
      for (int i = 0; i < AHEAD; ++i) {
        if (first + 32 * i >= total) break;
        add_hits(list[i], begun[i], first + 32 * i + lane_index() < total && holds(next[i]));
      }
    }
    __syncwarp();
  }
  // The first lane of each list adds the hits of its lanes, which end before the next list begins.
  __device__ __forceinline__ void add_hits(int list, unsigned begun, bool hit) const {
    const unsigned votes = __ballot_sync(WHOLE_WARP, hit);
    const bool leads = lane_index() == 0 || (begun >> lane_index() & 1u);
    if (!votes || !leads) return;
    const unsigned later = begun & ~(lower_lanes() << 1 | 1u);
    const unsigned lanes = ~lower_lanes() & (later ? (later & (0u - later)) - 1 : ~0u);
    const int hits = __popc(votes & lanes);
    if (hits) atomicAdd(counts + owner[list], hits);
  }

  // Rows of bits, BITS_AHEAD at a time; returned is the count of the lane's own entry.
  __device__ __forceinline__ int intersect_bits(const Partner& b) const {
    const bool few = hubs <= 32;
    const int own = few && lane_index() < hubs ? given.a_parts[begin + lane_index()] : -1;
    const int end = b.bits >= 0 ? given.bit_ends[b.bits] : 0;
    unsigned left = __ballot_sync(WHOLE_WARP, b.bits >= 0 && !b.searched);
    int count = 0;
    while (left) {
      int lane[BITS_AHEAD], found[BITS_AHEAD];
#pragma unroll
      for (int i = 0; i < BITS_AHEAD; ++i) {
        lane[i] = left ? __ffs(static_cast<int>(left)) - 1 : -1;
        left &= left - 1;
        const int from = lane[i] < 0 ? 0 : lane[i];
        const int row = shuffle_from(b.bits, from), row_end = shuffle_from(end, from);
        found[i] = lane[i] < 0 ? 0 : few ? look_up(row, own) : count_common(row, row_end);
      }
#pragma unroll
      for (int i = 0; i < BITS_AHEAD; ++i) {
        if (lane[i] < 0) break;
        const int sum = __reduce_add_sync(WHOLE_WARP, found[i]);
        if (lane[i] == lane_index()) count += sum;
      }
    }
    return count;
  }
  __device__ __forceinline__ int look_up(int row, int hub) const {
    if (hub < 0) return 0;
    return static_cast<int>(
        load_constant(given.bits + static_cast<long long>(row) * HUB_WORDS + (hub >> 5)) >> (hub & 31) & 1u);
  }
  __device__ __forceinline__ int count_common(int row, int end) const {
    int found = 0;
#pragma unroll
    for (int q = 0; q < QUADS; ++q) {
      const int word = (q * 32 + lane_index()) * 4;
      if (word * 32 >= end) break;
      const Words theirs = load_pack<4>(given.bits + static_cast<long long>(row) * HUB_WORDS + word);
      const Words ours = load_pack<4>(mine + word);
#pragma unroll
      for (int i = 0; i < 4; ++i) found += __popc(theirs[i] & ours[i]);
    }
    return found;
  }

  // Rows that are much longer than A[i, :], one after the other.
  __device__ __forceinline__ int search_rows(const Partner& b) const {
    int count = 0;
    for (unsigned left = __ballot_sync(WHOLE_WARP, b.searched); left; left &= left - 1) {
      const int lane = __ffs(static_cast<int>(left)) - 1;
      const long long first = shuffle_from(b.begin, lane), last = shuffle_from(b.end, lane);
      int found = 0;
      for (int p = lane_index(); p < size(); p += 32) found += search(first, last, given.a_indices[begin + p]);
      found = __reduce_add_sync(WHOLE_WARP, found);
      if (lane == lane_index()) count = found;
    }
    return count;
  }
  __device__ __forceinline__ int search(long long first, long long last, int k) const {
    const long long end = last;
    while (first < last) {
      const long long middle = first + (last - first) / 2;
      if (given.b_indices[middle] < k) first = middle + 1;
      else last = middle;
    }
    return first < end && given.b_indices[first] == k;
  }

  // The counts of 32 entries with the part of A[i, :] that is in the table, and its hubs if this is the first part.
  __device__ __forceinline__ int count(const Partner& b, bool in_table, bool first_part) const {
    counts[lane_index()] = 0;
    __syncwarp();
    if (in_table) {
      const ColumnTable& columns = table;
      walk_lists(b.begin + b.hubs, b.searched ? 0 : b.others(), [&columns](int k) { return columns.holds(k); });
    }
    int more = 0;
    if (first_part) {
      const unsigned* bits = mine;
      if (hubs) {
        walk_lists(b.begin, b.searched || b.bits >= 0 ? 0 : b.hubs, [bits](int k) { return bit_test(bits, k); });
        more += intersect_bits(b);
      }
      more += search_rows(b);
    }
    __syncwarp();
    const int sum = counts[lane_index()] + more;
    __syncwarp();
    return sum;
  }
};

template <class C>
__global__ __launch_bounds__(PAIR_WARPS * 32) void pair_dots(PairDotsParameters<C> given) {
  __shared__ Words mine[PAIR_WARPS][HUB_WORDS / 4];
  __shared__ Pack<int, 4> slots[PAIR_WARPS][TABLE / 4];
  __shared__ long long base[PAIR_WARPS][32];
  __shared__ int owner[PAIR_WARPS][32], counts[PAIR_WARPS][32];
  const int warp = warp_index(), task = static_cast<int>(blockIdx.x) * PAIR_WARPS + warp;
  if (task >= given.tasks) return;  // all lanes of a warp
  const int i = given.task_row[task], hubs = given.a_hubs[i];
  const int size = static_cast<int>(given.a_indptr[i + 1] - given.a_indptr[i]);
  const PairRow<C> row{given,      given.a_indptr[i], hubs,        size - hubs, mine[warp][0].at, {slots[warp][0].at},
                       base[warp], owner[warp],       counts[warp]};
  if (hubs) row.set_mine();
  const long long begin = given.mask_indptr[i] + static_cast<long long>(given.task_chunk[task]) * given.chunk;
  const long long row_end = given.mask_indptr[i + 1];
  const long long end = begin + given.chunk < row_end ? begin + given.chunk : row_end;
  for (int part = 0; part == 0 || part < row.others; part += CHUNK) {
    const int left = row.others - part < CHUNK ? row.others - part : CHUNK;
    if (left) row.table.fill(given.a_parts + row.begin + hubs + part, left);
    for (long long first = begin; first < end; first += 32) {
      const long long e = first + lane_index();
      const bool there = e < end;
      const int count = row.count(row.find_partner(there, there ? given.mask_indices[e] : 0), left > 0, part == 0);
      if (!there || !count) continue;
      given.out[e] = static_cast<C>(given.present[e] ? given.out[e] + static_cast<C>(count) : static_cast<C>(count));
      given.present[e] = true;
    }
    __syncwarp();
  }
}
