// Bench of the sort's probes: generates keys and launches each of the sort's kernels alone, configured as in the sort.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/device_probe.hpp"
#include "algorithms/msd_radix_gpu/sorter.cuh"

namespace sortlab::msd_gpu {

/// Synthetic keys with random bits below `bits`, each set with probability `ones`, or ascending keys over the whole
/// range. Higher bits are 0. `dense`: every second key is also shifted right by as many bits. `distinct`: number of
/// distinct keys, all equally frequent.
struct MadeKeys {
  int bits = 0;
  double ones = 0.5;
  bool in_order = false;
  int dense = 0;
  int distinct = 0;
};

template <class Word>
__global__ void make_keys(Word* keys, std::uint64_t n, MadeKeys made, std::uint32_t threshold) {
  constexpr bool kWide = sizeof(Word) > 4;
  const auto all = static_cast<Word>(static_cast<Word>(~Word{0}) >> (8 * sizeof(Word) - made.bits));
  const Word step = ~Word{0} / static_cast<Word>(n);
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    const std::uint32_t seed = calibration::hash(static_cast<std::uint32_t>(i));
    Word key = 0;
    if (made.in_order) {
      key = static_cast<Word>(i) * step;
    } else if (made.distinct > 0) {
      key = static_cast<Word>(seed % made.distinct) * (all / static_cast<Word>(made.distinct));
    } else if (made.ones == 0.5) {
      key = static_cast<Word>(seed);
      if constexpr (kWide) key |= static_cast<Word>(calibration::hash(seed + 0x9e3779b9U)) << 32;
    } else {
      for (int bit = 0; bit < made.bits; bit += 2) {
        const std::uint32_t random = calibration::hash(seed + static_cast<std::uint32_t>(bit + 1) * 0x9e3779b9U);
        if ((random & 0xFFFF) < threshold) key |= Word{1} << bit;
        if (random >> 16 < threshold) key |= Word{2} << bit;
      }
    }
    keys[i] = (key & all) >> (i % 2 == 0 ? 0 : made.dense);
  }
}

/// Probability of a set bit that makes the digit 0 (8 bits) have the share `hottest`.
inline double ones_for(double hottest) {
  return 1 - std::pow(hottest, 1.0 / kDigitBits);
}

/// A sorter of n elements whose input lies in the bench's memory, which all probes overwrite.
template <class Word, class V>
class SorterPieces {
 public:
  using Work = calibration::DeviceBench::Work;
  static constexpr std::uint32_t kBytes = sizeof(Word) + kValueBytes<V>;

  SorterPieces(calibration::DeviceBench& bench, std::uint64_t n, Regime regime)
      : bench_(bench),
        sorter_(make_problem(n), make_plan(n, sizeof(Word), kValueBytes<V>, regime), KeyOrder<Word>{},
                Resources{.stream = bench.stream()}) {
    std::byte* const keys = bench.out();
    std::byte* const values = keys + (n * sizeof(Word) + 15) / 16 * 16;
    arrays_ = {.keys = {reinterpret_cast<Word*>(keys), sorter_.keys_.template data<Word>()},
               .values = {reinterpret_cast<V*>(values), sorter_.values_.template data<V>()},
               .order = {}};
    if (!sorter_.is_one_block() && !sorter_.is_one_level()) sorter_.take_state();
  }

  std::uint64_t n() const { return sorter_.n_; }
  Regime regime() const { return sorter_.plan_.regime; }
  bool is_wide() const { return sorter_.lists_.top_levels.wide; }
  bool counts() const { return sorter_.lists_.counts_buckets; }
  /// Keys per thread of the one-level kernel.
  std::uint32_t one_level_items() const { return sorter_.one_level_capacity_ / kMaxThreads; }

  /// Judges skew as for large inputs.
  void spare_no_levels() { sorter_.lists_.spares_levels = false; }

  /// `array`: 0 for the input's buffer, 1 for the other.
  void make(const MadeKeys& made, int array = 0) const { make_in(arrays_.keys[array], made, n()); }
  void make_in(Word* keys, const MadeKeys& made, std::uint64_t n) const {
    make_keys<<<16 * bench_.multiprocessors, 256, 0, bench_.stream()>>>(
        keys, n, made, static_cast<std::uint32_t>(std::lround(65536 * made.ones)));
    check_launch();
  }

