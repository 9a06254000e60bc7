#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/digit_counters.cuh"
#include "algorithms/satish_split_radix_2009/kernels.cuh"

namespace sortlab {
namespace {

using namespace split_radix_2009;

template <int kItems, class Word, class V>
class SplitSorter2009 final : public Sorter {
 public:
  SplitSorter2009(const Problem& problem, KeyOrder<Word> order, const Parameters& parameters,
                  const Resources& resources)
      : stream_(stream_of(resources)),
        order_(order),
        digit_bits_(static_cast<int>(parameters.integer("digit_bits"))),
        threads_(static_cast<std::uint32_t>(parameters.integer("threads"))),
        tiles_((problem.n + threads_ * kItems - 1) / (threads_ * kItems)),
        second_(problem),
        counters_(1 << digit_bits_, tiles_),
        starts_(tiles_ * sizeof(std::uint16_t) << digit_bits_) {
    check(cudaFuncSetAttribute(sort_tiles<kItems, Word, V>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(sort_tiles_bytes<kItems, Word, V>(threads_))));
  }

  std::uint64_t scratch_bytes() const override { return second_.bytes() + counters_.bytes() + starts_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (data.keys.count < 2) return data;
    constexpr int key_bits = 8 * sizeof(Word);
    for (int pass = 0; pass * digit_bits_ < key_bits; ++pass) {
      const int shift = pass * digit_bits_;
      run_pass(data, {order_, shift, std::min(digit_bits_, key_bits - shift)}, pass, phases);
    }
    return data;
  }

 private:
  /// From `data` to the second buffers, tile by tile, and back.
  void run_pass(const Buffers& data, const Digit<Word>& digit, int pass, PhaseTimer& phases) {
    auto* const keys = static_cast<Word*>(data.keys.data);
    auto* const values = static_cast<V*>(data.values.data);
    auto* const sorted_keys = static_cast<Word*>(second_.buffers().keys.data);
    auto* const sorted_values = static_cast<V*>(second_.buffers().values.data);
    auto* const starts = starts_.data<std::uint16_t>();
    const std::uint64_t n = data.keys.count;
    const auto blocks = static_cast<std::uint32_t>(tiles_);
    const std::uint32_t digits = digit.count();
    {
      const auto phase = phases.phase("sort tiles", pass);
      const std::uint32_t bytes = sort_tiles_bytes<kItems, Word, V>(threads_);
      sort_tiles<kItems, Word, V>
          <<<blocks, threads_, bytes, stream_>>>(keys, values, sorted_keys, sorted_values, n, digit);
      check_launch();
    }
    {
      const auto phase = phases.phase("find offsets", pass);
      const std::uint32_t bytes = find_offsets_bytes(digits, threads_ * kItems);
      find_offsets<Word>
          <<<blocks, threads_, bytes, stream_>>>(sorted_keys, n, kItems, digit, starts, counters_.counts());
      check_launch();
    }
    {
      const auto phase = phases.phase("scan", pass);
      counters_.scan(stream_);
    }
    const auto phase = phases.phase("scatter", pass);
    scatter_runs<Word, V><<<blocks, threads_, scatter_runs_bytes(digits), stream_>>>(
        sorted_keys, sorted_values, keys, values, n, kItems, digit, starts, counters_.offsets());
    check_launch();
  }

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  int digit_bits_;
  std::uint32_t threads_;
  std::uint64_t tiles_;
  DeviceBuffers second_;
  DigitCounters counters_;
  DeviceMemory starts_;
};

}  // namespace

std::unique_ptr<Sorter> make_satish_split_radix_2009(const Problem& problem, const Parameters& parameters,
                                                     const Resources& resources) {
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      switch (parameters.integer("items")) {
        case 2: return std::make_unique<SplitSorter2009<2, Word, V>>(problem, order, parameters, resources);
        case 8: return std::make_unique<SplitSorter2009<8, Word, V>>(problem, order, parameters, resources);
        default: return std::make_unique<SplitSorter2009<4, Word, V>>(problem, order, parameters, resources);
      }
    });
  });
}

}  // namespace sortlab
