#include "harness/plan/estimate.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <tuple>

#include "harness/plan/automatic.hpp"

namespace sortlab {
namespace {

/// Views of inputs from small samples. Many cells share one.
class SmallViews {
 public:
  const DistributionView& of(const Case& c) {
    auto& view = views_[{c.key, c.n, c.distribution.text, c.seed}];
    // An estimate needs only a small sample.
    if (!view) view = std::make_unique<DistributionView>(c.distribution, c.key, c.n, c.seed, std::uint64_t{1} << 12);
    return *view;
  }

 private:
  std::map<std::tuple<KeyType, std::uint64_t, std::string, std::uint64_t>, std::unique_ptr<DistributionView>> views_;
};

int warmups(const Protocol& protocol) {
  return protocol.least_processes() * protocol.warmup;
}

double plain_guess(const Case& c) {
  return 1e-6 + 1.5e-9 * static_cast<double>(c.n) * static_cast<double>(std::bit_width(c.n)) / c.threads;
}

double sort_seconds(const Case& c, const MachineProfile* machine, SmallViews& views) {
  const MachineProfile* const profile = machine == nullptr ? nullptr : runs_on(c, *machine);
  if (profile == nullptr || is_copied_around(c)) return plain_guess(c);
  for (const Model* model : algorithm_models(c.algorithm->info().name)) {
    try {
      return checked_prediction(*model, make_workload(c), views.of(c), *profile).seconds;
    } catch (const std::exception&) {  // a quantity is missing, or the model declines
      continue;
    }
  }
  return plain_guess(c);
}

}  // namespace

std::vector<double> estimate_seconds(const std::vector<Cell>& cells, const MachineProfile* profile) {
  constexpr double around_a_sort = 1.5;     // factor for restoring and verifying
  constexpr double around_a_sample = 5e-4;  // seconds for making its input and testing for free cores
  constexpr double around_a_turn = 0.015;   // seconds: a worker's start and its waiting, shared by some twenty cells
  SmallViews views;
  std::vector<double> estimates;
  for (const Cell& cell : cells) {
    const Protocol& protocol = cell.protocol;
    const double sorts = is_primed(cell.subject) ? 1 + around_a_sort : around_a_sort;
    const double one = sorts * sort_seconds(cell.subject, profile, views) + around_a_sample;
    const double turns_s = around_a_turn * protocol.least_processes();
    const auto time = [&](int samples) { return turns_s + one * (warmups(protocol) + samples); };
    if (protocol.samples) {
      estimates.push_back(time(*protocol.samples));
    } else {  // few cells have a narrow interval before the budget is spent, or max_samples are taken
      const double least = std::max(turns_s + protocol.budget_s, time(protocol.least_processes()));
      estimates.push_back(std::min(time(protocol.max_samples), least));
    }
    if (protocol.energy) estimates.back() += kMeteringEstimate_s;
  }
  return estimates;
}

std::uint64_t nominal_ns(const Cell& cell) {
  const Case& c = cell.subject;
  const Protocol& protocol = cell.protocol;
  const auto log_n = static_cast<std::uint64_t>(std::bit_width(c.n));
  std::uint64_t sort = 0;
  switch (c.residency) {
    case Residency::device: sort = 50'000 + c.n / 10; break;
    case Residency::shards: sort = 200'000 + c.n / static_cast<std::uint64_t>(10 * c.devices.count()); break;
    case Residency::end_to_end: sort = 50'000 + c.n; break;
    default: sort = 1'000 + 3 * c.n * log_n / (2 * static_cast<std::uint64_t>(c.threads)); break;
  }
  // ns for preparing a cell and testing for free cores, and for its energy
  const std::uint64_t around_a_cell = 45'000'000 + (protocol.energy ? kMeteringEstimate_s * 1'000'000'000 : 0);
  const std::uint64_t one = 3 * sort / 2;
  const auto times = [&](int samples) { return one * static_cast<std::uint64_t>(warmups(protocol) + samples); };
  if (protocol.samples) return around_a_cell + times(*protocol.samples);
  const auto budget = static_cast<std::uint64_t>(1e9 * protocol.budget_s);
  return around_a_cell + std::min(times(protocol.max_samples), std::max(budget, times(protocol.least_processes())));
}

}  // namespace sortlab
