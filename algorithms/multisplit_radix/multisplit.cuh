// A sequence of multisplits with their memory: launched by the sort, and once by the component.
#pragma once

#include <optional>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/digit_counters.cuh"
#include "algorithms/multisplit_radix/pass.cuh"
#include "core/parameters.hpp"

namespace sortlab::multisplit {

inline Shape make_shape(const Parameters& parameters) {
  return {.level = chosen("level", parameters.word("level"), kLevels),
          .counters = chosen("counters", parameters.word("counters"), kCounters),
          .threads = static_cast<int>(parameters.integer("threads")),
          .items = static_cast<int>(parameters.integer("items"))};
}

/// The three steps of a multisplit, from the input's arrays to a second set, or back.
template <class Word, class V>
class Multisplit {
 public:
  /// Prepares multisplits into 2^b buckets for each b in `bits`.
  Multisplit(const Problem& problem, KeyOrder<Word> order, const Shape& shape, std::initializer_list<int> bits,
             const Resources& resources)
      : stream_(cuda_stream(resources)),
        order_(order),
        shape_(shape),
        tiles_((problem.n + shape.tile() - 1) / shape.tile()),
        second_(problem) {
    for (const int width : bits) {
      if (!counters_[static_cast<std::size_t>(width)]) {
        counters_[static_cast<std::size_t>(width)].emplace(1 << width, tiles_);
      }
    }
  }

  std::uint64_t scratch_bytes() const {
    std::uint64_t bytes = second_.bytes();
    for (const auto& counters : counters_) bytes += counters ? counters->bytes() : 0;
    return bytes;
  }
  const Buffers& second() const { return second_.buffers(); }

  /// Clears the results of a run: the second arrays, counts and offsets become 0.
  void clear() const {
    const Buffers& arrays = second();
    if (arrays.keys.count == 0) return;
    check(cudaMemsetAsync(arrays.keys.data, 0, arrays.keys.count * sizeof(Word), stream_));
    if constexpr (kHasValue<V>) {
      check(cudaMemsetAsync(arrays.values.data, 0, arrays.values.count * sizeof(V), stream_));
    }
    for (const auto& counters : counters_) {
      if (counters) counters->clear(stream_);
    }
  }

  /// Orders stably by the digit of `bits` bits from `shift` on.
  void run(const Buffers& from, const Buffers& to, int shift, int bits, int number, PhaseTimer& phases) const {
    const DigitCounters& counters = *counters_.at(static_cast<std::size_t>(bits));
    const Pass<Word, V> pass{.input = {.keys = static_cast<const Word*>(from.keys.data),
                                       .n = from.keys.count,
                                       .tiles = tiles_,
                                       .counts = counters.counts(),
                                       .bucket = {order_, shift, bits}},
                             .values = static_cast<const V*>(from.values.data),
                             .keys_out = static_cast<Word*>(to.keys.data),
                             .values_out = static_cast<V*>(to.values.data),
                             .offsets = counters.offsets()};
    {
      const auto phase = phases.phase("histogram", number);
      count_buckets(pass.input, shape_, stream_);
    }
    {
      const auto phase = phases.phase("scan", number);
      counters.scan(stream_);
    }
    const auto phase = phases.phase("scatter", number);
    scatter(pass, shape_, stream_);
  }

 private:
  cudaStream_t stream_;
  KeyOrder<Word> order_;
  Shape shape_;
  std::uint64_t tiles_;
  DeviceBuffers second_;
  std::array<std::optional<DigitCounters>, kMaxDigitBits + 1> counters_;  ///< indexed by the bits of a bucket's number
};

/// Calls `f.template operator()<Word, V>(order)` for the types of a problem that has kernels.
template <class F>
auto with_types(const Problem& problem, const F& f) {
  const auto with_word = [&]<class Word>() {
    return with_value_type(
        problem.value, [&]<class V>() { return f.template operator()<Word, V>(make_key_order<Word>(problem.key)); });
  };
  switch (byte_size(problem.key)) {
    case 4: return with_word.template operator()<std::uint32_t>();
    case 8: return with_word.template operator()<std::uint64_t>();
    default: throw_no_code_for("key", to_name(problem.key));
  }
}

}  // namespace sortlab::multisplit
