// A sort of Thrust on a stream, behind the contract.
#pragma once

#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/thrust_sort/caching_allocator.hpp"

namespace sortlab {

/// `Sort` is called with an execution policy, the first key, the one past the last, and the first value if there are
/// values.
template <class K, class V, class Sort>
class ThrustSorter final : public Sorter {
 public:
  explicit ThrustSorter(const Resources& resources) : stream_(stream_of(resources)) {}

  std::uint64_t scratch_bytes() const override { return allocator_.bytes(); }

  Buffers sort(Buffers data, PhaseTimer&) override {
    auto* const keys = static_cast<K*>(data.keys.data);
    const auto policy = thrust::cuda::par(allocator_).on(stream_);
    if constexpr (std::is_same_v<V, NoValue>) {
      Sort{}(policy, keys, keys + data.keys.count);
    } else {
      Sort{}(policy, keys, keys + data.keys.count, static_cast<V*>(data.values.data));
    }
    check_launch();
    return data;
  }

 private:
  cudaStream_t stream_;
  CachingAllocator allocator_;
};

template <class Sort>
std::unique_ptr<Sorter> make_thrust_sorter(const Problem& problem, const Resources& resources) {
  return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<Sorter> {
    if constexpr (std::is_same_v<K, uint128>) {
      return nullptr;  // Info does not name it
    } else {
      return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
        return std::make_unique<ThrustSorter<K, V, Sort>>(resources);
      });
    }
  });
}

}  // namespace sortlab
