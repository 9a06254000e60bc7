// A sort of Thrust on a stream, behind the contract of an algorithm.
#pragma once

#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include "algorithms/common/cuda/caching_allocator.hpp"
#include "algorithms/common/cuda/device_buffers.hpp"

namespace sortlab {

/// Sorter that calls `Sort` with an execution policy, the first key, the one past the last, and the first value if
/// there are values.
template <class K, class V, class Sort>
class ThrustSorter final : public Sorter {
 public:
  explicit ThrustSorter(const Resources& resources) : stream_(cuda_stream(resources)) {}

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

}  // namespace sortlab
