// The passes, least significant digit first, in the two ways to divide a pass into kernels.
#pragma once

#include <cstddef>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/ha_implicit_radix/kernels.cuh"
#include "algorithms/ha_implicit_radix/range.cuh"
#include "algorithms/ha_implicit_radix/rank.cuh"

namespace sortlab::ha {

/// Whether pre-sorted tiles pass through memory on their way to the shuffle (as printed), or are made where they are
/// shuffled, after a kernel that only counts.
enum class Presort : std::uint8_t { stored, recomputed };

struct Settings {
  Presort presort = Presort::recomputed;
  Scatter scatter = Scatter::soa;
  int range_bits = 64;       ///< of a key less its bias; those above are not looked at
  bool limit_range = false;  ///< find bias and bits on the device
};

template <class P>
class LsdSorter final : public Sorter {
  using Word = typename P::Word;
  using V = typename P::V;
  static constexpr bool kLossy = std::is_same_v<typename P::Map, LossyMap>;

 public:
  LsdSorter(const Problem& problem, const Settings& settings, KeyOrder<Word> order, const Resources& resources)
      : settings_(settings),
        stream_(stream_of(resources)),
        order_(order),
        rank_(tiles(problem.n), P::kDigits, stream_),
        second_(problem.n * kElementBytes + kValuesAlignment),
        found_(finds_range() ? sizeof(Found) : 0) {
    const int bits = kLossy ? kLossyBits : std::min<int>(settings.range_bits, 8 * sizeof(Word));
    passes_ = (bits + P::kDigitBits - 1) / P::kDigitBits;
    plan_ = {.bias = settings.range_bits < static_cast<int>(8 * sizeof(Word)) ? order.ordered(0) : Word{0},
             .passes = passes_};
  }

  std::uint64_t scratch_bytes() const override { return rank_.bytes() + second_.size() + found_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const std::uint64_t n = data.keys.count;
    if (n == 0) return data;
    const Arrays input{static_cast<Word*>(data.keys.data), data.values.data};
    const Buffers scratch = scratch_as_arrays(n, data);
    const Arrays output{static_cast<Word*>(scratch.keys.data), scratch.values.data};

    if (finds_range()) {
      const auto phase = phases.phase("range");
      find_range(input.keys, n);
    }
    if (settings_.presort == Presort::stored) {
      for (int pass = 0; pass < passes_; ++pass) stored_pass(pass, n, input, output, phases);
      return scratch;
    }
    for (int pass = 0; pass < passes_; ++pass) {
      const bool forth = pass % 2 == 0;
      recomputed_pass(pass, n, forth ? input : output, forth ? output : input, phases);
    }
    return passes_ % 2 == 0 ? data : scratch;
  }

 private:
  struct Arrays {
    Word* keys;
    void* values;
  };
  struct Found {
    KeyRange<Word> range;
    Plan<Word> plan;
  };
  static constexpr std::uint64_t kElementBytes = P::kHasValues ? sizeof(Pair<Word, V>) : sizeof(Word);
  static constexpr std::uint64_t kValuesAlignment = 256;

  static std::uint64_t tiles(std::uint64_t n) { return (n + P::kTile - 1) / P::kTile; }
  bool finds_range() const { return kLossy || settings_.limit_range; }

  /// The scratch memory as keys and values; a middle pass may see pairs in it instead.
  Buffers scratch_as_arrays(std::uint64_t n, const Buffers& like) const {
    Buffers arrays = like;
    arrays.keys.data = second_.data();
    const std::uint64_t keys = (n * sizeof(Word) + kValuesAlignment - 1) / kValuesAlignment * kValuesAlignment;
    arrays.values.data = P::kHasValues ? second_.data() + keys : nullptr;
    return arrays;
  }

  static Elements<Word, V> elements(const Arrays& arrays) {
    if constexpr (P::kHasValues) {
      return {.keys = arrays.keys, .values = static_cast<V*>(arrays.values)};
    } else {
      return {.keys = arrays.keys};
    }
  }
  Elements<Word, V> middle(const Arrays& scratch) const {
    if constexpr (P::kHasValues) {
      if (settings_.scatter == Scatter::aos) return {.pairs = second_.data<Pair<Word, V>>()};
    }
    return elements(scratch);
  }

  PassArguments<P> arguments(int pass, std::uint64_t n) const {
    return {.n = n,
            .pass = pass,
            .map = {order_, plan_},
            .plan = finds_range() ? &found_.template data<Found>()->plan : nullptr,
            .counts = rank_.counts(),
            .offsets = rank_.offsets()};
  }

  void find_range(const Word* keys, std::uint64_t n) {
    Found* const found = found_.template data<Found>();
    launch_find_range(keys, n, order_, &found->range, stream_);
    if constexpr (kLossy) {
      plan_lossy<<<1, 1, 0, stream_>>>(&found->range, order_, passes_, &found->plan);
    } else {
      // As printed, the first pass must run, since it brings the keys to where the result is expected.
      const bool stored = settings_.presort == Presort::stored;
      plan_integers<<<1, 1, 0, stream_>>>(&found->range, P::kDigitBits, stored ? 1 : 0, passes_, !stored, &found->plan);
    }
    check_launch();
  }

  /// Input or scratch to pre-sorted tiles in the input's arrays, and from there to the scratch.
  void stored_pass(int pass, std::uint64_t n, const Arrays& input, const Arrays& scratch, PhaseTimer& phases) {
    const auto blocks = static_cast<unsigned>(tiles(n));
    PassArguments<P> own = arguments(pass, n);
    own.from = pass == 0 ? elements(input) : middle(scratch);
    own.to = elements(input);
    {
      const auto phase = phases.phase("presort", pass);
      presort<P><<<blocks, P::kThreads, 0, stream_>>>(own);
      check_launch();
    }
    rank_pass(pass, n, phases);
    const auto phase = phases.phase("shuffle", pass);
    own.from = elements(input);
    own.to = middle(scratch);
    own.to_last = elements(scratch);
    shuffle<P><<<blocks, P::kThreads, 0, stream_>>>(own);
    check_launch();
  }

  void recomputed_pass(int pass, std::uint64_t n, const Arrays& from, const Arrays& to, PhaseTimer& phases) {
    const auto blocks = static_cast<unsigned>(tiles(n));
    PassArguments<P> own = arguments(pass, n);
    own.from = elements(from);
    own.to = own.to_last = elements(to);
    {
      const auto phase = phases.phase("count", pass);
      count<P><<<blocks, P::kThreads, 0, stream_>>>(own);
      check_launch();
    }
    rank_pass(pass, n, phases);
    const auto phase = phases.phase("shuffle", pass);
    sort_and_shuffle<P><<<blocks, P::kThreads, 0, stream_>>>(own);
    check_launch();
  }

  void rank_pass(int pass, std::uint64_t n, PhaseTimer& phases) {
    const auto phase = phases.phase("rank", pass);
    rank_.launch(tiles(n) * P::kDigits + 1);
  }

  Settings settings_;
  cudaStream_t stream_;
  KeyOrder<Word> order_;
  GlobalRank rank_;
  DeviceMemory second_;
  DeviceMemory found_;
  Plan<Word> plan_;
  int passes_ = 0;
};

}  // namespace sortlab::ha
