#include "harness/predict/workload.hpp"

#include <fmt/format.h>

namespace sortlab {

Workload make_workload(const Case& c) {
  return {.algorithm = c.algorithm->info().name,
          .key = c.key,
          .value = c.value,
          .together = c.layout == Layout::together,
          .n = c.n,
          .threads = c.threads,
          .parameters = c.parameters};
}

const DistributionView& Views::of(const Case& c) {
  const std::string name = fmt::format("{} {} {} {}", c.distribution.text, to_name(c.key), c.n, c.seed);
  constexpr std::size_t most = 64;
  if (views_.size() >= most && !views_.contains(name)) views_.clear();
  auto& view = views_[name];
  if (!view) view = std::make_unique<DistributionView>(c.distribution, c.key, c.n, c.seed, limit_);
  return *view;
}

}  // namespace sortlab
