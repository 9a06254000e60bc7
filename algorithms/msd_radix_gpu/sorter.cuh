// Host side of the sort: allocates its memory and launches its kernels.
#pragma once

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/msd_radix_gpu/counted.cuh"
#include "algorithms/msd_radix_gpu/counting.cuh"
#include "algorithms/msd_radix_gpu/given_buckets.cuh"
#include "algorithms/msd_radix_gpu/launch.cuh"
#include "algorithms/msd_radix_gpu/levels.cuh"
#include "algorithms/msd_radix_gpu/make_sorter.cuh"
#include "algorithms/msd_radix_gpu/move_wide.cuh"
#include "algorithms/msd_radix_gpu/one_level.cuh"

namespace sortlab::msd_gpu {

template <class Word, class V>
class SorterPieces;  ///< launches the kernels one by one, for the probes

template <class Word, class V>
class MsdRadixSorter final : public Sorter, public BucketSorter {
 public:
  /// Without arrays of its own, it sorts only buckets.
  MsdRadixSorter(const Problem& problem, const Plan& plan, KeyOrder<Word> order, const Resources& resources,
                 bool owns_arrays = true)
      : stream_(cuda_stream(resources)), order_(order), n_(problem.n), plan_(plan) {
    constexpr std::uint32_t value_bytes = kValueBytes<V>;
    one_block_[0] = {sort_few<Word, V, 0>, class_threads(0), class_bytes<0>()};
    one_block_[1] = {sort_few<Word, V, 1>, class_threads(1), class_bytes<1>()};
    one_block_[2] = {sort_few<Word, V, 2>, class_threads(2), class_bytes<2>()};
    if (is_one_block()) return;
    if (owns_arrays) {
      keys_ = DeviceMemory{n_ * sizeof(Word)};
      values_ = DeviceMemory{n_ * value_bytes};
    }
    if (is_one_level()) {
      plan_one_level();
      return;
    }
    const Top& top = plan_.top;
    const Bounds bounds = list_bounds(n_, sizeof(Word), value_bytes, top.first_bits);
    const auto trees = static_cast<std::uint32_t>(std::min<std::uint64_t>(bounds.segments, kMaxTrees));
    trees_ = DeviceMemory{std::uint64_t{trees} * kDigits * sizeof(Word)};
    bits_left_by_class_ = DeviceMemory{std::uint64_t{trees} * kDigits};
    levels_ = {sort_levels<Word, V>, kThreads, kLevelsBytes<Word, V>};
    list_given_ = {list_given_buckets, kThreads, 0};
    const std::uint64_t state_bytes = sizeof(State) + (std::uint64_t{1} << top.bits()) * sizeof(unsigned long long);
    for (auto& state : states_) {
      state = DeviceMemory{state_bytes};
      check(cudaMemsetAsync(state.data(), 0, state_bytes, stream_));
    }
    rows_ = DeviceMemory{bounds.segments * kDigits * sizeof(unsigned long long)};
    differ_ = DeviceMemory{bounds.segments * 2 * sizeof(unsigned long long)};
    lists_ = {.state = nullptr,
              .next_state = nullptr,
              .state_words = static_cast<std::uint32_t>(state_bytes / sizeof(uint4)),
              .segments = {},
              .tiles = {},
              .buckets = {},
              .uneven = nullptr,
              .overflows = nullptr,
              .tables = nullptr,
              .top = nullptr,
              .rows = rows_.data<unsigned long long>(),
              .differ = differ_.data<unsigned long long>(),
              .trees_begin = trees_.data(),
              .bits_left_by_class = bits_left_by_class_.data<std::uint8_t>(),
              .trees = trees,
              .n = n_,
              .tile_elements = 0,
              .spares_levels = n_ < kCheapLevelElements,
              .merged_elements = merged_elements(sizeof(Word), value_bytes),
              .top_levels = top,
              .samples_range = plan_.samples_range,
              .ends = {},
              .has_values = kHasValue<V>,
              .counts_buckets = plan_.counts_buckets};
    for (int parity = 0; parity < 2; ++parity) {
      segments_[parity] = DeviceMemory{bounds.segments * sizeof(Segment)};
      tiles_[parity] = DeviceMemory{bounds.tiles * sizeof(Tile)};
      lists_.segments[parity] = segments_[parity].template data<Segment>();
      lists_.tiles[parity] = tiles_[parity].template data<Tile>();
    }
    for (int c = 0; c < kLists; ++c) {
      if (c == kCounted && !lists_.counts_buckets) break;
      buckets_[c] = DeviceMemory{bounds.buckets * sizeof(Bucket)};
      lists_.buckets[c] = buckets_[c].template data<Bucket>();
      if (c < kClasses) lists_.ends[c] = class_shape(c, sizeof(Word), value_bytes).elements();
    }
    uneven_ = DeviceMemory{2 * bounds.buckets * sizeof(Bucket)};
    lists_.uneven = uneven_.data<Bucket>();
    sort_uneven_ = {sort_uneven_buckets<Word, V>, class_threads(1), class_bytes<1>()};
    local_[0] = {sort_buckets<Word, V, 0>, class_threads(0), class_bytes<0>()};
    local_[1] = {sort_buckets<Word, V, 1>, class_threads(1), class_bytes<1>()};
    local_[2] = {sort_buckets<Word, V, 2>, class_threads(2), class_bytes<2>()};
    prepare_level_ = {prepare_segments<Word, V>, kThreads, sizeof(SplitShared<Word>)};
    count_level_ = {count_tiles<Word, V>, kThreads, 0};
    divide_level_ = {divide_segments, kThreads, 0};
    move_level_ = {move_tiles<Word, V>, kThreads, Stage<Word, V>::kBytes};
    count_ = {packed_counters(top) == 2 ? count_top<Word, 2> : count_top<Word, 4>, kTopThreads, kTopBytes};
    sum_ = {sum_top, static_cast<int>(kDigits), 0};
    divide_ = {divide_top, kThreads, 0};
    if (lists_.top_levels.wide) {
      first_ = {move_wide<Word, V>, kThreads, WideStage<Word, V>::kBytes};
      lists_.tile_elements = tile_elements_for(first_.blocks - 1);  // one block lists the sub-buckets
    } else {
      constexpr std::uint32_t kMaxDigits = 1U << kMaxFirstBits;
      first_ = {move_first<Word, V, kDigits>, kThreads, Stage<Word, V>::kBytes};
      if (top.first_bits > kDigitBits)
        first_ = {move_first<Word, V, kMaxDigits>, kThreads, Stage<Word, V, kMaxDigits>::kBytes};
      lists_.tile_elements = tile_elements_for(first_.blocks);
      second_ = {move_second<Word, V>, kThreads, Stage<Word, V>::kBytes};
    }
    if constexpr (kCountsBuckets) {
      if (!lists_.counts_buckets) return;
      counted_ = {sort_counted, kThreads, CountedStage::kBytes};
      count_buckets_ = {count_buckets, kMaxThreads, CountingStage::kBytes};
      count_tables_ = {count_tables, kMaxThreads, CountingStage::kBytes};
      overflows_ = DeviceMemory{bounds.buckets * sizeof(std::uint32_t)};
      lists_.overflows = overflows_.data<std::uint32_t>();
      tables_ = DeviceMemory{bounds.tables * sizeof(Table)};
      lists_.tables = tables_.data<Table>();
    }
  }

