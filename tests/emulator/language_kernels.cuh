// The CUDA that the emulator's header plays, used once each.

__global__ void votes(const int* x, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned* mine = out + 10 * t;
  int all = 0;
  mine[0] = __ballot_sync(~0u, x[t] > 0);
  mine[1] = static_cast<unsigned>(__any_sync(~0u, x[t] > 0));
  mine[2] = static_cast<unsigned>(__all_sync(~0u, x[t] > 0));
  mine[3] = __match_any_sync(~0u, x[t]);
  mine[4] = __match_all_sync(~0u, x[t], &all) + static_cast<unsigned>(all);
  mine[5] = static_cast<unsigned>(__reduce_add_sync(~0u, x[t]));
  mine[6] = static_cast<unsigned>(__reduce_min_sync(~0u, x[t]));
  mine[7] = __reduce_max_sync(~0u, static_cast<unsigned>(x[t]));
  mine[8] = __reduce_xor_sync(~0u, static_cast<unsigned>(x[t]));
  mine[9] = static_cast<unsigned>(__syncthreads_count(x[t] > 0));
}

// Lanes part and meet in their halves, which shuffle on their own.
__global__ void halves(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  int sum = t;
  if (t < 16) {
    for (int d = 8; d; d /= 2) sum += __shfl_xor_sync(0x0000ffffu, sum, d);
  } else {
    for (int d = 1; d < 16; d *= 2) sum += __shfl_xor_sync(0xffff0000u, sum, d);
    sum = -sum;
  }
  __syncwarp();
  out[t] = sum + 1000 * __shfl_sync(~0u, sum, 16, 32);
}

__global__ void segments(int* up, int* down, int* from, int* swapped, int* crossed) {
  const int t = static_cast<int>(threadIdx.x);
  up[t] = __shfl_up_sync(~0u, t, 3, 8);
  down[t] = __shfl_down_sync(~0u, t, 3, 8);
  from[t] = __shfl_sync(~0u, t, 2, 8);
  swapped[t] = __shfl_xor_sync(~0u, t, 5, 8);
  crossed[t] = __shfl_xor_sync(~0u, t, 12, 8);
}

__global__ void active(unsigned* out) {
  out[threadIdx.x] = 0;
  if (threadIdx.x % 3 == 0) out[threadIdx.x] = __activemask();
}

__global__ void bits(const unsigned* x, int* out) {
  const unsigned y = x[0];
  const long long both = static_cast<long long>(static_cast<unsigned long long>(y) << 32 | x[1]);
  out[0] = __popc(y);
  out[1] = __popcll(static_cast<unsigned long long>(both));
  out[2] = __ffs(static_cast<int>(y));
  out[3] = __ffsll(both);
  out[4] = __clz(static_cast<int>(y));
  out[5] = __clzll(both);
  out[6] = static_cast<int>(__brev(y));
  out[7] = static_cast<int>(__funnelshift_l(x[1], y, 5));
  out[8] = static_cast<int>(__funnelshift_r(x[1], y, 5));
  out[9] = static_cast<int>(__byte_perm(x[1], y, 0x7531));
  out[10] = __float_as_int(1.5f);
  out[11] = static_cast<int>(__int_as_float(0x40490fdb) * 1000);
  out[12] = static_cast<int>(__umulhi(y, y));
  out[13] = __clz(0) + __ffs(0);
}

__global__ void dpx(const int* x, int* out) {
  const int a = x[0], b = x[1], c = x[2];
  const unsigned u = static_cast<unsigned>(a), v = static_cast<unsigned>(b), w = static_cast<unsigned>(c);
  out[0] = __viaddmin_s32(a, b, c);
  out[1] = __viaddmax_s32(a, b, c);
  out[2] = __vimin3_s32(a, b, c);
  out[3] = __vimax3_s32(a, b, c);
  out[4] = static_cast<int>(__viaddmin_s16x2(u, v, w));
  out[5] = static_cast<int>(__viaddmax_s16x2(u, v, w));
  out[6] = static_cast<int>(__vimin3_s16x2(u, v, w));
  out[7] = static_cast<int>(__vimin_s16x2(u, v));
  out[8] = static_cast<int>(__vadd2(u, v));
  out[9] = static_cast<int>(__vaddss2(u, v));
  out[10] = static_cast<int>(__vmins2(u, v));
  out[11] = static_cast<int>(__vmaxs2(u, v));
  out[12] = static_cast<int>(__vminu2(u, v));
  out[13] = static_cast<int>(__vaddus2(u, v));
}