  // Steps that can be repeated.

  void count(cudaStream_t stream) const {
    check(cudaMemsetAsync(sorter_.states_[0].data(), 0, sorter_.states_[0].size(), stream));
    sorter_.count_top_bits(arrays_);
  }
  /// Sorts the listed buckets of a size class; sort_uneven sorts the skewed ones among them.
  void sort_buckets(int size_class, cudaStream_t stream) const {
    sorter_.local_[static_cast<std::size_t>(size_class)](stream, arrays_, sorter_.lists_);
  }
  void sort_uneven(cudaStream_t stream) const { sorter_.sort_uneven_(stream, arrays_, sorter_.lists_); }
  void sort_counted(cudaStream_t stream) const { sorter_.counted_(stream, arrays_, sorter_.lists_); }
  void count_buckets(cudaStream_t stream) const { sorter_.count_buckets_(stream, arrays_, sorter_.lists_); }
  void count_tables(cudaStream_t stream) const { sorter_.count_tables_.together(stream, arrays_, sorter_.lists_); }
  /// Launches all bucket kernels of the sort.
  void sort_all_buckets(cudaStream_t stream) const {
    if constexpr (MsdRadixSorter<Word, V>::kCountsBuckets) {
      if (counts()) {
        sort_counted(stream);
        count_buckets(stream);
        count_tables(stream);
      }
    }
    for (int c = kClasses; c-- > 0;) sort_buckets(c, stream);
    sorter_.sort_uneven_(stream, arrays_, sorter_.lists_);
  }

  // Steps that need their predecessor to run again first.

  void first(cudaStream_t stream) const { sorter_.first_(stream, arrays_, sorter_.lists_); }
  void second(cudaStream_t stream) const { sorter_.second_(stream, arrays_, sorter_.lists_); }
  void level_by_steps(cudaStream_t stream) const {
    sorter_.prepare_level_(stream, arrays_, sorter_.lists_, kTopLevels);
    sorter_.count_level_(stream, arrays_, sorter_.lists_, kTopLevels);
    sorter_.divide_level_(stream, sorter_.lists_, kTopLevels);
    sorter_.move_level_(stream, arrays_, sorter_.lists_, kTopLevels);
  }
  void levels_at_once(bool may_have_splitters, cudaStream_t stream) const {
    sorter_.levels_.together(stream, arrays_, sorter_.lists_, kTopLevels,
                             may_have_splitters ? kTopLevels + kSampledLevels : 0);
  }

  // The sorts of small inputs, which are one kernel.

  void one_kernel(cudaStream_t stream) const {
    if (sorter_.is_one_block()) {
      sorter_.one_block_[sorter_.one_block_class()].with(1, stream, arrays_, static_cast<std::uint32_t>(n()));
    } else {
      sorter_.one_level_.together(stream, arrays_, sorter_.one_);
    }
  }
  /// Space for a copy of the keys, filled by make_in(spare()).
  Word* spare() const { return reinterpret_cast<Word*>(bench_.out() + bench_.bytes() / 2); }
  /// Evicts the input from the L2 cache, as before each measured sort.
  void flush(cudaStream_t stream) const {
    int bytes = 0;
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
    const std::size_t most = bench_.bytes() / 4;
    check(cudaMemsetAsync(bench_.out() + 3 * most, 0, std::min(most, static_cast<std::size_t>(bytes)), stream));
  }
  void restore(cudaStream_t stream) const {
    check(cudaMemcpyAsync(arrays_.keys[0], spare(), n() * sizeof(Word), cudaMemcpyDeviceToDevice, stream));
  }

  // Lists

  void clear_lists(cudaStream_t stream) const {
    check(cudaMemsetAsync(sorter_.states_[0].data(), 0, sizeof(State), stream));
  }

