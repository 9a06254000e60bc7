// Host side of the stable sort of pairs: allocates its memory and launches its kernels.
#pragma once

#include <array>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/msd_radix_gpu/launch.cuh"
#include "algorithms/msd_radix_gpu/make_stable_sorter.cuh"
#include "algorithms/msd_radix_gpu/stable_bucket.cuh"
#include "algorithms/msd_radix_gpu/stable_levels.cuh"

namespace sortlab::msd_gpu::stable {

template <class Word, class V>
class StableSorter final : public Sorter, public BucketSorter {
 public:
  /// Without arrays of its own, it sorts only as a BucketSorter.
  StableSorter(const Problem& problem, KeyOrder<Word> order, const Resources& resources, bool owns_arrays = true)
      : stream_(cuda_stream(resources)), order_(order), n_(problem.n) {
    one_block_[0] = {sort_few<Word, V, 0>, class_threads(0), class_bytes<0>()};
    one_block_[1] = {sort_few<Word, V, 1>, class_threads(1), class_bytes<1>()};
    one_block_[2] = {sort_few<Word, V, 2>, class_threads(2), class_bytes<2>()};
    if (is_one_block()) return;
    const Bounds bounds = list_bounds(n_, sizeof(Word), sizeof(V));
    if (owns_arrays) {
      keys_ = DeviceMemory{n_ * sizeof(Word)};
      values_ = DeviceMemory{n_ * sizeof(V)};
    }
    state_ = DeviceMemory{sizeof(State)};
    tile_counts_ = DeviceMemory{bounds.tiles * kDigits * sizeof(std::uint32_t)};
    chunk_row_ = DeviceMemory{bounds.chunks * kDigits * sizeof(unsigned long long)};
    lists_ = {.state = state_.data<State>(),
              .segments = {},
              .tiles = {},
              .chunks = {},
              .tile_counts = tile_counts_.data<std::uint32_t>(),
              .chunk_row = chunk_row_.data<unsigned long long>(),
              .buckets = {},
              .n = n_,
              .tile_elements = tile_size(n_, sizeof(Word), sizeof(V)),
              .chunk_tiles = chunk_tiles(n_ / tile_size(n_, sizeof(Word), sizeof(V))),
              .merged_elements = merged_elements(n_, sizeof(Word), sizeof(V)),
              .meant_elements = meant_elements(sizeof(Word), sizeof(V)),
              .one_level = stepped_levels() == 1,
              .ends = {}};
    for (int parity = 0; parity < 2; ++parity) {
      segments_[parity] = DeviceMemory{bounds.segments * sizeof(Segment)};
      tiles_[parity] = DeviceMemory{bounds.tiles * sizeof(std::uint32_t)};
      chunks_[parity] = DeviceMemory{bounds.chunks * sizeof(std::uint32_t)};
      lists_.segments[parity] = segments_[parity].template data<Segment>();
      lists_.tiles[parity] = tiles_[parity].template data<std::uint32_t>();
      lists_.chunks[parity] = chunks_[parity].template data<std::uint32_t>();
    }
    for (int c = 0; c < kClasses; ++c) {
      buckets_[c] = DeviceMemory{bounds.buckets[c] * sizeof(Bucket)};
      lists_.buckets[c] = buckets_[c].template data<Bucket>();
      lists_.ends[c] = class_shape(c, sizeof(Word), sizeof(V)).elements();
    }
    start_ = {start_levels, kThreads, 0};
    count_ = {count_tiles<Word, V>, kThreads, sizeof(CountShared)};
    divide_ = {divide_segments, kThreads, sizeof(DivideShared)};
    move_ = {move_tiles<Word, V>, kThreads, Stage<Word, V>::kBytes};
    levels_ = {sort_levels<Word, V>, kThreads, kLevelsBytes<Word, V>};
    local_[0] = {sort_buckets<Word, V, 0>, class_threads(0), class_bytes<0>()};
    local_[1] = {sort_buckets<Word, V, 1>, class_threads(1), class_bytes<1>()};
    local_[2] = {sort_buckets<Word, V, 2>, class_threads(2), class_bytes<2>()};
  }

