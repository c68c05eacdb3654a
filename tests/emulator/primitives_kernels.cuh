// A kernel for each primitive: the tests run them on the emulator and compile them for each architecture.

__global__ void warps(const int* x, int* sum, int* least, int* most, int* inclusive, int* exclusive, signed char* small) {
  const int t = static_cast<int>(threadIdx.x);
  sum[t] = warp_reduce(x[t]);
  least[t] = warp_reduce(x[t], Least{});
  most[t] = warp_reduce(x[t], Most{});
  inclusive[t] = warp_inclusive_scan(x[t]);
  exclusive[t] = warp_exclusive_sum(x[t]);
  small[t] = shuffle_from(static_cast<signed char>(x[t]), 3);
}

template <class T>
__global__ void blocks(const T* x, T* sum, T* least, T* before, T* total) {
  const int t = static_cast<int>(threadIdx.x);
  sum[t] = block_reduce(x[t]);
  least[t] = block_reduce(x[t], T(100), Least{});
  const Prefix<T> place = block_exclusive_sum(x[t]);
  before[t] = place.before;
  total[t] = place.total;
}

__global__ void queues(const int* x, int n, int* by_warp, int* by_block, int* counts) {
  const int steps = (n + static_cast<int>(gridDim.x * blockDim.x) - 1) / static_cast<int>(gridDim.x * blockDim.x);
  for (int step = 0; step < steps; ++step) {
    const int i = (step * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x)) * static_cast<int>(blockDim.x) +
                  static_cast<int>(threadIdx.x);
    const bool wanted = i < n && x[i] > 0;
    warp_append(wanted, i, by_warp, &counts[0]);
    block_append(wanted, i, by_block, &counts[1]);
  }
}

template <class I>
__global__ void ranges(I n, I begin, I end, int* by_grid, int* by_block, int* by_lane) {
  for (I i : grid_range(n)) atomicAdd(&by_grid[i], 1);
  if (blockIdx.x == 0)
    for (I i : block_range(begin, end)) atomicAdd(&by_block[i], 1);
  if (blockIdx.x == 0 && warp_index() == 0)
    for (I i : lane_range(begin, end)) atomicAdd(&by_lane[i], 1);
}

// The last of the integers: a step beyond it would overflow.
__global__ void range_to_the_end(int* count) {
  const int last = 0x7fffffff;
  for (int i : block_range(last - 70, last)) atomicAdd(count, i > 0);
}

__global__ void bitmaps(const int* members, int count, unsigned* bits, int* first, int* there, int n) {
  for (int i : grid_range(count)) first[i] = bit_set(bits, members[i]);
  __syncthreads();
  for (int i : grid_range(n)) there[i] = bit_test(bits, i);
}

template <class T>
__global__ void memories(const T* x, T* constant, T* once, T* fresh, T* packed) {
  for (int i : grid_range(16)) {
    constant[i] = load_constant(x + i);
    store_once(once + i, load_once(x + i));
    fresh[i] = load_fresh(x + i);
  }
  constexpr int n = 16 / sizeof(T) < 16 ? 16 / sizeof(T) : 16;
  for (int i : grid_range(16 / n)) store_pack(packed + i * n, load_pack<n>(x + i * n));
}

template <class Offset>
__global__ void rows(const Offset* start, int count, Offset entries, int* row, int* merge_row, Offset* merge_entry) {
  for (Offset e : grid_range(entries)) row[e] = row_of(start, count, e);
  for (Offset d : grid_range(static_cast<Offset>(entries + count + 1))) {
    const MergePoint<Offset> point = merge_path(d, start, count, entries);
    merge_row[d] = point.row;
    merge_entry[d] = point.entry;
  }
}

template <class S>
__global__ void combine(const typename S::C* x, int n, typename S::C* out, int places, typename S::C* old) {
  for (int i : grid_range(n)) old[i] = atomic_add_of<S>(&out[i % places], x[i]);
}

__global__ void updates(int* x, int* old) {
  old[threadIdx.x] = atomic_update(x, [](int was) { return was * 2 + 1; });
}

// Each round a block writes what the next reads in the round after.
__global__ void relay(unsigned* barrier, int rounds, int* value) {
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0 && blockIdx.x == static_cast<unsigned>(round) % gridDim.x)
      value[round + 1] = load_fresh(&value[round]) + 1;
    grid_sync(barrier);
  }
}
// The same by the barrier that the GPU runs.
__global__ void relay_by_barrier(unsigned* barrier, int rounds, int* value) {
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0 && blockIdx.x == static_cast<unsigned>(round) % gridDim.x)
      value[round + 1] = load_fresh(&value[round]) + 1;
    grid_barrier(barrier);
  }
}
