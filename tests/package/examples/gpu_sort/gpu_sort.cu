// All work goes to Resources::stream, every CUDA call goes through check(), and scratch memory is allocated before
// sort(), which alone is timed.
#include <cub/device/device_radix_sort.cuh>

#include "algorithms/common/cuda/device_buffers.hpp"

namespace gpu_sort {
namespace {

using namespace sortlab;

template <class K>
class Ready final : public Sorter {
 public:
  Ready(const Problem& problem, const Resources& resources) : stream_(cuda_stream(resources)), other_(problem) {
    std::size_t bytes = 0;
    cub::DoubleBuffer<K> none{nullptr, nullptr};
    check(cub::DeviceRadixSort::SortKeys(nullptr, bytes, none, problem.n, 0, 8 * static_cast<int>(sizeof(K)), stream_));
    temporary_ = DeviceMemory{bytes};
  }

  std::uint64_t scratch_bytes() const override { return other_.bytes() + temporary_.size(); }

  Buffers sort(Buffers data, PhaseTimer&) override {
    std::size_t bytes = temporary_.size();
    cub::DoubleBuffer<K> keys{static_cast<K*>(data.keys.data), static_cast<K*>(other_.buffers().keys.data)};
    check(cub::DeviceRadixSort::SortKeys(temporary_.data(), bytes, keys, data.keys.count, 0,
                                         8 * static_cast<int>(sizeof(K)), stream_));
    data.keys.data = keys.Current();
    return data;
  }

 private:
  cudaStream_t stream_;
  DeviceBuffers other_;
  DeviceMemory temporary_;
};

}  // namespace

std::unique_ptr<Sorter> make(const Problem& problem, const Parameters&, const Resources& resources) {
  if (problem.key == KeyType::u32) return std::make_unique<Ready<std::uint32_t>>(problem, resources);
  return std::make_unique<Ready<std::uint64_t>>(problem, resources);
}

}  // namespace gpu_sort
