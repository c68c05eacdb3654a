// What `fused` keeps with a graph: a warp owns a row.
//
//   strongest[v] = the tail u of v with the most arcs out of it, -1 if v has none (and in the padding)
//   nobody       = the bitmap of the vertices without any arc, and of the padding
//   padded[v]    = the heads of v in a row of eight, -1 where there are fewer, -2 last where there are more

#include "primitives.cuh"
#include "_common.cuh"

template <class Offset>
__device__ __forceinline__ long long degree(const Offset* pointers, int v) {
  return pointers[v + 1] - pointers[v];
}

template <class Offset>
__global__ void find_strongest(int n, int padded_n, const Offset* out_pointers, const Offset* in_pointers,
                               const int* in_columns, int* strongest) {
  const int warps = gridDim.x * (blockDim.x / 32);
  for (int v = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; v < padded_n; v += warps) {
    long long best = -1;  // degree above, tail below
    if (v < n)
      for (Offset k = in_pointers[v] + lane_id(); k < in_pointers[v + 1]; k += 32) {
        const int u = in_columns[k];
        best = max(best, degree(out_pointers, u) << 31 | u);
      }
    for (int reach = 16; reach; reach /= 2) best = max(best, __shfl_xor_sync(ALL_LANES, best, reach));
    if (lane_id() == 0) strongest[v] = best < 0 ? -1 : int(best & 0x7fffffff);
  }
}

template <class Offset>
__global__ void find_nobody(int n, int words, const Offset* out_pointers, const Offset* in_pointers, unsigned* nobody) {
  const int warps = gridDim.x * (blockDim.x / 32);
  for (int w = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; w < words; w += warps) {
    const int v = w * 32 + lane_id();
    const unsigned bits = __ballot_sync(ALL_LANES, v >= n || (!degree(out_pointers, v) && !degree(in_pointers, v)));
    if (lane_id() == 0) nobody[w] = bits;
  }
}

template <class Offset>
__global__ void pad_rows(int n, const Offset* pointers, const int* columns, int* padded) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    const Offset begin = pointers[v], arcs = pointers[v + 1] - begin;
    for (int j = 0; j < 8; ++j) padded[8ll * v + j] = j < arcs ? columns[begin + j] : -1;
    if (arcs > 8) padded[8ll * v + 7] = -2;
  }
}