  std::uint64_t scratch_bytes() const override {
    std::uint64_t bytes = keys_.size() + values_.size() + states_[0].size() + states_[1].size() + rows_.size() +
                          differ_.size() + trees_.size() + bits_left_by_class_.size() + lists_memory_.size() +
                          tables_.size() + overflows_.size() + uneven_.size();
    for (int parity = 0; parity < 2; ++parity) bytes += segments_[parity].size() + tiles_[parity].size();
    for (int c = 0; c < kLists; ++c) bytes += buckets_[c].size();
    return bytes;
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (n_ < 2) return data;
    sort_in({.keys = {static_cast<Word*>(data.keys.data), keys_.data<Word>()},
             .values = {static_cast<V*>(data.values.data), values_.data<V>()},
             .order = order_},
            phases);
    return data;
  }

  Buffers sort_given(const Buffers& data, const Buffers& spare, const KeyBucket* described, std::uint32_t buckets,
                     unsigned long long* rows) override {
    if (n_ < 2) return data;
    NoPhases none;
    PhaseTimer phases{1, &none};
    if (plan_.regime != Regime::partitions || described == nullptr) {
      sort_in({.keys = {static_cast<Word*>(data.keys.data), static_cast<Word*>(spare.keys.data)},
               .values = {static_cast<V*>(data.values.data), static_cast<V*>(spare.values.data)},
               .order = order_},
              phases);
      return data;
    }
    const Arrays<Word, V> arrays{.keys = {static_cast<Word*>(spare.keys.data), static_cast<Word*>(data.keys.data)},
                                 .values = {static_cast<V*>(spare.values.data), static_cast<V*>(data.values.data)},
                                 .order = order_};
    take_state();
    list_given_.with(buckets, stream_, lists_, described, rows);
    second_(stream_, arrays, lists_);
    finish(arrays, phases);
    return spare;
  }

