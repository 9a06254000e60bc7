// A kernel with its launch configuration. If the device can (compute capability 9.0), it is launched while the previous
// kernel still runs (programmatic dependent launch).
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cuda/occupancy.hpp"

namespace sortlab::msd_gpu {

/// Launch configuration with as many blocks as are resident at once.
template <class... Arguments>
struct Launch {
  void (*kernel)(Arguments...) = nullptr;
  unsigned blocks = 1;
  unsigned threads = 0;
  std::uint32_t shared_bytes = 0;
  bool waits = false;  ///< true if compiled with wait_for_previous_kernel

  Launch() = default;
  Launch(void (*function)(Arguments...), int block_threads, std::uint32_t bytes)
      : kernel(function), threads(static_cast<unsigned>(block_threads)), shared_bytes(bytes) {
    blocks = resident_blocks(kernel, block_threads, bytes);
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel));
    waits = attributes.ptxVersion >= 90;
  }

  void operator()(cudaStream_t stream, const Arguments&... arguments) const { with(blocks, stream, arguments...); }
  void with(unsigned grid, cudaStream_t stream, const Arguments&... arguments) const {
    launch(grid, stream, false, arguments...);
  }
  /// Cooperative launch: blocks may synchronise over the grid.
  void together(cudaStream_t stream, const Arguments&... arguments) const {
    launch(blocks, stream, true, arguments...);
  }

 private:
  void launch(unsigned grid, cudaStream_t stream, bool cooperative, const Arguments&... arguments) const {
    cudaLaunchAttribute attributes[2];
    cudaLaunchConfig_t config{};
    config.gridDim = dim3{grid};
    config.blockDim = dim3{threads};
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = attributes;
    if (cooperative) {
      attributes[config.numAttrs].id = cudaLaunchAttributeCooperative;
      attributes[config.numAttrs++].val.cooperative = 1;
    }
    if (waits) {
      attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attributes[config.numAttrs++].val.programmaticStreamSerializationAllowed = 1;
    }
    check(cudaLaunchKernelEx(&config, kernel, arguments...));
  }
};

}  // namespace sortlab::msd_gpu
