// Findings from reading an output, and the verdict they give: the same for outputs on the host and on a device.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "algorithms/plugin.hpp"
#include "harness/verify/verification.hpp"

namespace sortlab {

inline constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

/// Findings in some or all of the elements.
struct Findings {
  std::uint64_t keys = 0;                ///< sum of the hashes of keys
  std::uint64_t pairs = 0;               ///< sum of the hashes of (key, value)
  std::uint64_t descends_at = kNowhere;  ///< first element smaller than the one before it
  std::uint64_t swapped_at = kNowhere;   ///< first element with the key, but not a greater id, of the one before it
  std::uint64_t strayed_at = kNowhere;   ///< first element that came from another tile
};

/// An element at the border of a shard: its key as to_ordered() maps it, and its value.
struct BorderElement {
  uint128 key = 0;
  std::uint64_t value = 0;
};

/// The border element of this key and value, which lie in host memory; `value` is null if there are none.
BorderElement border_element(const void* key, const void* value, const Problem& problem);

/// Joins the findings in the shards of an output, in their order.
class ShardFindings {
 public:
  explicit ShardFindings(bool stability) : stability_(stability) {}

  /// Adds a shard of `count` elements, which has a first and a last one unless it is empty.
  void add(const Findings& found, std::uint64_t count, const BorderElement& first, const BorderElement& last);
  const Findings& all() const { return all_; }
  std::uint64_t count() const { return count_; }

 private:
  bool stability_;
  Findings all_;
  std::uint64_t count_ = 0;  ///< elements in the shards so far
  BorderElement last_;
};

/// The verdict on shards whose number or sizes are wrong, or nullopt.
std::optional<Verification> wrong_shards(const InputDigest& input, const Buffers& output, const Problem& problem);

/// True if stability is required and visible from the ids.
bool checks_stability(const InputDigest& input, const Problem& problem, bool claims_stable);

/// The verdict on an output of another length than the input, or nullopt.
std::optional<Verification> wrong_length(const InputDigest& input, const Buffers& output, const Problem& problem);

/// The verdict that the findings in a whole output give.
Verification verdict_on(const Findings& found, const InputDigest& input, const Problem& problem, bool stability_checked,
                        const Order& order);

}  // namespace sortlab
