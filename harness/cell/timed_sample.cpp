#include "harness/cell/timed_sample.hpp"

#include <algorithm>
#include <numeric>

#include "harness/machine/free_cores.hpp"

namespace sortlab {

bool is_disturbed(const TimedSample& sample) {
  return sample.core_share < FreeCores::kFree || sample.waited_share > kLeastWaiting;
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
  // The undisturbed ones rank equally, in the order they were taken; the others follow, the least disturbed first.
  std::ranges::stable_sort(places, std::greater{}, [&](std::size_t i) {
    return std::min(samples[i].core_share, FreeCores::kFree) - std::max(samples[i].waited_share, kLeastWaiting);
  });
  places.resize(wanted);
  std::ranges::sort(places);
  return places;
}

}  // namespace sortlab
