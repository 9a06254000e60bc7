#include "models/kernels/operation_counts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "models/element_widths.hpp"

namespace sortlab {
namespace {

constexpr std::array kCounts = {
#include "models/kernels/operation_counts.inc"
};

/// True if `parameters` contain each parameter of `variant`.
bool holds(std::string_view parameters, std::string_view variant) {
  while (!variant.empty()) {
    const std::string_view wanted = variant.substr(0, variant.find(' '));
    variant.remove_prefix(std::min(variant.size(), wanted.size() + 1));
    bool found = false;
    for (std::string_view rest = parameters; !rest.empty() && !found;) {
      const std::string_view one = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      found = one == wanted;
    }
    if (!found) return false;
  }
  return true;
}

}  // namespace

std::optional<OperationCounts> operation_counts(std::string_view algorithm, std::string_view variant,
                                                std::string_view phase, double key_bytes, double value_bytes) {
  const auto counted = [&](double key, double value) {
    const auto found = std::ranges::find_if(kCounts, [&](const OperationCounts& counts) {
      return counts.algorithm == algorithm && counts.phase == phase && holds(counts.parameters, variant) &&
             counts.key_bytes == key && counts.value_bytes == value;
    });
    return found == kCounts.end() ? nullptr : &*found;
  };
  if (const OperationCounts* const exact = counted(key_bytes, value_bytes)) return *exact;
  const std::vector<WidthTerm> terms = width_terms(key_bytes, value_bytes);
  std::vector<const OperationCounts*> rows;
  for (const WidthTerm& term : terms) rows.push_back(counted(term.key, term.value));
  if (std::ranges::count(rows, nullptr) > 0) return std::nullopt;
  const auto mixed = [&](double OperationCounts::*member) {
    return estimate(terms, [&, i = std::size_t{0}](double, double) mutable { return rows[i++]->*member; });
  };
  OperationCounts made = *rows.front();
  made.key_bytes = key_bytes;
  made.value_bytes = value_bytes;
  made.instructions = mixed(&OperationCounts::instructions);
  made.alu = mixed(&OperationCounts::alu);
  made.wavefronts = mixed(&OperationCounts::wavefronts);
  return made;
}

int resident_blocks(std::string_view algorithm, std::string_view variant, std::string_view phase, double key_bytes,
                    double value_bytes) {
  const OperationCounts* nearest = nullptr;
  const auto distance = [&](const OperationCounts& counts) {
    return std::abs(counts.key_bytes - key_bytes) + std::abs(counts.value_bytes - value_bytes);
  };
  for (const OperationCounts& counts : kCounts) {
    if (counts.algorithm != algorithm || counts.phase != phase || !holds(counts.parameters, variant)) continue;
    if (nearest == nullptr || distance(counts) < distance(*nearest)) nearest = &counts;
  }
  return nearest == nullptr ? 1 : nearest->resident;
}

}  // namespace sortlab
