// Counts the digits of one tile.
#pragma once

#include <span>

#include "algorithms/common/host/fetch_ahead.hpp"
#include "algorithms/common/host/float_bits.hpp"
#include "algorithms/knf_split_radix/plan.hpp"
#include "core/loop_mark.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::knf {

class TileHistogram {
 public:
  explicit TileHistogram(std::size_t radix) : counts_(kCopies * (radix + kSkew)) {}

  /// Writes to counts[d], and adds to totals[d], the number of keys with digit d. enters: the keys are still floats.
  template <bool enters, class Word>
  [[gnu::noinline]] void count(std::span<const Word> keys, Digit digit, std::uint32_t* counts, std::uint64_t* totals) {
    const std::size_t radix = digit.radix();
    const std::size_t stride = radix + kSkew;
    std::fill_n(counts_.begin(), kCopies * stride, 0);
    std::uint32_t* const first = counts_.data();
    std::size_t i = 0;
    constexpr std::size_t line = kLineBytes / sizeof(Word);
    for (; i + line <= keys.size(); i += line) {
      fetch_ahead(keys.data() + i);
      for (std::size_t k = 0; k < line; ++k) {
        SORTLAB_LOOP("knf.count", 1, sizeof(Word), enters);
        ++first[k % kCopies * stride + digit_value<enters>(keys[i + k], digit)];
      }
    }
    for (; i < keys.size(); ++i) ++first[digit_value<enters>(keys[i], digit)];
    for (std::size_t d = 0; d < radix; ++d) {
      std::uint32_t sum = 0;
      for (std::size_t c = 0; c < kCopies; ++c) sum += first[c * stride + d];
      counts[d] = sum;
      totals[d] += sum;
    }
  }

 private:
  template <bool enters, class Word>
  static std::uint32_t digit_value(Word key, Digit digit) {
    return digit.of(enters ? ordered_from_float(key) : key);
  }

  /// Copies of a digit's counter, used in turn, since consecutive equal digits would wait for each other's store.
  static constexpr std::size_t kCopies = 4;
  /// Padding between copies. Without it, equal digits of two copies could be a multiple of 4 KiB apart, and a load
  /// would falsely depend on the last store (4 KiB aliasing).
  static constexpr std::size_t kSkew = 16;

  std::vector<std::uint32_t> counts_;
};

}  // namespace sortlab::knf
