#include <cub/device/device_radix_sort.cuh>

#include "algorithms/common/cuda/device_buffers.hpp"

namespace sortlab {
namespace {

template <class K, class V>
class CubRadixSorter final : public Sorter {
 public:
  CubRadixSorter(const Problem& problem, const Resources& resources) : stream_(stream_of(resources)), second_(problem) {
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

  cudaError_t sort(void* temporary, std::size_t& bytes, cub::DoubleBuffer<K>& keys, cub::DoubleBuffer<Value>& values,
                   std::uint64_t n) const {
    constexpr int bits = 8 * sizeof(K);
    if constexpr (std::is_same_v<V, NoValue>) {
      return cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, n, 0, bits, stream_);
    } else {
      return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, values, n, 0, bits, stream_);
    }
  }

  cudaStream_t stream_;
  DeviceBuffers second_;
  DeviceMemory temporary_;
};

}  // namespace

std::unique_ptr<Sorter> make_cub_radix(const Problem& problem, const Parameters&, const Resources& resources) {
  return with_key_type(problem.key, [&]<class K>() {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      return std::make_unique<CubRadixSorter<K, V>>(problem, resources);
    });
  });
}

}  // namespace sortlab
