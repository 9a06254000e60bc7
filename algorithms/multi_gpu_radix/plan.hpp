// Sizes for which the kernels are compiled, and the search for the splitters: the keys at which the sorted sequence is
// cut into the shards of the result.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/choice.hpp"
#include "core/key_types.hpp"

namespace sortlab::multi_gpu {

inline constexpr int kMaxLanes = 16;
inline constexpr int kMaxCuts = kMaxLanes - 1;
inline constexpr int kDigitBits = 8;  ///< width of the digit that partitions the keys on their way
inline constexpr std::uint32_t kDigits = 1U << kDigitBits;
/// Buckets of the partition: one per digit, and two more at each cut, since its digit is divided into the keys below,
/// at and above the splitter.
inline constexpr std::uint32_t kMaxBuckets = kDigits + 2 * kMaxCuts;
/// Counters of a block in shared memory, which the ranges that are counted at once share.
inline constexpr int kCounterBits = 13;
inline constexpr std::uint32_t kCounters = 1U << kCounterBits;
/// Keys around a cut that one block divides, so that counting can end before the splitter is a single key.
inline constexpr std::uint64_t kMaxBorderKeys = std::uint64_t{1} << 18;
inline constexpr int kThreads = 512;        ///< threads of a block that partitions
inline constexpr int kCountThreads = 1024;  ///< threads of a block that counts, or divides the keys around a cut

/// Way of the elements to the device that holds them in the result.
enum class Transport : std::uint8_t {
  direct,  ///< the partition writes into its memory
  copy,    ///< the partition writes into the own device's memory, from where each piece is copied
  nccl,    ///< the same, by grouped sends and receives of NCCL
};
inline constexpr std::array kTransports{Choice<Transport>{"direct", Transport::direct},
                                        Choice<Transport>{"copy", Transport::copy},
                                        Choice<Transport>{"nccl", Transport::nccl}};

struct Settings {
  Transport transport = Transport::direct;
  bool stable = false;
};

/// Keys per thread of a partition: two tiles of at most 64 KiB, and the gaps between their runs, share a
/// multiprocessor.
constexpr int tile_items(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return static_cast<int>(128 / (key_bytes + value_bytes));
}
/// Elements at whose multiples a run's writes are aligned: 128 bytes of keys, fewer where elements have more than 8.
constexpr std::uint32_t run_alignment(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  std::uint32_t alignment = 32;
  while (alignment * (key_bytes + value_bytes) > 128) alignment /= 2;
  return alignment;
}
constexpr std::uint32_t tile_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return static_cast<std::uint32_t>(kThreads * tile_items(key_bytes, value_bytes));
}

/// Positions at which n sorted elements are cut into `lanes` shards, as evenly as n allows: `lanes` + 1, from 0 to n.
inline std::vector<std::uint64_t> even_cuts(std::uint64_t n, int lanes) {
  std::vector<std::uint64_t> cuts;
  const auto count = static_cast<std::uint64_t>(lanes);
  for (std::uint64_t l = 0; l <= count; ++l) cuts.push_back(n / count * l + std::min(l, n % count));
  return cuts;
}

using Counts = std::array<std::uint64_t, kMaxLanes>;  ///< a number for each lane

/// Keys that agree above their lowest `bits` bits, in sort order.
struct KeyRange {
  uint128 first = 0;
  int bits = 0;

  uint128 last() const { return bits >= 128 ? ~uint128{0} : first | ((uint128{1} << bits) - 1); }
  bool operator==(const KeyRange&) const = default;
};

/// One pass over all keys: counts, in each of `ranges`, the next `digit_bits` bits.
struct CountPass {
  std::vector<KeyRange> ranges;  ///< all as wide
  int digit_bits = 0;
};

/// The buckets of the partition, in the order of their keys.
struct Buckets {
  std::vector<KeyRange> splitters;  ///< keys around each cut, in order
  std::vector<int> digits;          ///< digit whose keys each bucket has, all of them; or -1
  std::vector<int> bits_left;       ///< low bits in which the keys of each bucket may differ
  /// Position, in the concatenation of all buckets, of each lane's first element in each bucket. A bucket
  /// holds the elements of lane 0 first, then those of lane 1 …
  std::vector<Counts> begins;
  /// Index of the bucket that each cut divides, if its keys differ, so that a block must divide it; or -1
  std::vector<int> border;

