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

/// True if stability is required and visible from the ids.
bool checks_stability(const InputDigest& input, const Problem& problem, bool claims_stable);

/// The verdict on an output of another length than the input, or nullopt.
std::optional<Verification> wrong_length(const InputDigest& input, const Buffers& output, const Problem& problem);

/// The verdict that the findings in a whole output give.
Verification verdict_on(const Findings& found, const InputDigest& input, const Problem& problem, bool stability_checked,
                        const Order& order);

}  // namespace sortlab
