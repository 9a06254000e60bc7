#include "tests/harness/run/planted_device_sorts.hpp"

#include "algorithms/common/cuda/device_buffers.hpp"

namespace sortlab {
namespace {

__global__ void write_nowhere() {
  *reinterpret_cast<volatile int*>(std::uintptr_t{0xdead0000}) = 1;
}
__global__ void loop_endlessly(volatile int* never) {
  while (*never == 0) {
  }
}
__global__ void swap_ends(std::uint32_t* keys, std::uint64_t n) {
  const std::uint32_t first = keys[0];
  keys[0] = keys[n - 1];
  keys[n - 1] = first;
}
__global__ void double_first(std::uint32_t* keys) {
  keys[1] = keys[0];
}

class Planted final : public Sorter {
 public:
  Planted(std::unique_ptr<Sorter> sorter, Misbehaviour misbehaviour, const Resources& resources)
      : sorter_(std::move(sorter)), misbehaviour_(misbehaviour), stream_(cuda_stream(resources)), zero_(sizeof(int)) {
    check(cudaMemset(zero_.data(), 0, zero_.size()));
  }

  std::uint64_t scratch_bytes() const override { return sorter_->scratch_bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const Buffers sorted = sorter_->sort(data, phases);
    if (++calls_ >= 2) misbehave(sorted.keys.as<std::uint32_t>());
    return sorted;
  }

 private:
  void misbehave(std::span<std::uint32_t> keys) {
    switch (misbehaviour_) {
      case Misbehaviour::none: return;
      case Misbehaviour::illegal_address: write_nowhere<<<1, 1, 0, stream_>>>(); break;
      case Misbehaviour::endless_loop: loop_endlessly<<<1, 1, 0, stream_>>>(zero_.data<int>()); break;
      case Misbehaviour::launch_failure: write_nowhere<<<1, 1 << 20, 0, stream_>>>(); break;
      case Misbehaviour::out_of_memory: DeviceMemory{std::size_t{1} << 50}; break;
      case Misbehaviour::disorder: swap_ends<<<1, 1, 0, stream_>>>(keys.data(), keys.size()); break;
      case Misbehaviour::doubled_key: double_first<<<1, 1, 0, stream_>>>(keys.data()); break;
    }
    check_launch();
  }

  std::unique_ptr<Sorter> sorter_;
  Misbehaviour misbehaviour_;
  cudaStream_t stream_;
  DeviceMemory zero_;
  int calls_ = 0;
};

}  // namespace

std::unique_ptr<Sorter> make_planted(std::unique_ptr<Sorter> sorter, Misbehaviour misbehaviour,
                                     const Resources& resources) {
  return std::make_unique<Planted>(std::move(sorter), misbehaviour, resources);
}

}  // namespace sortlab
