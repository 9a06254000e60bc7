// A measurement in fifty lines, without any code of Sortlab.
#include "tests/harness/measure/bare_cub_radix.hpp"

#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>

namespace {

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "bare_cub_radix: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

__global__ void fill(std::uint32_t* keys, std::uint64_t n) {
  for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15;  // SplitMix64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    keys[i] = static_cast<std::uint32_t>(x >> 32);
  }
}

}  // namespace

struct BareCubRadix::State {
  std::uint64_t n;
  std::uint32_t *input, *keys, *other;
  void *temporary = nullptr, *flushed;
  std::size_t bytes = 0;
  int l2_bytes;
  cudaEvent_t begin, end;
};

BareCubRadix::BareCubRadix(std::uint64_t n) : state_(new State{.n = n}) {
  State& s = *state_;
  must(cudaDeviceGetAttribute(&s.l2_bytes, cudaDevAttrL2CacheSize, 0));
  for (std::uint32_t** array : {&s.input, &s.keys, &s.other}) must(cudaMalloc(array, n * sizeof(std::uint32_t)));
  fill<<<4096, 256>>>(s.input, n);
  cub::DoubleBuffer<std::uint32_t> keys{s.keys, s.other};
  must(cub::DeviceRadixSort::SortKeys(nullptr, s.bytes, keys, n));
  must(cudaMalloc(&s.temporary, s.bytes));
  must(cudaMalloc(&s.flushed, s.l2_bytes));
  must(cudaEventCreate(&s.begin));
  must(cudaEventCreate(&s.end));
}

double BareCubRadix::sort() {
  State& s = *state_;
  must(cudaMemcpyAsync(s.keys, s.input, s.n * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice));
  must(cudaMemsetAsync(s.flushed, 0, s.l2_bytes));
  cub::DoubleBuffer<std::uint32_t> keys{s.keys, s.other};
  must(cudaEventRecord(s.begin));
  must(cub::DeviceRadixSort::SortKeys(s.temporary, s.bytes, keys, s.n));
  must(cudaEventRecord(s.end));
  must(cudaEventSynchronize(s.end));
  float milliseconds = 0;
  must(cudaEventElapsedTime(&milliseconds, s.begin, s.end));
  return 1e-3 * milliseconds;
}

BareCubRadix::~BareCubRadix() {
  for (void* array : {static_cast<void*>(state_->input), static_cast<void*>(state_->keys),
                      static_cast<void*>(state_->other), state_->temporary, state_->flushed}) {
    cudaFree(array);
  }
}
