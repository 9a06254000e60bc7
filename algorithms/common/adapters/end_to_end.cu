#include "algorithms/common/adapters/end_to_end.hpp"

#include "algorithms/common/cuda/device_buffers.hpp"
#include "core/pair_bytes.hpp"

namespace sortlab {
namespace {

bool is_together(const Problem& problem) {
  return problem.value != ValueType::none && problem.layout == Layout::together;
}

/// Bytes of an element in the array of keys, which holds pairs if keys and values lie together.
std::uint64_t width_of_keys(const Problem& problem) {
  return is_together(problem) ? pair_bytes(problem.key, problem.value) : byte_size(problem.key);
}

/// Device memory for the arrays of a problem.
class Arrays {
 public:
  explicit Arrays(const Problem& problem)
      : keys_(problem.n * width_of_keys(problem)),
        values_(is_together(problem) ? 0 : problem.n * byte_size(problem.value)),
        n_(problem.n) {}

  Buffers buffers() const {
    return {.keys = {.data = keys_.data(), .count = n_},
            .values = {.data = values_.data(), .count = values_.size() > 0 ? n_ : 0}};
  }
  std::uint64_t bytes() const { return keys_.size() + values_.size(); }

 private:
  DeviceMemory keys_;
  DeviceMemory values_;
  std::uint64_t n_;
};

/// The same arrays without their first elements.
Buffers without_first(Buffers buffers, const Problem& problem, std::uint64_t skipped) {
  const auto advance = [skipped](Array& array, std::uint64_t width) {
    if (array.count == 0) return;
    array.data = static_cast<std::byte*>(array.data) + skipped * width;
    array.count -= skipped;
  };
  advance(buffers.keys, width_of_keys(problem));
  advance(buffers.values, byte_size(problem.value));
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
        stream_(cuda_stream(resources)),
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
    check(cudaMemcpyAsync(to.keys.data, from.keys.data, from.keys.count * width_of_keys(problem_), kind, stream_));
    if (from.values.count == 0) return;
    check(cudaMemcpyAsync(to.values.data, from.values.data, from.values.count * byte_size(problem_.value), kind,
                          stream_));
  }

  std::unique_ptr<Sorter> sorter_;
  Problem problem_;
  cudaStream_t stream_;
  Arrays memory_;
  Buffers arrays_;
};

}  // namespace

std::unique_ptr<Sorter> end_to_end(std::unique_ptr<Sorter> on_device, const Problem& problem,
                                   const Resources& resources, std::uint64_t skipped) {
  return std::make_unique<EndToEnd>(std::move(on_device), problem, resources, skipped);
}

}  // namespace sortlab
