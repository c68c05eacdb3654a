// Kernels with one fault each, which the emulator must find, and their faultless likes.

__global__ void missing_barrier(const int* x, int* out) {
  __shared__ int held[64];
  held[threadIdx.x] = x[threadIdx.x];
#if !defined(PLANT)
  __syncthreads();
#endif
  out[threadIdx.x] = held[63 - threadIdx.x];
}

__global__ void missing_warp_barrier(const int* x, int* out) {
  extern __shared__ int held[];
  held[threadIdx.x] = x[threadIdx.x];
#if !defined(PLANT)
  __syncwarp();
#endif
  out[threadIdx.x] = held[threadIdx.x ^ 1];
}

// Add to one place without an atomic.
__global__ void lost_update(int* count) {
#if defined(PLANT)
  *count = *count + 1;
#else
  atomicAdd(count, 1);
#endif
}

__global__ void write_beyond(int* x, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
#if defined(PLANT)
  if (i <= n) x[i] = i;
#else
  if (i < n) x[i] = i;
#endif
}

__global__ void read_before(const float* x, float* out) {
  const int i = static_cast<int>(threadIdx.x);
#if defined(PLANT)
  out[i] = x[i - 1];
#else
  out[i] = i ? x[i - 1] : 0;
#endif
}

__global__ void divergent_barrier(int* x) {
#if defined(PLANT)
  if (threadIdx.x < 16) __syncthreads();
#endif
  x[threadIdx.x] += 1;
  __syncthreads();
}

__global__ void early_return(int* x, int n) {
#if defined(PLANT)
  if (static_cast<int>(threadIdx.x) >= n) return;
#endif
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < n) x[threadIdx.x] = 1;
}

__global__ void missing_lane(int* x) {
  int sum = static_cast<int>(threadIdx.x);
#if defined(PLANT)
  if (threadIdx.x == 7) {
    x[7] = 0;
    __syncthreads();
  }
#endif
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  x[threadIdx.x] = sum;
  __syncthreads();
}

