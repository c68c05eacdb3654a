// visit(v, begin, end, step) for the rows of all vertices: a thread owns a short row, a warp a long one, whose
// lanes take every 32nd arc.
#pragma once

#include "headers/primitives.cuh"

constexpr int LONG_ROW = 32;

template <class Offset, class Visit>
__device__ __forceinline__ void visit_rows(const Offset* indptr, int n, Visit visit) {
  for (const int v : grid_range((n + 31) & ~31)) {
    const Offset begin = v < n ? indptr[v] : 0, end = v < n ? indptr[v + 1] : 0;
    const bool by_warp = end - begin > LONG_ROW;
    if (v < n && !by_warp) visit(v, begin, end, 1);
    for (unsigned left = __ballot_sync(WHOLE_WARP, by_warp); left; left &= left - 1) {
      const int owner = __ffs(static_cast<int>(left)) - 1;
      const Offset first = __shfl_sync(WHOLE_WARP, begin, owner), last = __shfl_sync(WHOLE_WARP, end, owner);
      visit(__shfl_sync(WHOLE_WARP, v, owner), first + lane_index(), last, 32);
      __syncwarp();
    }
  }
}