  std::uint32_t count() const { return static_cast<std::uint32_t>(bits_left.size()); }
};

/// Finds the splitters by counting, pass by pass, ever narrower ranges around the cuts.
class SplitterSearch {
 public:
  /// `cuts`: as from even_cuts(). `digits`: 2^kDigitBits to partition by digits too, 1 to partition at the cuts alone.
  /// `border_keys`: largest number of keys that may be left in the range around a cut.
  SplitterSearch(int key_bits, int lanes, std::vector<std::uint64_t> cuts, std::uint32_t digits,
                 std::uint64_t border_keys)
      : key_bits_(key_bits),
        lanes_(static_cast<std::size_t>(lanes)),
        cuts_(std::move(cuts)),
        border_keys_(border_keys),
        digit_begins_(digits) {
    const KeyRange every{0, key_bits};
    ranges_.assign(lanes_ - 1, {.range = every});
    pass_ = {{every}, kCounterBits};
  }

  bool is_done() const { return pass_.ranges.empty(); }
  const CountPass& next_pass() const { return pass_; }

  /// Takes in the counts of the pass: `counts(lane)[(range << digit_bits) + digit]`.
  template <class CountsOfLane>
  void take(const CountsOfLane& counts) {
    const bool is_first = pass_.ranges[0].bits == key_bits_;
    if (is_first) take_digits(counts);
    for (std::size_t j = 0; j < ranges_.size(); ++j) {
      Around& around = ranges_[j];
      const auto found = std::ranges::find(pass_.ranges, around.range);
      if (found == pass_.ranges.end() || (!is_first && is_narrow(j))) continue;
      narrow(around, cuts_[j + 1], counts, static_cast<std::size_t>(found - pass_.ranges.begin()));
    }
    plan_pass();
  }

  /// The partition, once the search is done.
  Buckets buckets() const {
    struct Bound {
      uint128 key;
      bool past_all;
      Counts below;
    };
    std::vector<Bound> bounds;
    const auto digits = static_cast<std::uint32_t>(digit_begins_.size());
    for (std::uint32_t d = 0; d < digits; ++d) {
      bounds.push_back({digits == 1 ? 0 : uint128{d} << (key_bits_ - kDigitBits), false, digit_begins_[d]});
    }
    Buckets made;
    for (const Around& around : ranges_) {
      const uint128 last = around.range.last();
      Counts end = around.below;
      for (std::size_t lane = 0; lane < lanes_; ++lane) end[lane] += around.inside[lane];
      bounds.push_back({around.range.first, false, around.below});
      bounds.push_back({last + 1, last == last_key(), end});
      made.splitters.push_back(around.range);
    }
    std::ranges::stable_sort(bounds, [](const Bound& a, const Bound& b) {
      return a.past_all != b.past_all ? b.past_all : !a.past_all && a.key < b.key;
    });
    std::uint64_t position = 0;
    for (std::size_t b = 0; b < bounds.size(); ++b) {
      const bool is_last = b + 1 == bounds.size();
      const bool to_the_end = is_last || bounds[b + 1].past_all;
      const bool has_keys = !bounds[b].past_all && (to_the_end || bounds[b].key < bounds[b + 1].key);
      const uint128 last = to_the_end ? last_key() : bounds[b + 1].key - 1;
      const int below_digit = key_bits_ - kDigitBits;
      const bool is_digit = has_keys && bounds[b].key >> below_digit == last >> below_digit &&
                            KeyRange{bounds[b].key, below_digit}.last() == last &&
                            bounds[b].key >> below_digit << below_digit == bounds[b].key;
      made.digits.push_back(is_digit ? static_cast<int>(bounds[b].key >> below_digit) : -1);
      made.bits_left.push_back(has_keys ? bit_length(bounds[b].key ^ last) : 0);
      Counts begins{};
      for (std::size_t lane = 0; lane < lanes_; ++lane) {
        begins[lane] = position;
        position += (is_last ? all_[lane] : bounds[b + 1].below[lane]) - bounds[b].below[lane];
      }
      made.begins.push_back(begins);
    }
    for (std::size_t j = 0; j + 1 < lanes_; ++j) made.border.push_back(border_bucket(made, j, position));
    return made;
  }

