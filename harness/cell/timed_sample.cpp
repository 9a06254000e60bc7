#include "harness/cell/timed_sample.hpp"

#include <algorithm>
#include <numeric>

#include "harness/machine/free_cores.hpp"
#include "harness/machine/interrupts.hpp"

namespace sortlab {
namespace {

bool has_many_interrupts(const Disturbance& d) {
  return d.interrupts_per_s.value_or(0) > InterruptRates::kMaxPerSecond;
}

bool is_in_small_pages(const Disturbance& d) {
  return d.huge_page_share.value_or(1) < kLeastInHugePages;
}

/// The smaller of those that are known.
std::optional<double> least(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::min(a, b) : (a ? a : b);
}

}  // namespace

bool Disturbance::counts() const {
  return std::min(core_share, device_share) < FreeCores::kFree ||
         std::max({waited_share, throttled_share, stopped_share}) > kLeastWaiting || elsewhere || is_traced ||
         pages_read > 0 || clock_share < kLeastClock || has_many_interrupts(*this) || is_in_small_pages(*this) ||
         huge_pages_changed;
}

bool is_disturbed(const TimedSample& sample) {
  return sample.disturbance.counts();
}

Disturbance worse(const Disturbance& a, const Disturbance& b) {
  return {.core_share = std::min(a.core_share, b.core_share),
          .device_share = std::min(a.device_share, b.device_share),
          .waited_share = std::max(a.waited_share, b.waited_share),
          .throttled_share = std::max(a.throttled_share, b.throttled_share),
          .elsewhere = a.elsewhere || b.elsewhere,
          .pages_read = std::max(a.pages_read, b.pages_read),
          .stopped_share = std::max(a.stopped_share, b.stopped_share),
          .is_traced = a.is_traced || b.is_traced,
          .clock_share = std::min(a.clock_share, b.clock_share),
          .interrupts_per_s = std::max(a.interrupts_per_s, b.interrupts_per_s),
          .huge_page_share = least(a.huge_page_share, b.huge_page_share),
          .huge_pages_changed = a.huge_pages_changed || b.huge_pages_changed};
}

std::vector<std::size_t> samples_that_count(const Protocol& protocol, std::span<const TimedSample> samples) {
  std::vector<std::size_t> places(samples.size());
  std::iota(places.begin(), places.end(), 0);
  if (!protocol.interleaved.empty()) return places;
  const auto disturbed = [&](std::size_t i) { return is_disturbed(samples[i]); };
  const auto undisturbed = samples.size() - static_cast<std::size_t>(std::ranges::count_if(places, disturbed));
  if (!protocol.samples) {
    if (2 * undisturbed >= samples.size()) std::erase_if(places, disturbed);
    return places;
  }
  const auto wanted = std::min(samples.size(), static_cast<std::size_t>(*protocol.samples));
  // The undisturbed ones rank equally, in the order they were taken; the others follow, the least disturbed first.
  std::ranges::stable_sort(places, std::greater{}, [&](std::size_t i) {
    const Disturbance& d = samples[i].disturbance;
    return std::min({d.core_share, d.device_share, FreeCores::kFree}) -
           std::max({d.waited_share, d.throttled_share, d.stopped_share, kLeastWaiting}) -
           (d.elsewhere || d.is_traced || d.pages_read > 0 || d.huge_pages_changed ? 1 : 0) -
           (d.clock_share < kLeastClock || has_many_interrupts(d) || is_in_small_pages(d) ? 1 : 0);
  });
  places.resize(wanted);
  std::ranges::sort(places);
  return places;
}

}  // namespace sortlab
