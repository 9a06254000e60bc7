// The parameters of the sort, and the setting that they make.
#pragma once

#include "algorithms/leischner_sample_sort/plan.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::sample_sort {

/// `parameters` are resolved.
inline Settings settings_of(const Parameters& parameters, const Problem& problem) {
  const auto number = [&](std::string_view name) { return static_cast<std::uint32_t>(parameters.integer(name)); };
  Settings settings{.ways = number("ways"),
                    .bucket = number("bucket"),
                    .oversampling = number("oversampling"),
                    .counters = number("counters"),
                    .ids = chosen("ids", parameters.word("ids"), kIds),
                    .scatter = chosen("scatter", parameters.word("scatter"), kScatters),
                    .network = chosen("network", parameters.word("network"), kNetworks),
                    .bucket_sort = chosen("bucket_sort", parameters.word("bucket_sort"), kBucketSorts),
                    .counts = chosen("counts", parameters.word("counts"), kCounts),
                    .fan_out = chosen("fan_out", parameters.word("fan_out"), kFanOuts),
                    .vote = chosen("vote", parameters.word("vote"), kYesOrNo),
                    .threads = number("threads"),
                    .tile = 0,
                    .seed = static_cast<std::uint64_t>(parameters.integer("seed"))};
  if (settings.oversampling == 0) settings.oversampling = papers_oversampling(size_of(problem.key));
  if (settings.bucket == 0) settings.bucket = released_bucket(problem.n, settings.ways);
  const std::uint32_t tiles = number("tiles");
  settings.tile = tiles > 0 ? tile_of(problem.n, tiles, settings.threads) : settings.threads * number("items");
  return settings;
}

}  // namespace sortlab::sample_sort