 private:
  struct Around {
    KeyRange range;
    Counts below{};   ///< keys of each lane below the range
    Counts inside{};  ///< keys of each lane in it
  };

  static std::uint64_t sum(const Counts& counts) {
    std::uint64_t all = 0;
    for (const std::uint64_t count : counts) all += count;
    return all;
  }
  static int bit_length(uint128 word) {
    const auto high = static_cast<std::uint64_t>(word >> 64);
    return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(word)));
  }
  uint128 last_key() const { return KeyRange{0, key_bits_}.last(); }

  /// True if no key lies on the other side of a cut than keys equal to it or a block can part them.
  bool is_narrow(std::size_t j) const {
    const Around& around = ranges_[j];
    const std::uint64_t begin = sum(around.below), end = begin + sum(around.inside), cut = cuts_[j + 1];
    if (around.range.bits == 0 || cut <= begin || cut >= end) return true;
    const auto divides = [&](std::uint64_t other) { return other > begin && other < end && other != cut; };
    return end - begin <= border_keys_ && std::ranges::none_of(cuts_, divides);
  }

  template <class CountsOfLane>
  void take_digits(const CountsOfLane& counts) {
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const auto* const of_lane = counts(lane);
      const std::size_t per_digit = kCounters / digit_begins_.size();
      std::uint64_t before = 0;
      for (std::size_t i = 0; i < kCounters; ++i) {
        if (i % per_digit == 0) digit_begins_[i / per_digit][lane] = before;
        before += of_lane[i];
      }
      all_[lane] = before;
    }
  }

  /// Narrows the range to the digit that holds the cut.
  template <class CountsOfLane>
  void narrow(Around& around, std::uint64_t cut, const CountsOfLane& counts, std::size_t range) const {
    const std::size_t digits = std::size_t{1} << pass_.digit_bits, first = range << pass_.digit_bits;
    std::uint64_t before = sum(around.below);
    std::size_t digit = 0;
    for (;; ++digit) {
      std::uint64_t here = 0;
      for (std::size_t lane = 0; lane < lanes_; ++lane) here += counts(lane)[first + digit];
      if (before + here > cut || digit + 1 == digits) break;
      before += here;
    }
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      for (std::size_t d = 0; d < digit; ++d) around.below[lane] += counts(lane)[first + d];
      around.inside[lane] = counts(lane)[first + digit];
    }
    around.range.bits -= pass_.digit_bits;
    around.range.first |= uint128{digit} << around.range.bits;
  }

  void plan_pass() {
    pass_ = {};
    for (std::size_t j = 0; j < ranges_.size(); ++j) {
      if (is_narrow(j) || std::ranges::count(pass_.ranges, ranges_[j].range) != 0) continue;
      pass_.ranges.push_back(ranges_[j].range);
    }
    if (pass_.ranges.empty()) return;
    const auto range_bits = static_cast<int>(std::bit_width(pass_.ranges.size() - 1));
    pass_.digit_bits = std::min(kCounterBits - range_bits, pass_.ranges[0].bits);
  }

  int border_bucket(const Buckets& made, std::size_t j, std::uint64_t n) const {
    const std::uint64_t cut = cuts_[j + 1];
    for (std::size_t b = 0; b < made.begins.size(); ++b) {
      const std::uint64_t end = b + 1 < made.begins.size() ? made.begins[b + 1][0] : n;
      if (made.begins[b][0] < cut && cut < end) return made.bits_left[b] > 0 ? static_cast<int>(b) : -1;
    }
    return -1;
  }

  int key_bits_;
  std::size_t lanes_;
  std::vector<std::uint64_t> cuts_;
  std::uint64_t border_keys_;
  std::vector<Counts> digit_begins_;  ///< keys below each digit
  Counts all_{};
  std::vector<Around> ranges_;  ///< around each cut
  CountPass pass_;
};

}  // namespace sortlab::multi_gpu
