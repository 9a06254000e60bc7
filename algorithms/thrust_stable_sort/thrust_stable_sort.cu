// thrust::stable_sort on a stream.
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/thrust_sort/caching_allocator.hpp"

namespace sortlab {
namespace {

template <class K, class V>
class ThrustStableSortSorter final : public Sorter {
 public:
  explicit ThrustStableSortSorter(const Resources& resources) : stream_(stream_of(resources)) {}

  std::uint64_t scratch_bytes() const override { return allocator_.bytes(); }

  Buffers sort(Buffers data, PhaseTimer&) override {
    auto* const keys = static_cast<K*>(data.keys.data);
    const auto policy = thrust::cuda::par(allocator_).on(stream_);
    if constexpr (std::is_same_v<V, NoValue>) {
      thrust::stable_sort(policy, keys, keys + data.keys.count);
    } else {
      thrust::stable_sort_by_key(policy, keys, keys + data.keys.count, static_cast<V*>(data.values.data));
    }
    check_launch();
    return data;
  }

 private:
  cudaStream_t stream_;
  CachingAllocator allocator_;
};

}  // namespace

std::unique_ptr<Sorter> make_thrust_stable_sort(const Problem& problem, const Parameters&, const Resources& resources) {
  return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<Sorter> {
    if constexpr (std::is_same_v<K, uint128>) {
      return nullptr;  // Info does not name it
    } else {
      return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
        return std::make_unique<ThrustStableSortSorter<K, V>>(resources);
      });
    }
  });
}

}  // namespace sortlab
