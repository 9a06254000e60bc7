// A kernel with how it is launched.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cuda/check.hpp"

namespace sortlab::msd_gpu {

/// As many blocks as the device holds at once.
template <class... Arguments>
struct Launch {
  void (*kernel)(Arguments...) = nullptr;
  unsigned blocks = 1;
  unsigned threads = 0;
  std::uint32_t shared_bytes = 0;

  Launch() = default;
  Launch(void (*of)(Arguments...), int block_threads, std::uint32_t bytes)
      : kernel(of), threads(static_cast<unsigned>(block_threads)), shared_bytes(bytes) {
    if (bytes > 0) {
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    }
    int device = 0, multiprocessors = 0, resident = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_threads, bytes));
    blocks = static_cast<unsigned>(std::max(resident, 1) * multiprocessors);
  }

  void operator()(cudaStream_t stream, const Arguments&... arguments) const { with(blocks, stream, arguments...); }
  void with(unsigned grid, cudaStream_t stream, const Arguments&... arguments) const {
    kernel<<<grid, threads, shared_bytes, stream>>>(arguments...);
    check_launch();
  }
  /// Its blocks wait for each other.
  void together(cudaStream_t stream, Arguments... arguments) const {
    void* all[] = {&arguments...};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3{blocks}, dim3{threads}, all,
                                      shared_bytes, stream));
  }
};

}  // namespace sortlab::msd_gpu
