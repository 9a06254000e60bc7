#include "harness/predict/workload.hpp"

#include <fmt/format.h>

namespace sortlab {

namespace {

/// Devices that hold a shard each; 1 without shards, and 0 for shards that lie on one device, whose time nobody
/// predicts.
int count_devices(const Case& c) {
  if (c.residency != Residency::shards) return 1;
  return c.devices.on_one && c.devices.shards > 1 ? 0 : c.devices.shards;
}

}  // namespace

Workload make_workload(const Case& c) {
  return {.algorithm = c.algorithm->info().name,
          .key = c.key,
          .value = c.value,
          .together = c.layout == Layout::together,
          .n = c.n,
          .threads = c.threads,
          .devices = count_devices(c),
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
