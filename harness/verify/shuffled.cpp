#include "harness/verify/shuffled.hpp"

#include <algorithm>

#include "core/order.hpp"
#include "harness/verify/elements.hpp"

namespace sortlab {

bool is_shuffled(const Buffers& elements, const Problem& problem) {
  if (problem.n < 3) return false;
  constexpr std::uint64_t most = 1000;
  const std::uint64_t looks = std::min(most, problem.n - 1);
  std::uint64_t up = 0;
  std::uint64_t down = 0;
  with_elements(elements, problem, [&](const auto& element) {
    for (std::uint64_t look = 0; look < looks; ++look) {
      const std::uint64_t i = look * ((problem.n - 1) / looks);
      const auto first = to_ordered(element.key(i));
      const auto second = to_ordered(element.key(i + 1));
      up += first < second ? 1 : 0;
      down += second < first ? 1 : 0;
    }
  });
  constexpr std::uint64_t part = 8;
  return part * std::min(up, down) >= looks;
}

}  // namespace sortlab
