// Memory and kernels of a sort's passes: a sort launches the kernels in sequence, a component one of them.
#pragma once

#include <cstddef>

#include "algorithms/common/cuda/counting_pass/kernels.cuh"
#include "algorithms/common/cuda/counting_pass/range.cuh"
#include "algorithms/common/cuda/counting_pass/rank.cuh"
#include "algorithms/common/cuda/device_buffers.hpp"

namespace sortlab::ha {

struct Settings {
  Presort presort = Presort::recomputed;
  Scatter scatter = Scatter::soa;
  int range_bits = 64;       ///< bits of a key minus its bias; higher bits are ignored
  bool limit_range = false;  ///< finds bias and bits on the device
};

template <class P>
class PassLauncher {
  static constexpr bool kLossy = std::is_same_v<typename P::Map, LossyMap>;

 public:
  using Word = typename P::Word;
  using V = typename P::V;

  PassLauncher(const Problem& problem, const Settings& settings, KeyOrder<Word> order, const Resources& resources)
      : settings_(settings),
        stream_(cuda_stream(resources)),
        order_(order),
        rank_(tiles(problem.n), P::kDigits, stream_),
        second_(problem.n * kElementBytes + kValuesAlignment),
        found_(finds_range() ? sizeof(Found) : 0) {
    const int bits = kLossy ? UnitFloats::kBits : std::min<int>(settings.range_bits, 8 * sizeof(Word));
    plan_ = {.bias = settings.range_bits < static_cast<int>(8 * sizeof(Word)) ? order.ordered(0) : Word{0},
             .passes = lsd_digits(bits, P::kDigitBits).passes()};
  }

  const Settings& settings() const { return settings_; }
  int launched() const { return plan_.passes; }
  bool finds_range() const { return kLossy || settings_.limit_range; }
  std::uint64_t scratch_bytes() const { return rank_.bytes() + second_.size() + found_.size(); }

  /// The scratch memory as keys and values; a middle pass may see pairs in it instead.
  Buffers scratch_as_arrays(const Buffers& like) const {
    Buffers arrays = like;
    arrays.keys.data = second_.data();
    const std::uint64_t keys =
        (like.keys.count * sizeof(Word) + kValuesAlignment - 1) / kValuesAlignment * kValuesAlignment;
    arrays.values.data = P::kHasValues ? second_.data() + keys : nullptr;
    return arrays;
  }

  static Elements<Word, V> elements(const Buffers& arrays) {
    auto* const keys = static_cast<Word*>(arrays.keys.data);
    if constexpr (P::kHasValues) {
      return {.keys = keys, .values = static_cast<V*>(arrays.values.data)};
    } else {
      return {.keys = keys};
    }
  }
  Elements<Word, V> middle(const Buffers& scratch) const {
    if constexpr (P::kHasValues) {
      if (settings_.scatter == Scatter::aos) return {.pairs = second_.data<Pair<Word, V>>()};
    }
    return elements(scratch);
  }

  void find_range(const Buffers& data) {
    Found* const found = found_.template data<Found>();
    launch_find_range(elements(data).keys, data.keys.count, order_, &found->range, stream_);
    if constexpr (kLossy) {
      plan_lossy<<<1, 1, 0, stream_>>>(&found->range, order_, launched(), &found->plan);
    } else {
      // As printed, the first pass must run, since it moves the keys to where the result is expected.
      const bool stored = settings_.presort == Presort::stored;
      plan_integers<<<1, 1, 0, stream_>>>(&found->range, P::kDigitBits, stored ? 1 : 0, launched(), !stored,
                                          &found->plan);
    }
    check_launch();
  }

  /// Pre-sorts tiles and writes their counts.
  void launch_presort(int pass, std::uint64_t n, const Elements<Word, V>& from, const Elements<Word, V>& to) {
    PassArguments<P> own = arguments(pass, n);
    own.from = from;
    own.to = to;
    presort<P><<<blocks(n), P::kThreads, 0, stream_>>>(own);
    check_launch();
  }
  /// Counts digits only.
  void launch_count(int pass, std::uint64_t n, const Elements<Word, V>& from) {
    PassArguments<P> own = arguments(pass, n);
    own.from = from;
    count<P><<<blocks(n), P::kThreads, 0, stream_>>>(own);
    check_launch();
  }
  /// Computes global ranks from counts.
  void launch_rank(std::uint64_t n) { rank_.launch(tiles(n) * P::kDigits + 1); }
  // Clears the output that an earlier run may have left.
  void clear_ranks() { rank_.clear(); }
  void clear_scratch() { check(cudaMemsetAsync(second_.data(), 0, second_.size(), stream_)); }
  /// Scatters pre-sorted tiles by ranks: to `to_last` if this is the last pass, else to `to`.
  void launch_shuffle(int pass, std::uint64_t n, const Elements<Word, V>& from, const Elements<Word, V>& to,
                      const Elements<Word, V>& to_last) {
    PassArguments<P> own = arguments(pass, n);
    own.from = from;
    own.to = to;
    own.to_last = to_last;
    shuffle<P><<<blocks(n), P::kThreads, 0, stream_>>>(own);
    check_launch();
  }
  /// Sorts and scatters unsorted tiles by ranks.
  void launch_sort_and_shuffle(int pass, std::uint64_t n, const Elements<Word, V>& from, const Elements<Word, V>& to) {
    PassArguments<P> own = arguments(pass, n);
    own.from = from;
    own.to = own.to_last = to;
    sort_and_shuffle<P><<<blocks(n), P::kThreads, 0, stream_>>>(own);
    check_launch();
  }

 private:
  struct Found {
    KeyRange<Word> range;
    Plan<Word> plan;
  };
  static constexpr std::uint64_t kElementBytes = P::kHasValues ? sizeof(Pair<Word, V>) : sizeof(Word);
  static constexpr std::uint64_t kValuesAlignment = 256;

  static std::uint64_t tiles(std::uint64_t n) { return (n + P::kTile - 1) / P::kTile; }
  static unsigned blocks(std::uint64_t n) { return static_cast<unsigned>(tiles(n)); }

  PassArguments<P> arguments(int pass, std::uint64_t n) const {
    return {.n = n,
            .pass = pass,
            .map = {order_, plan_},
            .plan = finds_range() ? &found_.template data<Found>()->plan : nullptr,
            .counts = rank_.counts(),
            .offsets = rank_.offsets()};
  }

  Settings settings_;
  cudaStream_t stream_;
  KeyOrder<Word> order_;
  GlobalRank rank_;
  DeviceMemory second_;
  DeviceMemory found_;
  Plan<Word> plan_;
};

}  // namespace sortlab::ha
