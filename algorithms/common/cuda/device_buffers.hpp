// The arrays of a sort on a device.
#pragma once

#include "algorithms/plugin.hpp"
#include "core/cuda/device_memory.hpp"

namespace sortlab {

/// A second set of arrays for a sort that does not work in place.
class DeviceBuffers {
 public:
  explicit DeviceBuffers(const Problem& problem)
      : keys_(problem.n * byte_size(problem.key)), values_(problem.n * byte_size(problem.value)) {
    const std::uint64_t values = problem.value == ValueType::none ? 0 : problem.n;
    buffers_ = {.keys = {.data = keys_.data(), .count = problem.n},
                .values = {.data = values_.data(), .count = values}};
  }

  const Buffers& buffers() const { return buffers_; }
  std::uint64_t bytes() const { return keys_.size() + values_.size(); }

 private:
  DeviceMemory keys_;
  DeviceMemory values_;
  Buffers buffers_;
};

inline cudaStream_t cuda_stream(const Resources& resources) {
  return static_cast<cudaStream_t>(resources.stream);
}

}  // namespace sortlab
