#include "harness/measure/cuda/device_input.hpp"

#include "generators/device_fill.hpp"
#include "harness/cell/problem.hpp"
#include "harness/verify/verify_device.hpp"

namespace sortlab {

DeviceInput::DeviceInput(const Case& c, void* stream)
    : n_(c.n),
      value_(c.value),
      stream_(stream),
      keys_(c.n * size_of(c.key)),
      sorted_(keys_.size()),
      values_(c.n * size_of(c.value)),
      entropy_bits_(c.distribution.distribution->entropy_bits(input_of(c))) {
  fill_on_device(c.distribution, input_of(c), keys_.data(), stream);
  digest_ = digest_on_device(restore(), problem_of(c), stream);
}

Buffers DeviceInput::restore() {
  const auto array = [this](const DeviceMemory& memory) { return Array{.data = memory.data(), .count = n_}; };
  check(cudaMemcpyAsync(sorted_.data(), keys_.data(), keys_.size(), cudaMemcpyDeviceToDevice,
                        static_cast<cudaStream_t>(stream_)));
  if (value_ == ValueType::none) return {.keys = array(sorted_), .values = {}};
  fill_values_on_device(value_, n_, values_.data(), stream_);
  return {.keys = array(sorted_), .values = array(values_)};
}

}  // namespace sortlab
