#include "harness/measure/stopping_rule.hpp"

#include <algorithm>
#include <numeric>

#include "core/statistics.hpp"
#include "harness/machine/free_cores.hpp"

namespace sortlab {

bool is_disturbed(const TimedSample& sample) {
  return sample.core_share < FreeCores::kFree;
}

std::vector<std::size_t> samples_that_count(const Protocol& protocol, std::span<const TimedSample> samples) {
  std::vector<std::size_t> places(samples.size());
  std::iota(places.begin(), places.end(), 0);
  const auto disturbed = [&](std::size_t i) { return is_disturbed(samples[i]); };
  const auto undisturbed = samples.size() - static_cast<std::size_t>(std::ranges::count_if(places, disturbed));
  if (!protocol.samples) {
    if (2 * undisturbed >= samples.size()) std::erase_if(places, disturbed);
    return places;
  }
  const auto wanted = std::min(samples.size(), static_cast<std::size_t>(*protocol.samples));
  // The undisturbed ones are equals, in the order they were taken; the others follow, the least disturbed first.
  std::ranges::stable_sort(places, std::greater{},
                           [&](std::size_t i) { return std::min(samples[i].core_share, FreeCores::kFree); });
  places.resize(wanted);
  std::ranges::sort(places);
  return places;
}

std::optional<std::string_view> why_stop(const Protocol& protocol, std::span<const TimedSample> samples,
                                         double spent_s) {
  if (samples.empty()) return std::nullopt;
  const auto taken = static_cast<std::int64_t>(samples.size());
  if (protocol.samples) {
    const auto undisturbed = taken - std::ranges::count_if(samples, is_disturbed);
    const std::int64_t wanted = *protocol.samples;
    const bool enough = undisturbed >= wanted || taken >= 2 * wanted;
    return enough ? std::optional{"samples"} : std::nullopt;
  }
  std::vector<double> seconds;
  for (const std::size_t i : samples_that_count(protocol, samples)) seconds.push_back(samples[i].seconds);
  if (static_cast<std::int64_t>(seconds.size()) >= protocol.min_samples) {
    const MedianInterval interval = median_interval(seconds);
    if (interval.coverage >= 0.95 && interval.upper - interval.lower <= protocol.interval_share * interval.median) {
      return "interval";
    }
  }
  if (taken >= protocol.max_samples) return "samples";
  if (spent_s >= protocol.budget_s) return "budget";
  return std::nullopt;
}

}  // namespace sortlab
