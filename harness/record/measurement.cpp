#include "harness/record/measurement.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "core/statistics.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/machine/clock.hpp"
#include "harness/machine/free_cores.hpp"
#include "harness/machine/interrupts.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

template <class Get>
std::vector<double> each(const std::vector<Sample>& samples, Get get) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(get(sample));
  return values;
}

/// The state that a cell's sorts begin in: `warm` if the same sort ran just before on another input.
std::string_view state_before(const Case& c) {
  return is_primed(c) ? "warm" : "as restored";
}

ordered_json protocol_record(const Case& c, const Protocol& protocol, std::optional<StopReason> stopped) {
  ordered_json record{{"cache", cache_state(c.residency)},
                      {"input", protocol.same_input || c.key == KeyType::string ? "same" : "fresh"},
                      {"state", protocol.same_input ? "as restored" : state_before(c)},
                      {"processes", protocol.least_processes()},
                      {"warmup", protocol.warmup},
                      {"rule", protocol.samples ? "samples" : "interval"},
                      {"interval_share", protocol.samples ? ordered_json() : ordered_json(protocol.interval_share)},
                      {"budget_s", protocol.samples ? ordered_json() : ordered_json(protocol.budget_s)},
                      {"min_samples", protocol.samples.value_or(protocol.min_samples)},
                      {"max_samples", protocol.samples.value_or(protocol.max_samples)},
                      {"stopped", stopped ? ordered_json(to_name(*stopped)) : ordered_json()}};
  if (!protocol.interleaved.empty()) record["interleaved"] = protocol.interleaved;
  return record;
}

/// Durations of one phase in the samples that report it, and the number of the process that took each.
struct PhaseDurations {
  std::string name;
  int pass = 0;
  int lane = -1;
  std::vector<double> seconds{};
  std::vector<int> processes{};
};

/// The phases of all samples. One that the first samples lack follows the phase that it followed in its own sample.
std::vector<PhaseDurations> phase_durations(const std::vector<Sample>& samples) {
  std::vector<PhaseDurations> phases;
  for (const Sample& sample : samples) {
    auto next = phases.begin();
    for (const PhaseTime& phase : sample.phases) {
      auto found = std::ranges::find_if(phases, [&](const PhaseDurations& p) {
        return p.name == phase.name && p.pass == phase.pass && p.lane == phase.lane;
      });
      if (found == phases.end()) {
        found = phases.insert(next, {.name = phase.name, .pass = phase.pass, .lane = phase.lane});
      }
      found->seconds.push_back(phase.seconds);
      found->processes.push_back(sample.process);
      next = found + 1;
    }
  }
  return phases;
}

/// Each phase with the median of its duration and its interval, over the samples that report it.
ordered_json phases_record(const std::vector<Sample>& samples) {
  ordered_json phases = ordered_json::array();
  for (const PhaseDurations& phase : phase_durations(samples)) {
    // A span may be shorter than the clock's step, and 0 has no logarithm.
    const bool positive = std::ranges::all_of(phase.seconds, [](double s) { return s > 0; });
    const MedianInterval interval =
        positive ? run_interval(phase.seconds, phase.processes) : median_interval(phase.seconds);
    phases.push_back({{"name", phase.name},
                      {"pass", phase.pass},
                      {"median_s", interval.median},
                      {"ci95_s", {interval.lower, interval.upper}},
                      {"samples", phase.seconds.size()}});
    if (phase.lane >= 0) phases.back()["lane"] = phase.lane;
  }
  return phases;
}

/// Definition of a phase's time (PhaseTime in result.hpp). Records without `phase_time` have the one before: from the
/// first thread that began the phase to the last that ended it.
constexpr std::string_view kPhaseTime = "occupied";

