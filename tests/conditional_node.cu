// A WHILE node counts a word down from ten, thirty graphs, one after the other. The program is right by itself, and under
// compute-sanitizer 2025.3.1 (CUDA 13.0, driver 580, H200) it ends in an illegal address that no access is reported for:
//
//   nvcc -arch=native tests/conditional_node.cu -o /tmp/node
//   for i in 1 2 3 4 5 6 7 8; do /tmp/node & done; wait                                      # right, each time
//   for i in 1 2 3 4 5 6 7 8; do compute-sanitizer --tool memcheck /tmp/node & done; wait    # error 700, most times
//
// One process alone fails seldom, several at once nearly always; with --kernel-name kernel_substring=none, so that no
// kernel is instrumented, never.
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                             \
  if (cudaError_t error = (call)) {                                             \
    std::printf("graph %d: %s: %s\n", graph_number, #call, cudaGetErrorString(error)); \
    return 1;                                                                   \
  }

__global__ void count_down(unsigned long long* left, unsigned* rounds) {
  atomicAdd(rounds + blockIdx.x * blockDim.x + threadIdx.x, 1u);
  if (blockIdx.x == 0 && threadIdx.x == 0) --*left;
}

__global__ void use_stack(unsigned* out, int n) {
  unsigned local[64], sum = 0;
  for (int i = 0; i < n; ++i) local[(i * 7 + threadIdx.x) % 64] = i;
  for (int i = 0; i < n; ++i) sum += local[i * 13 % 64];
  if (sum == 12345) *out = sum;
}

__global__ void ask(cudaGraphConditionalHandle handle, const unsigned long long* left) {
  cudaGraphSetConditional(handle, *left > 0);
}

int main() {
  const unsigned long long ten = 10;
  unsigned long long* left;
  unsigned *rounds, answer;
  int graph_number = -1;
  CHECK(cudaMalloc(&left, sizeof ten));
  CHECK(cudaMalloc(&rounds, (64 * 256 + 1) * sizeof *rounds));
  CHECK(cudaMemset(rounds, 0, (64 * 256 + 1) * sizeof *rounds));
  for (graph_number = 0; graph_number < 30; ++graph_number) {
    cudaStream_t stream;
    cudaGraph_t graph, captured;
    cudaGraphExec_t executable;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
    cudaGraph_t body = loop.conditional.phGraph_out[0];
    CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
    count_down<<<64, 256, 0, stream>>>(left, rounds);
    use_stack<<<64, 256, 0, stream>>>(rounds + 64 * 256, 50);
    ask<<<1, 1, 0, stream>>>(handle, left);
    CHECK(cudaStreamEndCapture(stream, &captured));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaMemcpy(left, &ten, sizeof ten, cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&answer, rounds, sizeof answer, cudaMemcpyDeviceToHost));
    if (answer != 10u * (graph_number + 1)) return 2;
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
  }
  std::printf("right\n");
  return 0;
}
