#include "models/operation_counts.hpp"

#include <algorithm>
#include <array>

namespace sortlab {
namespace {

constexpr std::array kCounts = {
#include "models/operation_counts.inc"
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

}  // namespace sortlab
