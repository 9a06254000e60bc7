// Keys by rank, to follow a comparison sort's pivots. A sample stands for all n keys: each sampled key for an equal
// number, spread evenly up to the next one; equal sampled keys stand for equal keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/key_types.hpp"
#include "models/distribution_view.hpp"

namespace sortlab {

class KeysByRank {
 public:
  /// Ranks among `n` keys of at most 8 bytes, in the order of to_ordered.
  KeysByRank(const DistributionView& view, std::uint64_t n) {
    for (const uint128 key : view.spread()) keys_.push_back(static_cast<std::uint64_t>(key));
    each_ = keys_.empty() ? 1 : static_cast<double>(n) / static_cast<double>(keys_.size());
  }

  bool empty() const { return keys_.empty(); }

  /// The key at a rank.
  std::uint64_t at(double rank) const {
    const double place = std::clamp(rank / each_, 0.0, static_cast<double>(keys_.size()) - 1e-9);
    const auto i = static_cast<std::size_t>(place);
    if (is_whole() || i + 1 == keys_.size()) return keys_[i];
    const double part = place - static_cast<double>(i);
    return keys_[i] + static_cast<std::uint64_t>(part * static_cast<double>(keys_[i + 1] - keys_[i]));
  }

  /// Number of keys less than `key`.
  double less(std::uint64_t key) const {
    const auto i = static_cast<std::size_t>(std::ranges::lower_bound(keys_, key) - keys_.begin());
    return each_ * place_before(i, key);
  }

  /// Number of keys equal to `key` or less.
  double not_greater(std::uint64_t key) const {
    const auto i = static_cast<std::size_t>(std::ranges::upper_bound(keys_, key) - keys_.begin());
    if (i >= 2 && keys_[i - 2] == key) return each_ * static_cast<double>(i);  // equal keys
    return std::max(less(key), is_whole() ? each_ * static_cast<double>(i) : 0);
  }

 private:
  bool is_whole() const { return each_ <= 1; }

  /// Place of a key above keys_[i - 1] and not above keys_[i].
  double place_before(std::size_t i, std::uint64_t key) const {
    if (i == 0 || i == keys_.size() || is_whole()) return static_cast<double>(i);
    const auto width = static_cast<double>(keys_[i] - keys_[i - 1]);
    return static_cast<double>(i - 1) + static_cast<double>(key - keys_[i - 1]) / width;
  }

  std::vector<std::uint64_t> keys_;  ///< ascending
  double each_;                      ///< keys that each represents
};

}  // namespace sortlab
