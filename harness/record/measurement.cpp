#include "harness/record/measurement.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "core/statistics.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/machine/clock.hpp"
#include "harness/machine/free_cores.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

template <class Get>
std::vector<double> each(const std::vector<Sample>& samples, Get get) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(get(sample));
  return values;
}

ordered_json protocol_record(const Protocol& protocol, Residency residency, const std::string& stopped) {
  return {{"cache", cache_state(residency)},
          {"warmup", protocol.warmup},
          {"rule", protocol.samples ? "samples" : "interval"},
          {"interval_share", protocol.samples ? ordered_json() : ordered_json(protocol.interval_share)},
          {"budget_s", protocol.samples ? ordered_json() : ordered_json(protocol.budget_s)},
          {"min_samples", protocol.samples.value_or(protocol.min_samples)},
          {"max_samples", protocol.samples.value_or(protocol.max_samples)},
          {"stopped", stopped.empty() ? ordered_json() : ordered_json(stopped)}};
}

/// Each phase of the median sample, with the median of its duration over all samples.
ordered_json phases_record(const std::vector<Sample>& samples, double median_s) {
  // On a device only the first samples have phases: their events cost more than a clock's reading.
  const auto distance = [&](const Sample& s) { return std::pair{s.phases.empty(), std::abs(s.seconds - median_s)}; };
  const Sample& middle = *std::ranges::min_element(samples, {}, distance);
  ordered_json phases = ordered_json::array();
  for (const PhaseTime& phase : middle.phases) {
    std::vector<double> durations;
    for (const Sample& sample : samples) {
      for (const PhaseTime& p : sample.phases) {
        if (p.name == phase.name && p.pass == phase.pass) durations.push_back(p.end_s - p.begin_s);
      }
    }
    phases.push_back({{"name", phase.name},
                      {"pass", phase.pass},
                      {"median_s", median(durations)},
                      {"begin_s", phase.begin_s},
                      {"end_s", phase.end_s}});
  }
  return phases;
}

/// Medians of counts per element; null if there are none.
ordered_json counters_record(const std::vector<Sample>& samples, std::uint64_t n) {
  if (samples.front().counters.empty() || n == 0) return nullptr;
  ordered_json counters = ordered_json::object();
  for (const auto& [name, first] : samples.front().counters) {
    std::vector<double> counts;
    for (const Sample& sample : samples) {
      if (const auto found = sample.counters.find(name); found != sample.counters.end())
        counts.push_back(found->second);
    }
    counters[name] = median(counts) / static_cast<double>(n);
  }
  return counters;
}

struct SortedOut {
  std::vector<Sample> counting;
  std::vector<double> others_s;
};

SortedOut sort_out(const Protocol& protocol, const std::vector<Sample>& samples) {
  const std::vector<TimedSample> timed(samples.begin(), samples.end());
  const std::vector<std::size_t> places = samples_that_count(protocol, timed);
  SortedOut sorted;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (std::ranges::binary_search(places, i)) {
      sorted.counting.push_back(samples[i]);
    } else {
      sorted.others_s.push_back(samples[i].seconds);
    }
  }
  return sorted;
}

/// `samples`: those that count.
void add_times(ordered_json& record, const Case& c, const std::optional<DeviceFacts>& device,
               const std::vector<Sample>& samples) {
  const std::vector<double> seconds = each(samples, [](const Sample& s) { return s.seconds; });
  const MedianInterval interval = median_interval(seconds);
  const double n = static_cast<double>(c.n);
  const double clock_hz = median(each(samples, [](const Sample& s) { return s.clock_hz; }));
  const auto per_element = [&](double total) { return c.n == 0 ? ordered_json() : ordered_json(total / n); };
  record["samples_s"] = seconds;
  record["median_s"] = interval.median;
  record["ci95_s"] = {interval.lower, interval.upper};
  record["mean_s"] = mean(seconds);
  record["min_s"] = std::ranges::min(seconds);
  record["keys_per_s"] = n / interval.median;
  record["bytes_per_s"] = 2 * static_cast<double>(input_bytes(c)) / interval.median;
  record["clock_hz"] = clock_hz;
  record["clock_source"] = device ? kDeviceClockSource : kClockSource;
  record["cpe_wall"] = per_element(clock_hz * interval.median);
  const int cores = device ? device->multiprocessors : c.threads;
  record["cpe_core"] = per_element(cores * clock_hz * interval.median);
  record["phases"] = phases_record(samples, interval.median);
}

/// Whether the plug-in declares this failure: it names one of its limits, or it ran out of time on an input on which it
/// is known to collapse.
bool is_expected(const Case& c, const CellResult& result) {
  return std::ranges::any_of(c.algorithm->info().limits, [&](const Limit& limit) {
    if (result.status == "failed") return !limit.name.empty() && limit.name == result.limit;
    if (result.status != "timeout") return false;
    return std::ranges::count(limit.slow_on, c.distribution.distribution->info().name) > 0;
  });
}

}  // namespace

ordered_json measurement_record(const Cell& cell, const CellResult& result, const std::string& run,
                                const std::string& machine) {
  const Case& c = cell.what;
  const auto text = [](const std::string& s) { return s.empty() ? ordered_json() : ordered_json(s); };
  const bool ok = result.status == "ok";
  ordered_json record{{"schema", 1},        {"kind", c.component == nullptr ? "measurement" : "component"},
                      {"cell", cell_id(c)}, {"key", key_of(c, machine)},
                      {"run", run},         {"machine", machine}};
  if (c.component != nullptr) {
    record["component"] = c.component->name;
    record["postcondition"] = c.component->postcondition;
    record["iterations"] = c.component->iterations;
  }
  record.update({{"case", to_json(c, result.entropy_bits, result.affinity)},
                 {"protocol", protocol_record(cell.protocol, c.residency, result.stopped)},
                 {"status", result.status},
                 {"expected", is_expected(c, result)},
                 {"reason", ok ? ordered_json() : ordered_json(result.reason)}});
  if (!result.signal.empty()) record["signal"] = result.signal;
  if (result.device) record["device"] = to_json(*result.device);
  const SortedOut samples = ok ? sort_out(cell.protocol, result.samples) : SortedOut{};
  if (ok) {
    add_times(record, c, result.device, samples.counting);
    if (!samples.others_s.empty()) record["left_out_s"] = samples.others_s;
  }
  if (result.status != "skipped") {
    record["scratch_bytes"] = result.scratch_bytes;
    record["allocates_inside"] = c.algorithm->info().allocates_inside;
    if (c.algorithm->info().times_itself) record["times_itself"] = true;
  }
  if (ok) {
    record["counters"] = counters_record(samples.counting, c.n);
    record["counters_reason"] = text(result.counters_reason);
  }
  ordered_json verification;
  if (result.verification) {
    verification = to_json(*result.verification);
    verification["samples"] = ok ? samples.counting.size() : result.samples.size() + 1;
  }
  record["verification"] = std::move(verification);
  if (ok) {
    const double share = std::ranges::min(each(samples.counting, [](const Sample& s) { return s.core_share; }));
    record["disturbed"] = share < FreeCores::kFree;
    if (share < FreeCores::kFree) {
      record["disturbance"] =
          result.device ? fmt::format("the device was throttled: it ran at {:.0f} % of its clock", 100 * share)
                        : fmt::format("the processors were not free: one ran at {:.0f} % of its speed", 100 * share);
    }
  }
  return record;
}

}  // namespace sortlab
