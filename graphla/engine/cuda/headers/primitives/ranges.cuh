// Range loops over what a thread owns: for (int v : grid_range(n)) ...
#pragma once

// begin, begin + stride, ... below end, with no overflow near the end of the type.
template <class I>
struct StridedRange {
  I first, last, stride;

  struct Iterator {
    I place, last, stride;
    __device__ __forceinline__ I operator*() const { return place; }
    __device__ __forceinline__ bool operator!=(const Iterator&) const { return place < last; }
    __device__ __forceinline__ void operator++() { place = last - place > stride ? place + stride : last; }
  };
  __device__ __forceinline__ Iterator begin() const { return {first, last, stride}; }
  __device__ __forceinline__ Iterator end() const { return {last, last, stride}; }
};

// [0, n) over all threads of the grid.
template <class I>
__device__ __forceinline__ StridedRange<I> grid_range(I n) {
  const long long first = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  return {first < n ? static_cast<I>(first) : n, n, static_cast<I>(gridDim.x * blockDim.x)};
}
// [begin, end) over the threads of the block.
template <class I>
__device__ __forceinline__ StridedRange<I> block_range(I begin, I end) {
  const I mine = static_cast<I>(threadIdx.x);
  return {mine < end - begin ? begin + mine : end, end, static_cast<I>(blockDim.x)};
}
// [begin, end) over the lanes of the warp.
template <class I>
__device__ __forceinline__ StridedRange<I> lane_range(I begin, I end) {
  const I mine = static_cast<I>(threadIdx.x & 31);
  return {mine < end - begin ? begin + mine : end, end, static_cast<I>(32)};
}
