#include "harness/measure/cuda/device_input.hpp"

#include <algorithm>

#include "core/pair_bytes.hpp"
#include "generators/device_fill.hpp"
#include "harness/cell/input_seed.hpp"
#include "harness/cell/problem.hpp"
#include "harness/verify/verify_device.hpp"

namespace sortlab {
namespace {

template <class K, class V>
__global__ void make_pairs(const K* keys, Pair<K, V>* pairs, std::uint64_t n) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    pairs[i] = {static_cast<V>(i), keys[i]};
  }
}

}  // namespace

DeviceInput::DeviceInput(const Case& c, void* stream)
    : case_(c),
      input_(case_input(c)),
      n_(c.n),
      key_(c.key),
      value_(c.value),
      stream_(stream),
      keys_(c.n * byte_size(c.key)),
      sorted_(keys_.size()),
      values_(c.n * byte_size(c.value)),
      entropy_bits_(c.distribution.distribution->entropy_bits(case_input(c))) {
  make(0);
}

void DeviceInput::make(std::uint64_t number) {
  if (number_ == number) return;
  number_ = number;
  input_.seed = input_seed(case_.seed, number);
  fill_on_device(case_.distribution, input_, keys_.data(), stream_);
  digest_ = digest_on_device(restore(), case_problem(case_), stream_);
}

void DeviceInput::spoil() {
  constexpr int other = 0x5A;
  for (const GuardedDeviceMemory* const memory : {&sorted_, &values_, &pairs_}) {
    if (memory->size() > 0) check(cudaMemsetAsync(memory->data(), other, memory->size(), stream()));
  }
}

std::optional<std::string> DeviceInput::damage() const {
  if (const auto found = sorted_.damage(stream())) return *found + " of keys";
  if (const auto found = values_.damage(stream())) return *found + " of values";
  if (const auto found = pairs_.damage(stream())) return *found + " of pairs";
  return std::nullopt;
}

bool DeviceInput::is_intact() {
  const InputDigest now = digest_on_device(restore(), case_problem(case_), stream_);
  return now.keys == digest_.keys && now.pairs == digest_.pairs;
}

Buffers DeviceInput::restore(Layout layout) {
  if (layout == Layout::together && value_ != ValueType::none) return restore_pairs();
  const auto array = [this](const GuardedDeviceMemory& memory) { return Array{.data = memory.data(), .count = n_}; };
  check(cudaMemcpyAsync(sorted_.data(), keys_.data(), keys_.size(), cudaMemcpyDeviceToDevice,
                        static_cast<cudaStream_t>(stream_)));
  if (value_ == ValueType::none) return {.keys = array(sorted_), .values = {}};
  fill_values_on_device(value_, n_, values_.data(), stream_);
  return {.keys = array(sorted_), .values = array(values_)};
}

Buffers DeviceInput::restore_pairs() {
  if (n_ > 0 && pairs_.size() == 0) pairs_ = GuardedDeviceMemory{n_ * pair_bytes(key_, value_)};
  constexpr unsigned threads = 256, most_blocks = 4096;
  const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>((n_ + threads - 1) / threads, most_blocks));
  if (n_ > 0) {
    with_key_type(key_, [&]<class K>() {
      with_value_type(value_, [&]<class V>() {
        if constexpr (!std::is_same_v<V, NoValue>) {
          make_pairs<<<blocks, threads, 0, static_cast<cudaStream_t>(stream_)>>>(keys_.data<K>(),
                                                                                 pairs_.data<Pair<K, V>>(), n_);
          check_launch();
        }
      });
    });
  }
  return {.keys = {.data = pairs_.data(), .count = n_}, .values = {}};
}

}  // namespace sortlab
