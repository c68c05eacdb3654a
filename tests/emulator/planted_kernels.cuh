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
