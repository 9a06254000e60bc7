#include "harness/cell/candidates.hpp"

namespace sortlab {

std::vector<Value> list_candidates(const Algorithm& algorithm, const Parameter& parameter, const Problem& problem,
                                   const Parameters& given, const Resources& resources) {
  std::vector<Value> candidates;
  for (const std::int64_t number : parameter.automatic) {
    if (parameter.choices.empty()) {
      candidates.emplace_back(number);
    } else {
      candidates.emplace_back(parameter.choices.at(static_cast<std::size_t>(number)));
    }
  }
  auto own = algorithm.automatic(parameter.name, problem, resources);
  if (!own) return candidates;
  std::erase(candidates, *own);
  candidates.insert(candidates.begin(), *own);
  if (candidates.size() == 1) return candidates;
  std::erase_if(candidates, [&](const Value& candidate) {
    Parameters with = given;
    with.set(parameter.name, candidate);
    return algorithm.declines(problem, with, resources).has_value();
  });
  if (candidates.empty()) candidates.push_back(std::move(*own));
  return candidates;
}

}  // namespace sortlab
