#include <cub/device/device_merge_sort.cuh>

#include "algorithms/common/adapters/with_types.hpp"
#include "algorithms/common/cuda/device_buffers.hpp"

namespace sortlab {
namespace {

/// KeyLess in device code, which cannot call the host's constexpr functions.
struct DeviceKeyLess {
  template <class K>
  __device__ bool operator()(K a, K b) const {
    if constexpr (std::is_floating_point_v<K>) {
      return ordered(a) < ordered(b);
    } else {
      return a < b;
    }
  }

 private:
  /// A float as a signed integer of the same order: its bits, with all but the sign flipped if the sign is set.
  __device__ static std::int32_t ordered(float key) {
    const std::int32_t bits = __float_as_int(key);
    return bits ^ ((bits >> 31) & 0x7FFFFFFF);
  }
  __device__ static std::int64_t ordered(double key) {
    const std::int64_t bits = __double_as_longlong(key);
    return bits ^ ((bits >> 63) & 0x7FFFFFFFFFFFFFFF);
  }
};

template <class K, class V>
class CubMergeSorter final : public Sorter {
 public:
  CubMergeSorter(const Problem& problem, const Resources& resources) : stream_(cuda_stream(resources)) {
    std::size_t bytes = 0;
    check(sort(nullptr, bytes, {}, problem.n));
    temporary_ = DeviceMemory{bytes};
  }

  std::uint64_t scratch_bytes() const override { return temporary_.size(); }

  Buffers sort(Buffers data, PhaseTimer&) override {
    std::size_t bytes = temporary_.size();
    check(sort(temporary_.data(), bytes, data, data.keys.count));
    return data;
  }

 private:
  cudaError_t sort(void* temporary, std::size_t& bytes, const Buffers& data, std::uint64_t n) const {
    auto* const keys = static_cast<K*>(data.keys.data);
    if constexpr (std::is_same_v<V, NoValue>) {
      return cub::DeviceMergeSort::StableSortKeys(temporary, bytes, keys, n, DeviceKeyLess{}, stream_);
    } else {
      auto* const values = static_cast<V*>(data.values.data);
      return cub::DeviceMergeSort::StableSortPairs(temporary, bytes, keys, values, n, DeviceKeyLess{}, stream_);
    }
  }

  cudaStream_t stream_;
  DeviceMemory temporary_;
};

}  // namespace

std::unique_ptr<Sorter> make_cub_merge(const Problem& problem, const Parameters&, const Resources& resources) {
  return make_for_types<CubMergeSorter, 8>(problem, problem, resources);
}

}  // namespace sortlab
