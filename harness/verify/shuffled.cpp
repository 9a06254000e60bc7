#include "harness/verify/shuffled.hpp"

#include <algorithm>

#include "core/order.hpp"
#include "harness/verify/elements.hpp"

namespace sortlab {

bool is_shuffled(const Buffers& elements, const Problem& problem) {
  if (problem.n < 3) return false;
  constexpr std::uint64_t most = 1000;
  const std::uint64_t looks = std::min(most, problem.n - 2);
  std::uint64_t turns = 0;
  with_elements(elements, problem, [&](const auto& element) {
    for (std::uint64_t look = 0; look < looks; ++look) {
      const std::uint64_t i = look * ((problem.n - 2) / looks);
      const auto first = to_ordered(element.key(i));
      const auto middle = to_ordered(element.key(i + 1));
      const auto last = to_ordered(element.key(i + 2));
      turns += (first < middle && last < middle) || (middle < first && middle < last) ? 1 : 0;
    }
  });
  constexpr std::uint64_t part = 8;  // independent keys that differ have two thirds, two values a quarter
  return part * turns >= looks;
}

}  // namespace sortlab
