// Accesses of several blocks to one array, each of one kind: the tests pair them.

struct Plain {
  template <class T> static __device__ T load(const T* p) { return *p; }
  template <class T> static __device__ void store(T* p, T x) { *p = x; }
};
struct Racing {
  template <class T> static __device__ T load(const T* p) { return load_racing(p); }
  template <class T> static __device__ void store(T* p, T x) { store_racing(p, x); }
};
struct Atomic {
  template <class T> static __device__ T load(const T* p) { return atomicAdd(const_cast<T*>(p), T(0)); }
  template <class T> static __device__ void store(T* p, T x) { atomicExch(p, x); }
};

// Block 0 stores to `to`, block 1 loads from `from`.
template <class Load, class Store>
__global__ void store_and_load(const int* from, int* to, int* out) {
  if (blockIdx.x == 0) Store::store(to, 5);
  else *out = Load::load(from);
}

// Both store, a value each.
template <class First, class Second>
__global__ void store_twice(int* x, int first, int second) {
  if (blockIdx.x == 0) First::store(x, first);
  else Second::store(x, second);
}

// Each block has its own of some neighbours.
template <class T>
__global__ void neighbours(T* x) {
  if (threadIdx.x == 0) x[blockIdx.x] = static_cast<T>(x[blockIdx.x] + 1);
}

// Block 0 raises a flag by the word that holds it, the others look at the flags beside it.
__global__ void flags(bool* flag, bool* out) {
  if (blockIdx.x == 0) atomicOr(word_around(flag), 1u << bit_in_word(flag));
  else out[blockIdx.x] = flag[blockIdx.x];
}

struct Large {
  int at[40];
};
__global__ void large(Large* x, int block) {
  if (static_cast<int>(blockIdx.x) == block) x[0] = x[1];
  else x[2].at[blockIdx.x] = x[0].at[0];
}

// A block in three hands over to the next by a flag; the last sees what the first wrote.
__global__ void handed_on(int* value, int* flag) {
  const int b = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    while (b && !load_fresh(&flag[b - 1])) emulator_yield();
    __threadfence();
  }
  __syncthreads();
  value[b * 64 + t] = (b ? value[t] + value[(b - 1) * 64 + 63 - t] : t);
  __syncthreads();
  if (t == 32) {
    __threadfence();
    store_racing(&flag[b], 1);
  }
}
