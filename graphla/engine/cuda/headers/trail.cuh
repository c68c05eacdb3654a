// What a warp finds and takes next itself, from shared memory and without a barrier; the rest is in a queue that all
// share, for the next round.
//
// A warp that follows a trail for long leaves others idle, so after PATIENCE turns it gives away what it has, unless it
// has no more than a turn takes and no round is due: a thin trail cannot be shared. A grid of 215^3 is
// peeled from its corners in 6 ms so, and in 360 by the eight warps that begin.
#pragma once

#include "blocks.py"  // OWN, PATIENCE
#include "primitives.cuh"

// The lanes that want to put their value at the end of a queue; beyond its room values are counted, and lost.
__device__ __forceinline__ void append_within(bool wanted, int v, int* queue, int* queued, int room) {
  const int place = warp_reserve(wanted, queued);
  if (wanted && place < room) queue[place] = v;
}

// Every lane calls each of these.
struct Trail {
  int* own;   // OWN of them
  int count;  // in `own`
  int* queue;
  int* queued;  // counts on when the queue is full
  int room;     // of the queue

  // A vertex that takes more than a lane's turn is not `is_short`, and goes to the queue.
  __device__ __forceinline__ void add(bool wanted, int v, bool is_short) {
    if (!__ballot_sync(WHOLE_WARP, wanted)) return;
    const unsigned votes = __ballot_sync(WHOLE_WARP, wanted && is_short);
    const int place = count + __popc(votes & lower_lanes());
    const bool mine = wanted && is_short && place < OWN;
    if (mine) own[place] = v;
    put(wanted && !mine, v);
    count = min(OWN, count + __popc(votes));
    __syncwarp();
  }
  __device__ __forceinline__ void put(bool wanted, int v) const { append_within(wanted, v, queue, queued, room); }
  // Up to 32 of them, one for each lane; -1 for the lanes that get none.
  __device__ __forceinline__ int take() {
    const int some = min(count, 32);
    count -= some;
    const int v = lane_index() < some ? own[count + lane_index()] : -1;
    __syncwarp();
    return v;
  }
  __device__ __forceinline__ bool worth_sharing() const {
    return count > 32 || __any_sync(WHOLE_WARP, lane_index() == 0 && load_fresh(queued) > 0);
  }
  __device__ __forceinline__ void share() {
    while (count) {
      const int v = take();
      put(v >= 0, v);
    }
  }
  // Calls work(v) with a vertex, or -1, in each lane while there are any; what it finds is added to the trail.
  template <class Work>
  __device__ __forceinline__ void follow(Work work) {
    for (int turn = 1; count; ++turn) {
      if (turn % PATIENCE == 0 && worth_sharing()) return share();
      work(take());
    }
  }
  // Calls work(v) with the vertices of a list, shared among the warps of the grid, and with what is found by them.
  template <class Work>
  __device__ __forceinline__ void take_all(const int* list, int size, Work work) {
    const long long warps = static_cast<long long>(gridDim.x) * (blockDim.x / 32);
    const int share = static_cast<int>(min(32LL, (size - 1) / warps + 1));
    for (long long at = share * (blockIdx.x * (blockDim.x / 32LL) + warp_index()); at < size; at += warps * share) {
      work(lane_index() < share && at + lane_index() < size ? list[at + lane_index()] : -1);
      follow(work);
    }
  }
};