__global__ void lanes_apart(int* x) {
#if defined(PLANT)
  if (threadIdx.x & 1)
    x[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
  else
    x[threadIdx.x] = __shfl_sync(0xffffffffu, 2, 0);
#else
  x[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x & 1 ? 1 : 2, 0);
#endif
}

__global__ void endless_wait(int* flag) {
#if !defined(PLANT)
  if (threadIdx.x == 0) atomicExch(flag, 1);
#endif
  while (!*static_cast<volatile int*>(flag)) emulator_yield();
}

__global__ void absent_block(unsigned* barrier) {
#if defined(PLANT)
  if (blockIdx.x == 1) return;
#endif
  grid_sync(barrier);
}

__global__ void overflow(int* x) {
#if defined(PLANT)
  x[0] = x[0] + 1;
#else
  x[0] = static_cast<int>(static_cast<unsigned>(x[0]) + 1u);
#endif
}

__global__ void misaligned(const float* x, float4* out) {
#if defined(PLANT)
  out[0] = *reinterpret_cast<const float4*>(x + 1);
#else
  out[0] = make_float4(x[1], x[2], x[3], x[4]);
#endif
}

// A wait that looks at plain memory only, and never lets another thread go first.
__global__ void deaf(volatile int* flag) {
#if defined(PLANT)
  while (!*flag) {}
#endif
  *flag = 1;
}

// --- asynchronous copies -------------------------------------------------------------------------------------------

__device__ __forceinline__ void copy_one(int* to, const int* from) {
  __pipeline_memcpy_async(to, from, 4);
  __pipeline_commit();
}

__global__ void missing_wait(const int* x, int* out) {
  __shared__ int held[64];
  copy_one(&held[threadIdx.x], &x[threadIdx.x]);
#if !defined(PLANT)
  __pipeline_wait_prior(0);
#endif
  out[threadIdx.x] = held[threadIdx.x];
}

// Three groups under way; each round reads the oldest.
__global__ void one_group_too_few(const int* x, int* out) {
  __shared__ int held[4][64];
  const int t = static_cast<int>(threadIdx.x);
  for (int s = 0; s < 3; ++s) copy_one(&held[s][t], &x[t]);
  for (int s = 0; s < 8; ++s) {
#if defined(PLANT)
    __pipeline_wait_prior(3);
#else
    __pipeline_wait_prior(2);
#endif
    __syncthreads();
    copy_one(&held[(s + 3) % 4][t], &x[t]);
    out[t] += held[s % 4][63 - t];
  }
  __pipeline_wait_prior(0);
}

// A wait covers groups, and what no commit has closed is in none.
__global__ void missing_commit(const int* x, int* out) {
  __shared__ int held[64];
  __pipeline_memcpy_async(&held[threadIdx.x], &x[threadIdx.x], 4);
#if !defined(PLANT)
  __pipeline_commit();
#endif
  __pipeline_wait_prior(0);
  out[threadIdx.x] = held[threadIdx.x];
}

// A thread waits for its own copies only.
__global__ void missing_barrier_after_wait(const int* x, int* out) {
  __shared__ int held[64];
  copy_one(&held[threadIdx.x], &x[threadIdx.x]);
  __pipeline_wait_prior(0);
#if !defined(PLANT)
  __syncthreads();
#endif
  out[threadIdx.x] = held[63 - threadIdx.x];
}

__global__ void missing_barrier_before_copy(const int* x, int* out) {
  __shared__ int held[64];
  held[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = held[63 - threadIdx.x];
#if !defined(PLANT)
  __syncthreads();
#endif
  copy_one(&held[threadIdx.x], &x[threadIdx.x]);
  __pipeline_wait_prior(0);
}

__global__ void write_under_copy(const int* x, int* out) {
  __shared__ int held[64];
  copy_one(&held[threadIdx.x], &x[threadIdx.x]);
#if defined(PLANT)
  held[threadIdx.x] = 0;
#endif
  __pipeline_wait_prior(0);
  out[threadIdx.x] = held[threadIdx.x];
}

__global__ void copy_over_copy(const int* x, int* out) {
  __shared__ int held[64];
  copy_one(&held[threadIdx.x], &x[threadIdx.x]);
#if !defined(PLANT)
  __pipeline_wait_prior(0);
#endif
  copy_one(&held[threadIdx.x], &x[threadIdx.x]);
  __pipeline_wait_prior(0);
  out[threadIdx.x] = held[threadIdx.x];
}

__global__ void source_changes(int* x, int* out) {
  __shared__ int held[64];
  copy_one(&held[threadIdx.x], &x[threadIdx.x]);
#if !defined(PLANT)
  __pipeline_wait_prior(0);
#endif
  x[threadIdx.x] = 5;
  __pipeline_wait_prior(0);
  out[threadIdx.x] = held[threadIdx.x];
}

__global__ void copy_left_open(const int* x) {
  __shared__ int held[64];
  copy_one(&held[threadIdx.x], &x[threadIdx.x]);
#if !defined(PLANT)
  __pipeline_wait_prior(0);
#endif
}

__global__ void copy_from_beyond(const int* x, int n) {
  __shared__ int held[64];
  const int t = static_cast<int>(threadIdx.x);
#if defined(PLANT)
  copy_one(&held[t], &x[t]);
#else
  if (t < n) copy_one(&held[t], &x[t]);
#endif
  __pipeline_wait_prior(0);
}

// --- blocks and global memory --------------------------------------------------------------------------------------

__global__ void blocks_write(int* x) {
#if defined(PLANT)
  *x = static_cast<int>(blockIdx.x);
#else
  *x = 7;
#endif
}

__global__ void blocks_lose_a_sum(int* x) {
  if (threadIdx.x == 0)
#if defined(PLANT)
    *x += 1;
#else
    atomicAdd(x, 1);
#endif
}

__global__ void block_reads_what_another_writes(int* x, int* out, unsigned* barrier) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
#if !defined(PLANT)
  grid_sync(barrier);
#endif
  out[blockIdx.x * blockDim.x + threadIdx.x] = x[(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x];
}

__global__ void plain_look_at_an_atomic(int* x, int* out) {
  atomicAdd(x, 1);
#if defined(PLANT)
  if (threadIdx.x == 0) out[blockIdx.x] = *x;
#else
  if (threadIdx.x == 0) out[blockIdx.x] = load_racing(x);
#endif
}

__global__ void plain_store_over_an_atomic(int* x) {
  if (threadIdx.x == 0) atomicMax(x, 3 + static_cast<int>(blockIdx.x));
#if defined(PLANT)
  if (threadIdx.x == 32 && blockIdx.x == 1) *x = 9;
#else
  if (threadIdx.x == 32 && blockIdx.x == 1) store_racing(x, 9);
#endif
}

// Block 0 hands its values over by a flag.
__device__ void raise_flag(int* flag) {
  __syncthreads();
#if !defined(PLANT)
  __threadfence();
#endif
  if (threadIdx.x == 0) atomicExch(flag, 1);
}
__device__ void wait_for_flag(const int* flag) {
  if (threadIdx.x == 0) {
    while (!load_fresh(flag)) emulator_yield();
    __threadfence();
  }
}
__global__ void flag_without_a_fence(int* x, int* flag, int* out) {
  const int t = static_cast<int>(threadIdx.x);
  if (blockIdx.x == 0) {
    x[t] = t + 1;
    raise_flag(flag);
  } else {
    wait_for_flag(flag);
    __syncthreads();
    out[t] = x[t];
  }
}
__global__ void flag_without_a_barrier_before(int* x, int* flag, int* out) {
  const int t = static_cast<int>(threadIdx.x);
  if (blockIdx.x == 0) {
    x[t] = t + 1;
#if !defined(PLANT)
    __syncthreads();
#endif
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    wait_for_flag(flag);
    __syncthreads();
    out[t] = x[t];
  }
}
__global__ void flag_without_a_barrier_after(int* x, int* flag, int* out) {
  const int t = static_cast<int>(threadIdx.x);
  if (blockIdx.x == 0) {
    x[t] = t + 1;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    wait_for_flag(flag);
#if !defined(PLANT)
    __syncthreads();
#endif
    out[t] = x[t];
  }
}

// What goes through the read-only cache is as old as the launch, even for the thread that changed it.
__global__ void constant_that_changes(int* x, int* out) {
  x[threadIdx.x] = 3;
  __syncthreads();
#if defined(PLANT)
  out[threadIdx.x] = load_constant(&x[threadIdx.x]);
#else
  out[threadIdx.x] = x[threadIdx.x];
#endif
}

// Warps of a block need its barrier in global memory, too.
__global__ void warps_without_a_barrier(int* x, int* out) {
  x[threadIdx.x] = 3;
#if !defined(PLANT)
  __syncthreads();
#endif
  out[threadIdx.x] = x[63 - threadIdx.x];
}

// Each thread has a value of its own to store in one word: more than its last byte differs.
__global__ void threads_write(int* out) {
  __shared__ int held;
#if defined(PLANT)
  held = static_cast<int>(threadIdx.x);
#else
  held = 7;
#endif
  __syncthreads();
  out[threadIdx.x] = held;
}
