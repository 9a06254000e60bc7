#include "models/device/operation_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sortlab {
namespace {

constexpr std::array kCounts = {
#include "models/device/operation_counts.inc"
};

}  // namespace

const OperationCounts* operation_counts(std::string_view algorithm, std::string_view variant, std::string_view phase,
                                        double key_bytes, double value_bytes) {
  const auto found = std::ranges::find_if(kCounts, [&](const OperationCounts& counts) {
    return counts.algorithm == algorithm && counts.variant == variant && counts.phase == phase &&
           counts.key_bytes == key_bytes && counts.value_bytes == value_bytes;
  });
  return found == kCounts.end() ? nullptr : &*found;
}

int resident_blocks(std::string_view algorithm, std::string_view variant, std::string_view phase, double key_bytes,
                    double value_bytes) {
  const OperationCounts* nearest = nullptr;
  const auto distance = [&](const OperationCounts& counts) {
    return std::abs(counts.key_bytes - key_bytes) + std::abs(counts.value_bytes - value_bytes);
  };
  for (const OperationCounts& counts : kCounts) {
    if (counts.algorithm != algorithm || counts.variant != variant || counts.phase != phase) continue;
    if (nearest == nullptr || distance(counts) < distance(*nearest)) nearest = &counts;
  }
  return nearest == nullptr ? 1 : nearest->resident;
}

}  // namespace sortlab
