// What a push finds when it begins: flags down, values at the identity, the counter at zero, and `ends`, the running
// count of the arcs that leave the entries. All blocks fill; the first one counts, round after round.
// compiled: push_begin<C, Offset> with C = float | bool | long long; Offset = int | long long; hot
#pragma once

constexpr int BEGIN_THREADS = 1024;

template <class Offset>
__device__ __forceinline__ void count_arcs(const Offset* start, const int* places, int entries, long long* ends) {
  long long before = 0;
  for (int base = 0; base < entries; base += BEGIN_THREADS) {
    const int p = base + threadIdx.x;
    const long long arcs = p < entries ? start[places[p] + 1] - start[places[p]] : 0;
    const Prefix<long long> here = block_exclusive_sum(arcs);
    if (p < entries) ends[p] = before + here.before + arcs;
    before += here.total;
  }
}

template <class C, class Offset>
__global__ __launch_bounds__(BEGIN_THREADS) void push_begin(const Offset* start, const int* places, int entries,
                                                            long long* ends, unsigned* flags, C* values, C identity,
                                                            int size, unsigned long long* counter) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) *counter = 0;
    count_arcs(start, places, entries, ends);
    return;
  }
  const int stride = (gridDim.x - 1) * BEGIN_THREADS;
  const int mine = (blockIdx.x - 1) * BEGIN_THREADS + threadIdx.x;
  for (long long p = mine; p < size; p += stride) values[p] = identity;
  for (long long word = mine; word < (size + 3ll) / 4; word += stride) flags[word] = 0;
}
