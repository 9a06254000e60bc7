// Counting ahead: while a team scatters by one digit, it counts the next. A key's destination determines its next
// thread, since shares are contiguous ranges of the output.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/common/host/buffer_radix/histogram.hpp"
#include "algorithms/common/host/buffer_radix/keys.hpp"

namespace sortlab::satish {

/// One thread's counts for the next pass, in one table for each share of that pass's input.
class AheadCounters {
 public:
  AheadCounters(int shares, int digit_bits)
      : stride_(table_stride(digit_bits)),
        counts_(static_cast<std::size_t>(shares) * stride_),
        cuts_(static_cast<std::size_t>(std::max(1, shares)) - 1) {}

  std::uint64_t bytes() const { return counts_.size() * sizeof counts_[0] + cuts_.size() * sizeof cuts_[0]; }
  void clear() { std::ranges::fill(counts_, 0); }
  std::uint32_t* data() { return counts_.data(); }
  std::size_t stride() const { return stride_; }
  std::span<const std::uint32_t> table(int share) const {
    return std::span{counts_}.subspan(static_cast<std::size_t>(share) * stride_, stride_);
  }
  /// Boundaries between shares, in elements of the output. They are buffer boundaries.
  std::span<std::uint64_t> cuts() { return cuts_; }

 private:
  std::size_t stride_;  ///< distance between tables
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint64_t> cuts_;
};

/// Facts about the next pass that a pass needs to count for it.
template <class Word>
struct NextPass {
  Digit<Word> digit;
  AheadCounters& counters;
};

}  // namespace sortlab::satish
