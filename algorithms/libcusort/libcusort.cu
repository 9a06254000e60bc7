#include <libcusort.cuh>
#include <type_traits>

#include "algorithms/common/adapters/with_types.hpp"
#include "algorithms/common/cuda/device_buffers.hpp"

namespace sortlab {
namespace {

template <class K, class V>
class Ready final : public Sorter {
 public:
  Ready(const Problem& problem, const Resources& resources) : stream_(cuda_stream(resources)), second_(problem) {
    Keys keys;
    Values values;
    std::size_t bytes = 0;
    check(call(nullptr, bytes, keys, values, problem.n));
    temporary_ = DeviceMemory{bytes};
  }

  std::uint64_t scratch_bytes() const override { return second_.bytes() + temporary_.size(); }

  Buffers sort(Buffers data, PhaseTimer&) override {
    // For one element it needs no memory, and a call without memory would query the size again.
    if (data.keys.count < 2) return data;
    const Buffers& second = second_.buffers();
    Keys keys{static_cast<K*>(data.keys.data), static_cast<K*>(second.keys.data)};
    Values values{static_cast<Value*>(data.values.data), static_cast<Value*>(second.values.data)};
    std::size_t bytes = temporary_.size();
    check(call(temporary_.data(), bytes, keys, values, data.keys.count));
    return keys.selector == 0 ? data : second;
  }

 private:
  static constexpr bool kPairs = !std::is_same_v<V, NoValue>;
  using Value = std::conditional_t<kPairs, V, char>;
  using Keys = cusort::DoubleBuffer<K>;
  using Values = cusort::DoubleBuffer<Value>;

  cudaError_t call(void* temporary, std::size_t& bytes, Keys& keys, Values& values, std::uint64_t n) const {
    constexpr int bits = 8 * sizeof(K);
    if constexpr (kPairs) {
      return cusort::DeviceRadixSort::SortPairs(temporary, bytes, keys, values, n, 0, bits, stream_);
    } else {
      return cusort::DeviceRadixSort::SortKeys(temporary, bytes, keys, n, 0, bits, stream_);
    }
  }

  cudaStream_t stream_;
  DeviceBuffers second_;
  DeviceMemory temporary_;
};

}  // namespace

std::unique_ptr<Sorter> make_libcusort(const Problem& problem, const Parameters&, const Resources& resources) {
  return make_for_types<Ready, 8>(problem, problem, resources);
}

}  // namespace sortlab
