#include "algorithms/common/adapters/end_to_end.hpp"

#include "algorithms/common/cuda/device_buffers.hpp"

namespace sortlab {
namespace {

/// The same arrays without their first elements.
Buffers without_first(Buffers buffers, const Problem& problem, std::uint64_t skipped) {
  const auto advance = [skipped](Array& array, std::uint64_t width) {
    if (array.count == 0) return;
    array.data = static_cast<std::byte*>(array.data) + skipped * width;
    array.count -= skipped;
  };
  advance(buffers.keys, size_of(problem.key));
  advance(buffers.values, size_of(problem.value));
  return buffers;
}

Problem longer(Problem problem, std::uint64_t by) {
  problem.n += by;
  return problem;
}

class EndToEnd final : public Sorter {
 public:
  EndToEnd(std::unique_ptr<Sorter> on_device, const Problem& problem, const Resources& resources, std::uint64_t skipped)
      : sorter_(std::move(on_device)),
        problem_(problem),
        stream_(stream_of(resources)),
        memory_(longer(problem, skipped)),
        arrays_(without_first(memory_.buffers(), problem, skipped)) {}

  std::uint64_t scratch_bytes() const override { return memory_.bytes() + sorter_->scratch_bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    copy(arrays_, data, cudaMemcpyHostToDevice);
    const Buffers sorted = sorter_->sort(arrays_, phases);
    data.keys.count = sorted.keys.count;
    data.values.count = sorted.values.count;
    copy(data, sorted, cudaMemcpyDeviceToHost);
    check(cudaStreamSynchronize(stream_));
    return data;
  }

 private:
  void copy(const Buffers& to, const Buffers& from, cudaMemcpyKind kind) const {
    check(cudaMemcpyAsync(to.keys.data, from.keys.data, from.keys.count * size_of(problem_.key), kind, stream_));
    if (from.values.count == 0) return;
    check(
        cudaMemcpyAsync(to.values.data, from.values.data, from.values.count * size_of(problem_.value), kind, stream_));
  }

  std::unique_ptr<Sorter> sorter_;
  Problem problem_;
  cudaStream_t stream_;
  DeviceBuffers memory_;
  Buffers arrays_;
};

}  // namespace

std::unique_ptr<Sorter> end_to_end(std::unique_ptr<Sorter> on_device, const Problem& problem,
                                   const Resources& resources, std::uint64_t skipped) {
  return std::make_unique<EndToEnd>(std::move(on_device), problem, resources, skipped);
}

}  // namespace sortlab
