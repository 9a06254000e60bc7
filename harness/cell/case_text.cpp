#include "harness/cell/case_text.hpp"

#include <fmt/format.h>

namespace sortlab {

std::string case_text(const Case& c) {
  const Info& info = c.algorithm->info();
  const std::string name = c.component == nullptr ? info.name : fmt::format("{}/{}", info.name, c.component->name);
  std::string text = short_text(name, info.parameters, c.parameters);
  text += fmt::format(" {}", to_name(c.key));
  if (c.value != ValueType::none) text += fmt::format("/{} {}", to_name(c.value), to_name(c.layout));
  const bool own = c.residency == own_residency(info.runs_on);
  if (!own || c.residency == Residency::end_to_end) text += fmt::format(" {}", to_name(c.residency));
  if (c.residency == Residency::end_to_end) text += fmt::format("/{}", to_name(c.host_memory));
  if (c.residency == Residency::shards) {
    text += fmt::format(" devices={} {}", to_text(c.devices), to_name(c.shard_sizes));
  }
  text += fmt::format(" n={} {} threads={} seed={}", c.n, c.distribution.text, c.threads, c.seed);
  return text;
}

}  // namespace sortlab
