#include "harness/cell/problem.hpp"

#include <fmt/format.h>

#include "harness/cell/input_size.hpp"

namespace sortlab {

Problem case_problem(const Case& c) {
  return {.key = c.key,
          .value = c.value,
          .layout = c.layout,
          .residency = c.residency,
          .n = c.n,
          .needs_total_order = c.distribution.distribution->needs_total_order(case_input(c)),
          .bytes = c.key == KeyType::string ? record_bytes(c.distribution, c.n, c.seed) : 0,
          .shards = c.residency == Residency::shards ? shard_sizes(c.n, c.devices.shards, c.shard_sizes)
                                                     : std::vector<std::uint64_t>{}};
}

Input case_input(const Case& c) {
  return {.key = c.key, .n = c.n, .seed = c.seed, .parameters = c.distribution.parameters};
}

std::optional<std::string> refusal_of_input(const Case& c) {
  if (c.former_input) return "an earlier version made it of other bytes";
  const Distribution& distribution = *c.distribution.distribution;
  const bool strings = distribution.makes_records();
  if (strings == (c.key == KeyType::string)) return distribution.declines(case_input(c));
  return fmt::format("{} makes {}", distribution.info().name,
                     strings ? "string keys only; add --key string" : "no strings");
}

std::optional<std::string> refusal(const Case& c) {
  if (auto reason = c.algorithm->unavailable()) return reason;
  return refusal_anywhere(c);
}

std::optional<std::string> refusal_anywhere(const Case& c) {
  if (auto reason = refusal_of_input(c)) return "the input cannot be made: " + *reason;
  if (c.component != nullptr && is_copied_around(c)) {
    return "a component is measured where its algorithm sorts";
  }
  const Problem problem = case_problem(c);
  const Resources resources{.threads = c.threads, .cpus = {}};
  if (auto reason = refusal_anywhere(*c.algorithm, problem, c.parameters, resources)) return reason;
  if (c.component == nullptr || c.component->declines == nullptr) return std::nullopt;
  return c.component->declines(problem, c.parameters);
}

}  // namespace sortlab
