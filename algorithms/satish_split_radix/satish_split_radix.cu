// Host side of the passes: histogram, prefix sum, and sort with scatter, from one set of arrays to the other.
#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/digit_counters.cuh"
#include "algorithms/satish_split_radix/histogram.cuh"

namespace sortlab {
namespace {

using split_radix::Pass;
using split_radix::Shape;
using split_radix::Split;

template <class Word, class V>
class SplitSorter final : public Sorter {
 public:
  SplitSorter(const Problem& problem, KeyOrder<Word> order, int digit_bits, const Shape& shape,
              const Resources& resources)
      : stream_(cuda_stream(resources)),
        order_(order),
        digits_(split_radix::lsd_digits(sizeof(Word), digit_bits)),
        shape_(shape),
        tiles_((problem.n + shape.tile() - 1) / shape.tile()),
        second_(problem),
        counters_(1 << digit_bits, tiles_) {}

  std::uint64_t scratch_bytes() const override { return second_.bytes() + counters_.bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (data.keys.count < 2) return data;
    Buffers from = data, to = second_.buffers();
    for (int number = 0; number < digits_.passes(); ++number) {
      const Digit<Word> digit{order_, digits_.shift(number), digits_.bits(number)};
      run({.keys = static_cast<const Word*>(from.keys.data),
           .values = static_cast<const V*>(from.values.data),
           .keys_out = static_cast<Word*>(to.keys.data),
           .values_out = static_cast<V*>(to.values.data),
           .n = data.keys.count,
           .tiles = tiles_,
           .counts = counters_.counts(),
           .offsets = counters_.offsets(),
           .digit = digit},
          number, phases);
      std::swap(from, to);
    }
    return from;
  }

 private:
  void run(const Pass<Word, V>& pass, int number, PhaseTimer& phases) {
    {
      const auto phase = phases.phase("histogram", number);
      count_digits(pass, shape_, stream_);
    }
    {
      const auto phase = phases.phase("scan", number);
      counters_.scan(stream_);
    }
    const auto phase = phases.phase("scatter", number);
    switch (shape_.split) {
      case Split::vertical: return scatter_vertical(pass, shape_, stream_);
      case Split::ballot: return scatter_by_ballots(pass, shape_, stream_);
      case Split::fused: return scatter_fused(pass, shape_, stream_);
      case Split::buffers: return scatter_by_buffers(pass, shape_, stream_);
    }
  }

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  LsdDigits digits_;
  Shape shape_;
  std::uint64_t tiles_;
  DeviceBuffers second_;
  DigitCounters counters_;
};

}  // namespace

std::unique_ptr<Sorter> make_satish_split_radix(const Problem& problem, const Parameters& parameters,
                                                const Resources& resources) {
  const Shape shape{.split = chosen("split", parameters.word("split"), split_radix::kSplits),
                    .items = static_cast<int>(parameters.integer("items")),
                    .warps = static_cast<int>(parameters.integer("warps"))};
  const auto digit_bits = static_cast<int>(parameters.integer("digit_bits"));
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      return std::make_unique<SplitSorter<Word, V>>(problem, order, digit_bits, shape, resources);
    });
  });
}

}  // namespace sortlab
