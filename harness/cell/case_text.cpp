#include "harness/cell/case_text.hpp"

#include <fmt/format.h>

namespace sortlab {

std::string text_of(const Case& c) {
  const Info& info = c.algorithm->info();
  const std::string name = c.component == nullptr ? info.name : fmt::format("{}/{}", info.name, c.component->name);
  std::string text = short_text(name, info.parameters, c.parameters);
  text += fmt::format(" {}", name_of(c.key));
  if (c.value != ValueType::none) text += fmt::format("/{} {}", name_of(c.value), name_of(c.layout));
  const bool own = c.residency == own_residency(info.runs_on);
  if (!own || c.residency == Residency::end_to_end) text += fmt::format(" {}", name_of(c.residency));
  if (c.residency == Residency::end_to_end) text += fmt::format("/{}", name_of(c.host_memory));
  text += fmt::format(" n={} {} threads={} seed={}", c.n, c.distribution.text, c.threads, c.seed);
  return text;
}

}  // namespace sortlab