 private:
  friend class SorterPieces<Word, V>;
  struct NoPhases final : PhaseClock {
    std::int64_t read(int /*lane*/) override { return 0; }
  };

  /// Sorts the first of two arrays.
  void sort_in(const Arrays<Word, V>& arrays, PhaseTimer& phases) {
    if (is_one_block()) {
      const auto phase = phases.phase("bucket sort");
      one_block_[one_block_class()].with(1, stream_, arrays, static_cast<std::uint32_t>(n_));
    } else if (is_one_level()) {
      const auto phase = phases.phase("one level");
      one_level_.together(stream_, arrays, one_);
    } else {
      take_state();
      make_top_levels(arrays, phases);
      finish(arrays, phases);
    }
  }

  /// Runs what follows the top levels.
  void finish(const Arrays<Word, V>& arrays, PhaseTimer& phases) {
    make_levels(arrays, phases);
    const auto phase = phases.phase("bucket sort");
    if constexpr (kCountsBuckets) {
      if (lists_.counts_buckets) {
        counted_(stream_, arrays, lists_);
        count_buckets_(stream_, arrays, lists_);
        count_tables_.together(stream_, arrays, lists_);
      }
    }
    for (std::size_t c = kClasses; c-- > 0;) local_[c](stream_, arrays, lists_);
    sort_uneven_(stream_, arrays, lists_);
  }

  /// Includes one more level if the second digit has few bits, and another for segments that have no bits left and are
  /// only copied.
  static constexpr int kLevels = kTopLevels + kSampledLevels + 8 * sizeof(Word) / kDigitBits + 2;
  static_assert(kLevels < kMaxLevels);
  static constexpr bool kCountsBuckets = kMayCount && sizeof(Word) == 4 && !kHasValue<V>;
  static int class_threads(int c) { return class_shape(c, sizeof(Word), kValueBytes<V>).threads; }
  template <int size_class>
  static constexpr std::uint32_t class_bytes() {
    return ClassOf<Word, V, size_class>::Stage::kBytes;
  }
  bool is_one_block() const { return plan_.regime == Regime::one_block; }
  bool is_one_level() const { return plan_.regime == Regime::one_level; }
  /// Selects the one-level kernel with at most kItems keys per thread; returns true if it is the right one for n.
  template <int kItems>
  bool choose_one_level() {
    constexpr std::uint32_t key_bytes = sizeof(Word), value_bytes = kValueBytes<V>;
    one_level_ = {sort_one_level<Word, V, kItems>, kMaxThreads, OneStage<Word, V, kItems>::kBytes};
    sample_ = kOneSample<Word, V, kItems>;
    one_level_capacity_ = kMaxThreads * kItems;
    return one_level_items_for(n_, one_level_.blocks, key_bytes, value_bytes) == kItems;
  }
  void plan_one_level() {
    constexpr auto kChoices = one_level_choices(sizeof(Word), kValueBytes<V>);
    choose_one_level<kChoices[0]>() || choose_one_level<kChoices[1]>() || choose_one_level<kChoices[2]>();
    one_level_.blocks =
        std::min(one_level_.blocks, static_cast<unsigned>((n_ + kOneLevelMinBlockKeys - 1) / kOneLevelMinBlockKeys));
    one_ = make_one_level_plan(n_, one_level_.blocks, one_level_capacity_, sample_);
    const std::uint32_t zeroed = sizeof(OneState) + 4 * one_.classes() * 4;
    states_[0] = DeviceMemory{zeroed};
    rows_ = DeviceMemory{std::uint64_t{one_.tiles} * one_.stride() * 2};
    lists_memory_ = DeviceMemory{one_.ring * sizeof(Round)};
    check(cudaMemsetAsync(states_[0].data(), 0, zeroed, stream_));
    one_.state = states_[0].template data<OneState>();
    one_.counts = reinterpret_cast<std::uint32_t*>(one_.state + 1);
    one_.runs = rows_.data<std::uint16_t>();
    one_.rounds = lists_memory_.data<Round>();
  }
  std::size_t one_block_class() const {
    return static_cast<std::size_t>(msd_gpu::one_block_class(n_, sizeof(Word), kValueBytes<V>));
  }
  std::uint32_t tile_elements_for(unsigned blocks) const { return tile_size(n_, blocks, sizeof(Word), kValueBytes<V>); }

