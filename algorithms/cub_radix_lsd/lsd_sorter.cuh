// A sort by CUB's kernels under one policy.
#pragma once

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/cub_radix_lsd/policy.cuh"

namespace sortlab::cub_lsd {

template <class K, class V, int DigitBits, Form F>
class LsdSorter final : public Sorter {
 public:
  LsdSorter(const Problem& problem, const Resources& resources) : stream_(stream_of(resources)), second_(problem) {
    cub::DoubleBuffer<K> keys;
    cub::DoubleBuffer<Value> values;
    std::size_t bytes = 0;
    check(sort(nullptr, bytes, keys, values, problem.n));
    temporary_ = DeviceMemory{bytes};
  }

  std::uint64_t scratch_bytes() const override { return second_.bytes() + temporary_.size(); }

  Buffers sort(Buffers data, PhaseTimer&) override {
    const Buffers& second = second_.buffers();
    cub::DoubleBuffer<K> keys{static_cast<K*>(data.keys.data), static_cast<K*>(second.keys.data)};
    cub::DoubleBuffer<Value> values{static_cast<Value*>(data.values.data), static_cast<Value*>(second.values.data)};
    std::size_t bytes = temporary_.size();
    check(sort(temporary_.data(), bytes, keys, values, data.keys.count));
    return keys.selector == 0 ? data : second;
  }

 private:
  using Value = std::conditional_t<std::is_same_v<V, NoValue>, cub::NullType, V>;
  using Offset = unsigned long long;  // what DeviceRadixSort takes for a count of 64 bits
  using Dispatch =
      cub::DispatchRadixSort<cub::SortOrder::Ascending, K, Value, Offset, cub::detail::identity_decomposer_t,
                             PolicyHub<K, Value, Offset, DigitBits, F>>;

  cudaError_t sort(void* temporary, std::size_t& bytes, cub::DoubleBuffer<K>& keys, cub::DoubleBuffer<Value>& values,
                   std::uint64_t n) const {
    constexpr int bits = 8 * sizeof(K);
    constexpr bool may_overwrite_input = true;
    return Dispatch::Dispatch(temporary, bytes, keys, values, n, 0, bits, may_overwrite_input, stream_);
  }

  cudaStream_t stream_;
  DeviceBuffers second_;
  DeviceMemory temporary_;
};

template <Form F, class K, class V>
std::unique_ptr<Sorter> make_with_digits(const Problem& problem, int digit_bits, const Resources& resources) {
  switch (digit_bits) {
    case 5: return std::make_unique<LsdSorter<K, V, 5, F>>(problem, resources);
    case 6: return std::make_unique<LsdSorter<K, V, 6, F>>(problem, resources);
    case 7: return std::make_unique<LsdSorter<K, V, 7, F>>(problem, resources);
    default: break;
  }
  constexpr int digit_bits_of_this_form_alone = F == Form::onesweep ? 8 : 4;
  return std::make_unique<LsdSorter<K, V, digit_bits_of_this_form_alone, F>>(problem, resources);
}

/// For the combinations that are built; cub_radix_lsd.cpp declines the others.
template <Form F>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, int digit_bits, const Resources& resources) {
  const bool pairs = problem.value != ValueType::none;
  switch (problem.key) {
    case KeyType::u32:
      return pairs ? make_with_digits<F, std::uint32_t, std::uint32_t>(problem, digit_bits, resources)
                   : make_with_digits<F, std::uint32_t, NoValue>(problem, digit_bits, resources);
    case KeyType::u64:
      return pairs ? make_with_digits<F, std::uint64_t, std::uint64_t>(problem, digit_bits, resources)
                   : make_with_digits<F, std::uint64_t, NoValue>(problem, digit_bits, resources);
    default: return make_with_digits<F, float, NoValue>(problem, digit_bits, resources);
  }
}

}  // namespace sortlab::cub_lsd