  std::uint64_t scratch_bytes() const override {
    std::uint64_t bytes = keys_.size() + values_.size() + state_.size() + tile_counts_.size() + chunk_row_.size();
    for (int parity = 0; parity < 2; ++parity) {
      bytes += segments_[parity].size() + tiles_[parity].size() + chunks_[parity].size();
    }
    for (int c = 0; c < kClasses; ++c) bytes += buckets_[c].size();
    return bytes;
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    sort_in({.keys = {static_cast<Word*>(data.keys.data), keys_.data<Word>()},
             .values = {static_cast<V*>(data.values.data), values_.data<V>()},
             .order = order_},
            phases);
    return data;
  }

  Buffers sort_given(const Buffers& data, const Buffers& spare, const KeyBucket* /*described*/,
                     std::uint32_t /*buckets*/, unsigned long long* /*rows*/) override {
    struct NoPhases final : PhaseClock {
      std::int64_t read(int /*lane*/) override { return 0; }
    } none;
    PhaseTimer phases{1, &none};
    sort_in({.keys = {static_cast<Word*>(data.keys.data), static_cast<Word*>(spare.keys.data)},
             .values = {static_cast<V*>(data.values.data), static_cast<V*>(spare.values.data)},
             .order = order_},
            phases);
    return data;
  }

 private:
  /// Sorts the first of two arrays.
  void sort_in(const Arrays<Word, V>& arrays, PhaseTimer& phases) {
    if (n_ < 2) return;
    if (is_one_block()) {
      const auto phase = phases.phase("bucket sort");
      one_block_[one_block_class()].with(1, stream_, arrays, static_cast<std::uint32_t>(n_));
      return;
    }
    start_(stream_, lists_, static_cast<int>(8 * sizeof(Word)));
    int level = 0;
    for (; level < stepped_levels(); ++level) {
      {
        const auto phase = phases.phase("count", level);
        count_(stream_, arrays, lists_, level);
        divide_(stream_, lists_, level);
      }
      const auto phase = phases.phase("partition", level);
      move_(stream_, arrays, lists_, level);
    }
    {
      const auto phase = phases.phase("levels", level);
      levels_.together(stream_, arrays, lists_, level);
    }
    const auto phase = phases.phase("bucket sort");
    for (std::size_t c = kClasses; c-- > 0;) local_[c](stream_, arrays, lists_);
  }

  /// Every level but the last consumes at least kMinDigitBits bits, and the last may only copy.
  static_assert(8 * sizeof(Word) / kMinDigitBits + 3 < kMaxLevels);
  static int class_threads(int c) { return class_shape(c, sizeof(Word), sizeof(V)).threads; }
  template <int size_class>
  static constexpr std::uint32_t class_bytes() {
    return ClassOf<Word, V, size_class>::Stage::kBytes;
  }
  bool is_one_block() const { return n_ <= one_block_elements(sizeof(Word), sizeof(V)); }
  /// Size class of the block: the fewest threads that have at most 8 keys each, or else the largest class.
  std::size_t one_block_class() const {
    std::size_t c = 0;
    while (c + 1 < kClasses && (n_ > 8 * static_cast<std::uint64_t>(class_threads(static_cast<int>(c))) ||
                                n_ > class_shape(static_cast<int>(c), sizeof(Word), sizeof(V)).elements())) {
      ++c;
    }
    return c;
  }
  /// Number of levels that uniform keys need.
  int stepped_levels() const {
    int levels = 1;
    for (std::uint64_t bits_left = n_ >> kDigitBits; bits_left > meant_elements(sizeof(Word), sizeof(V));
         bits_left >>= kDigitBits)
      ++levels;
    return levels;
  }

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  std::uint64_t n_;
  DeviceMemory keys_;
  DeviceMemory values_;
  DeviceMemory state_;
  DeviceMemory tile_counts_;
  DeviceMemory chunk_row_;
  DeviceMemory segments_[2];
  DeviceMemory tiles_[2];
  DeviceMemory chunks_[2];
  DeviceMemory buckets_[kClasses];
  Lists lists_{};
  std::array<Launch<Arrays<Word, V>, std::uint32_t>, kClasses> one_block_;
  Launch<Lists, int> start_;
  Launch<Arrays<Word, V>, Lists, int> count_;
  Launch<Lists, int> divide_;
  Launch<Arrays<Word, V>, Lists, int> move_;
  Launch<Arrays<Word, V>, Lists, int> levels_;
  std::array<Launch<Arrays<Word, V>, Lists>, kClasses> local_;
};

}  // namespace sortlab::msd_gpu::stable