/// The sorts whose phases were read: `timed`, those of the samples; `priming`, the untimed sort before each batch,
/// since a clock's reading would be part of a small sort's time; `additional`, a device's further sorts with events.
std::string_view phases_from(const Case& c, const std::vector<Sample>& samples) {
  if (c.residency == Residency::device || c.residency == Residency::shards) return "additional";
  const bool in_batches = std::ranges::any_of(samples, [](const Sample& s) { return s.facts.batch > 1; });
  return in_batches ? "priming" : "timed";
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

/// The number of the process that took each sample, from 0.
std::vector<int> process_numbers(const std::vector<Sample>& samples) {
  std::vector<int> numbers;
  std::map<int, int> renumbered;
  for (const Sample& sample : samples) {
    numbers.push_back(renumbered.try_emplace(sample.process, static_cast<int>(renumbered.size())).first->second);
  }
  return numbers;
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

void add_times(ordered_json& record, const Case& c, const std::optional<DeviceFacts>& device, const Measured& m) {
  const double n = static_cast<double>(c.n);
  record["samples_s"] = m.samples_s;
  record["median_s"] = m.median_s;
  record["ci95_s"] = m.ci95_s;
  record["mean_s"] = mean(m.samples_s);
  record["min_s"] = std::ranges::min(m.samples_s);
  record["keys_per_s"] = n / m.median_s;
  record["bytes_per_s"] = 2 * static_cast<double>(input_bytes(c)) / m.median_s;
  record["clock_hz"] = m.clock_hz;
  record["clock_source"] = device ? kDeviceClockSource : kClockSource;
  record["cpe_wall"] = c.n == 0 ? ordered_json() : ordered_json(m.clock_hz * m.median_s / n);
  record["cpe_core"] = m.cpe_core ? ordered_json(*m.cpe_core) : ordered_json();
}

/// Adds the observations beside the times, over the samples that count.
void add_facts(ordered_json& record, const Case& c, const CellResult& result, const std::vector<Sample>& samples) {
  const auto median_fact = [&](auto get) { return median(each(samples, get)); };
  const auto all = [&](auto holds) { return std::ranges::all_of(samples, holds); };
  record["processes"] = process_numbers(samples);
  record["inputs"] = ordered_json::array();
  record["batches"] = ordered_json::array();
  for (const Sample& sample : samples) {
    record["inputs"].push_back(sample.facts.input);
    record["batches"].push_back(sample.facts.batch);
  }
  if (all([](const Sample& s) { return s.facts.batch == 1; })) record.erase("batches");
  if (!result.device) {
    record["output"] = all([](const Sample& s) { return s.facts.in_place; }) ? "input" : "scratch";
    if (!c.algorithm->info().times_itself) {
      record["processors_used"] = median_fact([](const Sample& s) { return s.facts.processor_s / s.facts.window_s; });
    }
    if (all([](const Sample& s) { return s.facts.allocations.has_value(); })) {
      record["allocations"] = median_fact([](const Sample& s) { return static_cast<double>(*s.facts.allocations); });
    }
    record["page_faults"] = median_fact([](const Sample& s) { return static_cast<double>(s.facts.page_faults); });
    if (c.threads > 1) {
      std::vector<double> distances = each(samples, [](const Sample& s) { return s.facts.distance_s; });
      std::erase(distances, 0.0);  // not measured
      if (!distances.empty()) record["core_distance_s"] = median(distances);
      record["shares_core"] = !all([](const Sample& s) { return !s.facts.shares_core; });
    }
    if (!result.called_s.empty()) {
      record["called_s"] = result.called_s;
      record["called_median_s"] = median(result.called_s);
    }
  } else if (c.residency == Residency::device) {
    record["held"] = all([](const Sample& s) { return s.facts.held; });
    record["allocated_bytes"] = std::ranges::max_element(samples, {}, [](const Sample& s) {
                                  return s.facts.allocated_bytes;
                                })->facts.allocated_bytes;
    if (const ordered_json& phases = record["phases"]; !phases.empty()) {
      double sum_s = 0;
      for (const ordered_json& phase : phases) sum_s += phase["median_s"].get<double>();
      record["phases_over_whole"] = sum_s / record["median_s"].get<double>();
    }
  }
}

/// Processors of a cell's samples; of a cell without any, those that were given to it.
std::vector<int> used_processors(const CellResult& result, const std::vector<Sample>& samples) {
  std::set<int> all;
  for (const Sample& sample : samples) all.insert(sample.facts.affinity.begin(), sample.facts.affinity.end());
  return all.empty() ? result.affinity : std::vector<int>(all.begin(), all.end());
}

/// Adds what disturbed the sort: a field for each cause, and those that count in words.
void add_disturbance(ordered_json& record, const Case& c, const Disturbance& d) {
  std::vector<std::string> causes;
  // Bound to other processors, the test of free ones tells nothing of neighbours.
  if (d.elsewhere) {
    causes.emplace_back(
        "the system did not bind its threads to the processors that it was given (a cpuset that became narrower, or a "
        "system that refuses); case.affinity has those that it ran on");
  } else if (d.core_share < FreeCores::kFree) {
    causes.push_back(fmt::format("the processors were not free: one ran at {:.0f} % of its speed", 100 * d.core_share));
  }
  if (d.device_share < FreeCores::kFree) {
    causes.push_back(fmt::format("the device was throttled: it ran at {:.0f} % of its clock", 100 * d.device_share));
  }
  if (d.waited_share > kLeastWaiting) {
    causes.push_back(fmt::format("its threads waited for processors {:.3g} % of the time", 100 * d.waited_share));
  }
  if (d.throttled_share > kLeastWaiting) {
    causes.push_back(fmt::format("a control group's quota of processor time stopped its threads {:.3g} % of the time",
                                 100 * d.throttled_share));
  }
  if (d.stopped_share > kLeastWaiting) {
    causes.push_back(
        fmt::format("it stood still for up to {:.3g} % of the time (a control group that was frozen, or a host that "
                    "paused the machine)",
                    100 * d.stopped_share));
  }
  if (d.pages_read > 0) {
    causes.push_back(fmt::format("{} pages were read from a disk or from swap, since memory is short", d.pages_read));
  }
  if (d.is_traced) causes.emplace_back("a tracer, a debugger or a probe (strace, gdb, perf, bpftrace) was attached");
  if (d.clock_share < kLeastClock) {
    causes.push_back(
        fmt::format("the processor ran at {:.0f} % of the highest rate of this run (a lower clock, or interrupts)",
                    100 * d.clock_share));
  }
  if (d.interrupts_per_s.value_or(0) > InterruptRates::kMaxPerSecond) {
    causes.push_back(
        fmt::format("one of its processors had {:.0f} interrupts a second beyond the timer's tick (a sampling "
                    "profiler, a network card or other device, timers, or programs that call all processors)",
                    *d.interrupts_per_s));
  }
  if (d.huge_page_share.value_or(1) < kLeastInHugePages) {
    causes.push_back(fmt::format(
        "{:.0f} % of its arrays or of its scratch memory lay in huge pages, which this system gave when the run began "
        "(memory in pieces, a filter of system calls, or another setting since)",
        100 * *d.huge_page_share));
  }
  if (d.huge_pages_changed) causes.emplace_back("the system's setting of huge pages was changed since the run began");
  record["disturbed"] = !causes.empty();
  if (!causes.empty()) record["disturbance"] = fmt::format("{}", fmt::join(causes, "; "));
  if (c.residency != Residency::device && c.residency != Residency::shards) {
    record["core_share"] = d.core_share;
    record["affinity_held"] = !d.elsewhere;
  }
  if (c.residency == Residency::host) {
    record["clock_share"] = d.clock_share;
    record["interrupts_per_s"] = d.interrupts_per_s ? ordered_json(*d.interrupts_per_s) : ordered_json(nullptr);
  }
  if (d.huge_page_share) record["huge_page_share"] = *d.huge_page_share;
  if (d.huge_pages_changed) record["huge_pages_changed"] = true;
  if (c.residency != Residency::host) record["device_share"] = d.device_share;
  record["waited_share"] = d.waited_share;
  record["throttled_share"] = d.throttled_share;
  record["stopped_share"] = d.stopped_share;
  record["pages_read"] = d.pages_read;
  record["traced"] = d.is_traced;
}

}  // namespace

bool is_expected(const Case& c, const CellResult& result) {
  return std::ranges::any_of(c.algorithm->info().limits, [&](const Limit& limit) {
    if (result.status == Status::failed) return !limit.name.empty() && limit.name == result.limit;
    if (result.status != Status::timeout) return false;
    return std::ranges::count(limit.slow_on, c.distribution.distribution->info().name) > 0;
  });
}

Measured measured(const Cell& cell, const CellResult& result) {
  const Case& c = cell.subject;
  Measured m{.status = result.status, .reason = result.reason, .expected = is_expected(c, result)};
  if (result.status != Status::ok) return m;
  const std::vector<Sample> samples = sort_out(cell.protocol, result.samples).counting;
  m.samples_s = each(samples, [](const Sample& s) { return s.seconds; });
  const MedianInterval interval = run_interval(m.samples_s, process_numbers(samples));
  m.median_s = interval.median;
  m.ci95_s = {interval.lower, interval.upper};
  m.clock_hz = median(each(samples, [](const Sample& s) { return s.clock_hz; }));
  const int cores = result.device ? result.device->multiprocessors : c.threads;
  if (c.n > 0) m.cpe_core = cores * m.clock_hz * m.median_s / static_cast<double>(c.n);
  m.energy = result.energy;
  for (const Sample& sample : samples) m.disturbance = worse(m.disturbance, sample.disturbance);
  return m;
}

std::optional<Measured> measured_in(const ordered_json& record) {
  const auto text = [&](const char* member) { return record.contains(member) && record[member].is_string(); };
  if (!text("kind") || (record["kind"] != "measurement" && record["kind"] != "component") || !text("status")) return {};
  const auto status = value_named<Status>(record["status"].get_ref<const std::string&>());
  if (!status) return {};
  Measured m{.status = *status, .expected = record.value("expected", ordered_json()) == true};
  if (text("reason")) m.reason = record["reason"];
  if (m.status != Status::ok) return m;
  try {
    m.samples_s = record.at("samples_s").get<std::vector<double>>();
    m.median_s = record.at("median_s");
    m.ci95_s = record.at("ci95_s");
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return m;
}

ordered_json measurement_record(const Cell& cell, const CellResult& result, const std::string& run,
                                const std::string& machine) {
  const Case& c = cell.subject;
  const Measured m = measured(cell, result);
  const auto text = [](const std::string& s) { return s.empty() ? ordered_json() : ordered_json(s); };
  const bool ok = result.status == Status::ok;
  ordered_json record{{"schema", 1},
                      {"kind", c.component == nullptr ? "measurement" : "component"},
                      {"cell", cell_id(c)},
                      {"cell_scheme", kCellScheme},
                      {"key", resume_key(c, machine)},
                      {"run", run},
                      {"machine", machine}};
  if (c.component != nullptr) {
    record["component"] = c.component->name;
    record["postcondition"] = c.component->postcondition;
    record["iterations"] = c.component->iterations;
  }
  const SortedOut samples = ok ? sort_out(cell.protocol, result.samples) : SortedOut{};
  record.update({{"case", to_json(c, {result.entropy_bits, used_processors(result, samples.counting)})},
                 {"protocol", protocol_record(c, cell.protocol, result.stopped)},
                 {"status", to_name(result.status)},
                 {"expected", m.expected},
                 {"reason", ok ? ordered_json() : ordered_json(result.reason)}});
  if (!ok && result.code) record["reason_code"] = to_name(*result.code);
  if (!ok && result.limit_s) record["limit_s"] = *result.limit_s;
  if (!result.lost_before.empty()) record["lost_before"] = result.lost_before;
  if (!result.signal.empty()) record["signal"] = result.signal;
  if (result.device) record["device"] = to_json(*result.device);
  if (ok) {
    add_times(record, c, result.device, m);
    record["phases"] = phases_record(samples.counting);
    if (!record["phases"].empty()) {
      record["phases_from"] = phases_from(c, samples.counting);
      record["phase_time"] = kPhaseTime;
    }
    if (!samples.others_s.empty()) record["left_out_s"] = samples.others_s;
  }
  if (result.status != Status::skipped) {
    record["scratch_bytes"] = result.scratch_bytes;
    record["allocates_inside"] = c.algorithm->info().allocates_inside;
    if (c.algorithm->info().times_itself) record["times_itself"] = true;
  }
  if (ok) {
    record["counters"] = counters_record(samples.counting, c.n);
    record["counters_reason"] = text(result.counters_reason);
    if (m.energy) {
      record["energy"] = to_json(*m.energy);
      record["energy_reason"] = text(m.energy->reason);
    }
  }
  ordered_json verification;
  if (result.verification) {
    verification = to_json(*result.verification);
    // The digest of the cell's own input is the same for all its sorts, whichever inputs their last samples had.
    if (ok) verification["digest"] = result.input_digest;
    verification["samples"] = ok ? samples.counting.size() : result.samples.size() + 1;
  }
  record["verification"] = std::move(verification);
  if (ok) {
    add_facts(record, c, result, samples.counting);
    add_disturbance(record, c, m.disturbance);
  }
  return record;
}

}  // namespace sortlab