template <class T>
__global__ void atomics(T* x, T* old) {
  const T one = static_cast<T>(threadIdx.x + 1);
  old[threadIdx.x] = atomicAdd(&x[0], one);
  atomicMin(&x[1], one);
  atomicMax(&x[2], one);
  atomicAnd(&x[3], static_cast<T>(~one));
  atomicOr(&x[4], one);
  atomicXor(&x[5], one);
  atomicExch(&x[6], one);
  for (T seen = load_fresh(&x[7]), next;; seen = next) {
    next = atomicCAS(&x[7], seen, seen + 2);
    if (next == seen) break;
  }
}
__global__ void counters(unsigned* x) {
  atomicInc(&x[0], 9);
  atomicDec(&x[1], 9);
  atomicSub(&x[2], 2);
}
template <class T>
__global__ void float_sum(T* x) { atomicAdd(x, static_cast<T>(0.5)); }

// Static and dynamic shared memory of blocks that are all resident keep apart.
template <class T>
__device__ T* slot() {
  __shared__ T held[64];
  return held;
}
__global__ void apart(unsigned* barrier, int* out) {
  extern __shared__ long long wide[];
  __shared__ int block;
  const int t = static_cast<int>(threadIdx.x), b = static_cast<int>(blockIdx.x);
  if (t == 0) block = b;
  slot<int>()[t] = 100 * b + t;
  wide[t] = 1000 * b + t;
  grid_sync(barrier);
  out[b * 64 + t] = slot<int>()[63 - t] + static_cast<int>(wide[63 - t]) + 10000 * block;
}

__global__ void __launch_bounds__(128) places(uint3* threads, uint3* blocks, dim3* sizes) {
  const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned i = b * blockDim.x * blockDim.y * blockDim.z + t;
  threads[i] = threadIdx;
  blocks[i] = blockIdx;
  sizes[i] = blockDim;
}

__global__ void order(int* next, int* turn) { turn[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(next, 1); }

__global__ void vectors(const int4* x, int2* y, float4* z) {
  const int4 v = x[0];
  y[0] = make_int2(v.x + v.w, v.y);
  z[0] = make_float4(1, 2, 3, static_cast<float>(v.z));
  assert(v.x == 1);
}

__global__ void stuck() { __trap(); }

__global__ void untouched_shared(int* out) {
  __shared__ int held[4];
  out[threadIdx.x] = *static_cast<volatile int*>(&held[threadIdx.x]);
}

__global__ void types(const float* x, int* y, long long n, bool flag, unsigned char* bytes) {
  if (flag) y[0] = static_cast<int>(n);
}

__global__ void many_barriers(int rounds, int* out) {
  __shared__ int held[256];
  held[threadIdx.x] = 0;
  for (int i = 0; i < rounds; ++i) __syncthreads();
  out[threadIdx.x] = held[threadIdx.x];
}

// Three copies in two groups and one in a group of its own; threads of odd numbers have an empty group between.
__global__ void groups(const int* x, int* seen) {
  alignas(16) __shared__ int held[32][4];
  const int t = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 4; ++i) held[t][i] = -1;
  __pipeline_memcpy_async(&held[t][0], &x[0], 4);
  __pipeline_memcpy_async(&held[t][1], &x[1], 4);
  __pipeline_commit();
  if (t % 2) __pipeline_commit();
  __pipeline_memcpy_async(&held[t][2], &x[2], 8, 4);
  __pipeline_commit();
  __pipeline_wait_prior(t % 2 ? 2 : 1);
  seen[t * 4] = held[t][0];
  seen[t * 4 + 1] = held[t][1];
  __pipeline_wait_prior(0);
  seen[t * 4 + 2] = held[t][2];
  seen[t * 4 + 3] = held[t][3];
}

__global__ void copies_of_sixteen_bytes(const int4* x, int4* out) {
  extern __shared__ int4 wide[];
  __pipeline_memcpy_async(&wide[threadIdx.x], &x[threadIdx.x], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = wide[blockDim.x - 1 - threadIdx.x];
}

template <int bytes>
__global__ void copy_of_a_size(const int* x) {
  alignas(16) __shared__ int held[8];
  __pipeline_memcpy_async(&held[bytes == 16], &x[0], bytes);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

__global__ void copy_to_a_register(const int* x) {
  int own[4];
  __pipeline_memcpy_async(own, x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
