// A sorter around CUB's radix sort, by any of its interfaces.
#pragma once

#include <cub/device/device_radix_sort.cuh>

#include "algorithms/common/cuda/device_buffers.hpp"

namespace sortlab {

template <class V>
using CubValue = std::conditional_t<std::is_same_v<V, NoValue>, cub::NullType, V>;

/// The offset type that DeviceRadixSort uses for a 64-bit count.
using CubOffset = unsigned long long;

/// A sorter whose `Call::sort(temporary, bytes, keys, values, n, stream)` sorts by all bits of the keys from the
/// current buffers of `keys` and `values`, and may overwrite both buffers. A null `temporary` queries its `bytes`.
template <class K, class V, class Call>
class CubRadixSorter final : public Sorter {
 public:
  CubRadixSorter(const Problem& problem, const Resources& resources)
      : stream_(cuda_stream(resources)), second_(problem) {
    cub::DoubleBuffer<K> keys;
    cub::DoubleBuffer<CubValue<V>> values;
    std::size_t bytes = 0;
    check(Call::sort(nullptr, bytes, keys, values, problem.n, stream_));
    temporary_ = DeviceMemory{bytes};
  }

  std::uint64_t scratch_bytes() const override { return second_.bytes() + temporary_.size(); }

  Buffers sort(Buffers data, PhaseTimer&) override {
    using Value = CubValue<V>;
    const Buffers& second = second_.buffers();
    cub::DoubleBuffer<K> keys{static_cast<K*>(data.keys.data), static_cast<K*>(second.keys.data)};
    cub::DoubleBuffer<Value> values{static_cast<Value*>(data.values.data), static_cast<Value*>(second.values.data)};
    std::size_t bytes = temporary_.size();
    check(Call::sort(temporary_.data(), bytes, keys, values, data.keys.count, stream_));
    return keys.selector == 0 ? data : second;
  }

 private:
  cudaStream_t stream_;
  DeviceBuffers second_;
  DeviceMemory temporary_;
};

/// CUB's kernels under a policy of our own.
template <class K, class V, class PolicyHub>
struct CubRadixUnderPolicy {
  static cudaError_t sort(void* temporary, std::size_t& bytes, cub::DoubleBuffer<K>& keys,
                          cub::DoubleBuffer<CubValue<V>>& values, std::uint64_t n, cudaStream_t stream) {
    constexpr int bits = 8 * sizeof(K);
    constexpr bool may_overwrite_input = true;
    using Dispatch = cub::DispatchRadixSort<cub::SortOrder::Ascending, K, CubValue<V>, CubOffset,
                                            cub::detail::identity_decomposer_t, PolicyHub>;
    return Dispatch::Dispatch(temporary, bytes, keys, values, n, 0, bits, may_overwrite_input, stream);
  }
};

}  // namespace sortlab