  /// Lists `segments` segments of `each` elements in the input's buffer, at the level after the top levels.
  void lay_out_segments(std::uint64_t segments, std::uint64_t each) {
    std::vector<Segment> listed;
    std::vector<Tile> tiles;
    const std::uint64_t tile = sorter_.lists_.tile_elements;
    for (std::uint64_t s = 0; s < segments; ++s) {
      listed.push_back({.begin = s * each,
                        .count = each,
                        .row = sorter_.lists_.rows + s * kDigits,
                        .bits_left = 8 * sizeof(Word),
                        .bits = kDigitBits,
                        .buffer = 0,
                        .kind = Kind::divide,
                        .by_splitters = false});
      for (std::uint64_t begin = 0; begin < each; begin += tile) {
        tiles.push_back({s * each + begin, static_cast<std::uint32_t>(std::min(tile, each - begin)),
                         static_cast<std::uint32_t>(s)});
      }
    }
    State state{};
    state.segments[kTopLevels] = static_cast<std::uint32_t>(listed.size());
    state.tiles[kTopLevels] = static_cast<std::uint32_t>(tiles.size());
    state_ = DeviceMemory{sizeof(State)};
    segments_ = DeviceMemory{listed.size() * sizeof(Segment)};
    tiles_ = DeviceMemory{tiles.size() * sizeof(Tile)};
    copy_up(state_.data(), std::vector{state});
    copy_up(segments_.data(), listed);
    copy_up(tiles_.data(), tiles);
  }
  void restore_segments(cudaStream_t stream) const {
    const Lists& lists = sorter_.lists_;
    const auto copy = [&](void* to, const DeviceMemory& from) {
      check(cudaMemcpyAsync(to, from.data(), from.size(), cudaMemcpyDeviceToDevice, stream));
    };
    copy(lists.state, state_);
    copy(lists.level_segments(kTopLevels), segments_);
    copy(lists.level_tiles(kTopLevels), tiles_);
  }

  /// Lists `buckets` buckets of `each` elements in the other buffer, and nothing else.
  void lay_out_buckets(int list, std::uint32_t buckets, std::uint32_t each, int bits_left) const {
    std::vector<Bucket> listed;
    for (std::uint32_t b = 0; b < buckets; ++b) {
      listed.push_back({.begin = std::uint64_t{b} * each,
                        .count = each,
                        .bits_left = static_cast<std::uint8_t>(bits_left),
                        .buffer = 1,
                        .merged = 1});
    }
    clear_lists(bench_.stream());
    copy_up(sorter_.lists_.class_buckets(list), listed);
    copy_up(&sorter_.lists_.state->buckets[list], std::vector{buckets});
  }
  void lay_out_tables(std::uint32_t tables, std::uint64_t each) const {
    std::vector<Table> listed;
    std::uint32_t chunks = 0;
    for (std::uint32_t t = 0; t < tables; ++t) {
      listed.push_back({.begin = t * each,
                        .count = each,
                        .first_chunk = chunks,
                        .above = 0,
                        .bits_left = kCountedBits,
                        .buffer = 1});
      chunks += listed.back().chunks();
    }
    clear_lists(bench_.stream());
    copy_up(sorter_.lists_.tables, listed);
    copy_up(&sorter_.lists_.state->tables, std::vector{tables | static_cast<unsigned long long>(chunks) << 32});
  }
  /// Clears the list of buckets that a kernel leaves to the next one.
  void forget_left(cudaStream_t stream) const {
    check(cudaMemsetAsync(&sorter_.lists_.state->overflows, 0, 2 * sizeof(std::uint32_t), stream));
  }

  // Times

  double seconds_after(const Work& before, const Work& timed, int times) const {
    return bench_.seconds_after(before, timed, times);
  }
  /// Seconds per run of a repeatable step.
  double repeat_seconds(const Work& timed, int times) const {
    timed(bench_.stream());
    return bench_.time_launches([&](cudaStream_t stream) {
      for (int i = 0; i < times; ++i) timed(stream);
    }) / times;
  }

 private:
  static Problem make_problem(std::uint64_t n) {
    return {.key = sizeof(Word) == 4 ? KeyType::u32 : KeyType::u64,
            .value = !kHasValue<V>    ? ValueType::none
                     : sizeof(V) == 4 ? ValueType::u32
                                      : ValueType::u64,
            .residency = Residency::device,
            .n = n};
  }
  template <class T>
  void copy_up(void* to, const std::vector<T>& from) const {
    check(cudaMemcpyAsync(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice, bench_.stream()));
    check(cudaStreamSynchronize(bench_.stream()));
  }

  calibration::DeviceBench& bench_;
  MsdRadixSorter<Word, V> sorter_;
  Arrays<Word, V> arrays_{};
  DeviceMemory state_;
  DeviceMemory segments_;
  DeviceMemory tiles_;
};

}  // namespace sortlab::msd_gpu
