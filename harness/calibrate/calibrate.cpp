#include "harness/calibrate/calibrate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <vector>

#include "algorithms/host_probe.hpp"
#include "core/parameters.hpp"
#include "harness/calibrate/chosen_probes.hpp"
#include "harness/calibrate/rounds.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/clock.hpp"
#include "harness/machine/machine.hpp"

namespace sortlab {
namespace {

using namespace calibration;

/// Thread counts to measure as far as time allows: 1, 2, 4 … and all.
std::vector<int> thread_counts(int processors) {
  std::vector<int> counts{1};
  for (int threads = 2; threads < processors; threads *= 2) counts.push_back(threads);
  if (processors > 1) counts.push_back(processors);
  return counts;
}

std::string commit() {
  const auto& build = build_record();
  return build.contains("commit") && build["commit"].is_string() ? build["commit"].get<std::string>()
                                                                 : "unknown commit";
}

}  // namespace

std::string calibration_source(const CalibrationOptions& options) {
  const auto today = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("sortlab calibrate{}, {:%Y-%m-%d}, commit {}", options.quick ? " --quick" : "", fmt::gmtime(today),
                     commit());
}

void calibration::require_known_probes(const std::vector<std::string>& names, const std::vector<std::string>& known) {
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    throw BadInput(
        fmt::format("probe: unknown name '{}'{}; allowed: {}", name, did_you_mean(name, known), join(known)));
  }
}

MachineProfile host_facts(const CalibrationOptions& options) {
  const auto& machine = machine_record();
  MachineProfile profile;
  profile.id = machine_id();
  profile.name = machine["name"];
  profile.origin = "calibrated";
  profile.source = calibration_source(options);
  profile.cores = static_cast<int>(processors().size());
  for (const auto& [level, bytes] : machine["cache_bytes"].items()) {
    profile.cache_bytes.emplace_back(level, bytes.get<double>());
  }
  profile.memory_bytes = machine["memory_bytes"];
  profile.clock_hz = measured_clock_hz();
  return profile;
}

MachineProfile calibrate_host(const CalibrationOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<HostProbe> probes = chosen_probes(host_probes(), options.probes);
  MachineProfile profile = host_facts(options);
  HostBench bench{.arenas = {}, .threads = thread_counts(profile.cores), .lines = {1, 4, 16}, .quick = options.quick};
  if (!options.quick) bench.lines = {1, 2, 4, 8, 16};
  double largest = 0;
  for (const auto& [level, bytes] : profile.cache_bytes) largest = std::max(largest, bytes);
  const std::size_t stream = std::bit_ceil(static_cast<std::size_t>(std::max(2 * largest, 64.0 * 1024 * 1024)));
  std::vector<std::future<std::unique_ptr<Arena>>>
      making;  // in parallel: one core would take a minute to fill the arenas of sixteen
  for (int thread = 0; thread < profile.cores; ++thread) {
    const auto seed = static_cast<std::uint64_t>(thread) + 1;
    making.push_back(std::async(std::launch::async, [=] { return std::make_unique<Arena>(stream, seed); }));
  }
  for (auto& arena : making) bench.arenas.push_back(arena.get());
  TimedRounds rounds{on_free_cores()};
  rounds.add_all(probes, bench);
  if (options.journal != nullptr) rounds.keep_in(*options.journal);
  const double limit_s = options.limit_s.value_or(calibration_limits(options.quick).host_s);
  const std::chrono::duration<double> prepared = std::chrono::steady_clock::now() - begin;
  rounds.run({.rounds = options.quick ? 6 : 21,
              .repeat_s = options.repeat_s.value_or(options.quick ? 40 : 240),
              .limit_s = limit_s - prepared.count()},
             options.progress);
  rounds.write_to(profile.tables);
  return profile;
}

}  // namespace sortlab
