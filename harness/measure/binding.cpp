#include "harness/measure/binding.hpp"

#include <algorithm>
#include <iterator>

namespace sortlab {

Binding compare_bindings(const std::vector<int>& given, bool calls_bound, const Bindings& seen) {
  if (given.empty()) return {};
  std::vector<int> allowed;
  std::ranges::set_union(seen.before, seen.after, std::back_inserter(allowed));
  if (calls_bound) return {.held = seen.before == given && seen.after == given, .cpus = std::move(allowed)};
  std::vector<int> had;
  std::ranges::set_intersection(given, allowed, std::back_inserter(had));
  const bool held =
      !seen.refused && std::ranges::includes(seen.before, given) && std::ranges::includes(seen.after, given);
  return {.held = held, .cpus = seen.refused || had.empty() ? std::move(allowed) : std::move(had)};
}

}  // namespace sortlab
