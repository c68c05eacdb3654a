// What a push finds when it begins: flags down, values at the identity, the counter at zero, and `ends`, the running
// count of the arcs that leave the entries. All blocks fill; the first one counts, round after round.
// compiled: push_begin<C, Offset> with C = float | bool | long long; Offset = int | long long; hot
#pragma once

constexpr int BEGIN_THREADS = 1024, BEGIN_EACH = 8;

// A thread takes a few neighbours at a time, whose loads are under way together.
template <class Offset>
__device__ __forceinline__ void count_arcs(const Offset* start, const int* places, int entries, long long* ends) {
  long long before = 0;
  for (int base = 0; base < entries; base += BEGIN_THREADS * BEGIN_EACH) {
    const int mine = base + threadIdx.x * BEGIN_EACH;
    long long arcs[BEGIN_EACH], sum = 0;
#pragma unroll
    for (int step = 0; step < BEGIN_EACH; ++step) {
      const int k = mine + step < entries ? places[mine + step] : -1;
      arcs[step] = k < 0 ? 0 : start[k + 1] - start[k];
    }
#pragma unroll
    for (int step = 0; step < BEGIN_EACH; ++step) arcs[step] = sum += arcs[step];
    const Prefix<long long> here = block_exclusive_sum(sum);
#pragma unroll
    for (int step = 0; step < BEGIN_EACH; ++step)
      if (mine + step < entries) ends[mine + step] = before + here.before + arcs[step];
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