  /// Makes the state that the last sort cleared the current one.
  void take_state() {
    std::swap(states_[0], states_[1]);
    lists_.state = states_[0].template data<State>();
    lists_.top = reinterpret_cast<unsigned long long*>(lists_.state + 1);
    lists_.next_state = states_[1].template data<uint4>();
  }

  void count_top_bits(const Arrays<Word, V>& arrays) const {
    count_(stream_, arrays.keys[0], n_, order_, lists_);
    if (lists_.top_levels.wide) return;
    const unsigned digits = 1U << lists_.top_levels.first_bits;
    sum_.with(digits, stream_, lists_);
    divide_.with(digits, stream_, lists_, static_cast<int>(8 * sizeof(Word)));
  }

  void make_top_levels(const Arrays<Word, V>& arrays, PhaseTimer& phases) const {
    {
      const auto phase = phases.phase("count");
      count_top_bits(arrays);
    }
    {
      const auto phase = phases.phase("partition", 0);
      first_(stream_, arrays, lists_);
    }
    if (!lists_.top_levels.wide) {
      const auto phase = phases.phase("partition", 1);
      second_(stream_, arrays, lists_);
    }
  }

  /// Runs the remaining levels: on large inputs, those that may have splitters in one kernel per step, and the others
  /// in one cooperative kernel.
  void make_levels(const Arrays<Word, V>& arrays, PhaseTimer& phases) const {
    int level = kTopLevels;
    const int sampled_before = lists_.counts_buckets ? 0 : level + kSampledLevels;
    const int stepped_before = level + plan_.stepped_levels;
    for (; level < stepped_before; ++level) {
      const auto phase = phases.phase("levels", level);
      prepare_level_(stream_, arrays, lists_, level);
      count_level_(stream_, arrays, lists_, level);
      divide_level_(stream_, lists_, level);
      move_level_(stream_, arrays, lists_, level);
    }
    const auto phase = phases.phase("levels", level);
    levels_.together(stream_, arrays, lists_, level, sampled_before);
  }

  using ArraysLaunch = Launch<Arrays<Word, V>, Lists>;
  using LevelLaunch = Launch<Arrays<Word, V>, Lists, int>;

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  std::uint64_t n_;
  Plan plan_;
  DeviceMemory keys_;
  DeviceMemory values_;
  DeviceMemory states_[2];  ///< used alternately; the one-level sort uses the first
  DeviceMemory rows_;
  DeviceMemory differ_;
  DeviceMemory tables_;
  DeviceMemory trees_;
  DeviceMemory bits_left_by_class_;
  DeviceMemory segments_[2];
  DeviceMemory tiles_[2];
  DeviceMemory buckets_[kLists];
  DeviceMemory overflows_;
  DeviceMemory uneven_;
  DeviceMemory lists_memory_;
  Lists lists_{};
  OneLevel one_{};
  std::uint32_t sample_ = 0;              ///< sample size of the one-level sort, in keys
  std::uint32_t one_level_capacity_ = 0;  ///< elements that one of its blocks holds
  Launch<Arrays<Word, V>, OneLevel> one_level_;
  std::array<Launch<Arrays<Word, V>, std::uint32_t>, kClasses> one_block_;
  Launch<const Word*, std::uint64_t, KeyOrder<Word>, Lists> count_;
  Launch<Lists> sum_;
  Launch<Lists, int> divide_;
  Launch<Lists, const KeyBucket*, unsigned long long*> list_given_;
  ArraysLaunch first_;
  ArraysLaunch second_;
  LevelLaunch count_level_;
  LevelLaunch move_level_;
  LevelLaunch prepare_level_;
  Launch<Lists, int> divide_level_;
  std::array<ArraysLaunch, kClasses> local_;
  ArraysLaunch sort_uneven_;
  ArraysLaunch counted_;
  ArraysLaunch count_buckets_;
  ArraysLaunch count_tables_;
  Launch<Arrays<Word, V>, Lists, int, int> levels_;
};

}  // namespace sortlab::msd_gpu
