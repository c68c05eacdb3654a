// What a push finds when it begins: flags down, values at the identity, and `ends`, the running count of the arcs that
// leave the entries. All blocks fill; the last one to be done adds up.
// compiled: push_begin<C, Offset> with C = float | bool | long long; Offset = int | long long; hot
#pragma once

constexpr int BEGIN_THREADS = 1024, BEGIN_EACH = 8;

// ends = the running sum of itself, by one block; a thread takes a few neighbours at a time.
__device__ __forceinline__ void running_sum(long long* ends, int entries) {
  long long before = 0;
  for (int base = 0; base < entries; base += BEGIN_THREADS * BEGIN_EACH) {
    const int mine = base + threadIdx.x * BEGIN_EACH;
    long long upto[BEGIN_EACH], sum = 0;
#pragma unroll
    for (int step = 0; step < BEGIN_EACH; ++step)
      upto[step] = mine + step < entries ? load_fresh(ends + mine + step) : 0;
#pragma unroll
    for (int step = 0; step < BEGIN_EACH; ++step) upto[step] = sum += upto[step];
    const Prefix<long long> here = block_exclusive_sum(sum);
#pragma unroll
    for (int step = 0; step < BEGIN_EACH; ++step)
      if (mine + step < entries) ends[mine + step] = before + here.before + upto[step];
    before += here.total;
  }
}

// counter[0] and counter[1] are zero at first; the second counts the blocks that are done.
template <class C, class Offset>
__global__ __launch_bounds__(BEGIN_THREADS) void push_begin(const Offset* start, const int* places, int entries,
                                                            long long* ends, unsigned* flags, C* values, C identity,
                                                            int size, unsigned long long* counter) {
  __shared__ bool last;
  for (const int p : grid_range(entries))
    *static_cast<volatile long long*>(ends + p) = start[places[p] + 1] - start[places[p]];
  for (const int p : grid_range(size)) values[p] = identity;
  for (const int word : grid_range(size / 4 + (size % 4 != 0))) flags[word] = 0;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(counter + 1, 1ull) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  running_sum(ends, entries);
}
