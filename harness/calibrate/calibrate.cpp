#include "harness/calibrate/calibrate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <future>
#include <nlohmann/json.hpp>
#include <vector>

#include "algorithms/host_probe.hpp"
#include "core/affinity.hpp"
#include "core/huge_pages.hpp"
#include "core/parameters.hpp"
#include "harness/calibrate/chosen_probes.hpp"
#include "harness/calibrate/rounds.hpp"
#include "harness/cell/timed_sample.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/clock.hpp"
#include "harness/machine/control_groups.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/memory.hpp"

namespace sortlab {
namespace {

using namespace calibration;

constexpr std::string_view kNoEnergy = "; no energy: ";
constexpr std::string_view kCutShort = "; cut short by its time limit: ";
constexpr double kMemoryShare = 0.8;  ///< share of the available memory that arenas may take

/// Part of the source of a profile whose threads may have shared processors.
constexpr std::string_view kUnbound = "; the system did not bind threads to their processors";
/// Part of the source of a profile whose memory lay in small pages, though huge ones were requested.
constexpr std::string_view kSmallPages = "; the system gave small pages for memory that requested huge ones";

/// One arena for each of `processors` threads, with streams of `stream` bytes: in parallel, since one core would take a
/// minute for sixteen. Fewer, a power of two, where memory does not suffice or `limit_s` is over before.
std::vector<std::unique_ptr<Arena>> make_arenas(int processors, std::size_t stream, double limit_s) {
  const auto begin = std::chrono::steady_clock::now();
  const auto fitting =
      static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(available_memory())) / Arena::bytes_for(stream);
  const int most = static_cast<int>(std::clamp<std::uint64_t>(fitting, 1, static_cast<std::uint64_t>(processors)));
  std::vector<std::unique_ptr<Arena>> arenas(static_cast<std::size_t>(most));
  std::atomic<int> next{0};
  const auto make = [&] {
    for (int i = next++; i < most; i = next++) {
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      if (i > 0 && passed.count() > limit_s) return;
      arenas[static_cast<std::size_t>(i)] = std::make_unique<Arena>(stream, static_cast<std::uint64_t>(i) + 1);
    }
  };
  // Under a quota of processor time, more threads would only finish later, all of them.
  const double quota = std::max(1.0, std::ceil(ControlGroups{}.cpu_quota().value_or(most)));
  std::vector<std::future<void>> makers;
  for (int maker = 0; maker < most && maker < quota; ++maker) makers.push_back(std::async(std::launch::async, make));
  for (auto& maker : makers) maker.get();
  const auto made = static_cast<std::size_t>(std::find(arenas.begin(), arenas.end(), nullptr) - arenas.begin());
  arenas.resize(made == static_cast<std::size_t>(processors) ? made : std::bit_floor(made));
  return arenas;
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

void calibration::add_cuts(MachineProfile& profile, const std::vector<std::string>& cuts) {
  if (!cuts.empty()) profile.source += fmt::format("{}{}", kCutShort, fmt::join(cuts, "; "));
}

void calibration::add_missing_energy(MachineProfile& profile, const std::string& reason) {
  profile.source += fmt::format("{}{}", kNoEnergy, reason);
}

std::string missing_energy(const MachineProfile& profile) {
  const std::string source = profile.source.substr(0, profile.source.find(kCutShort));
  const std::size_t begin = source.find(kNoEnergy);
  return begin == std::string::npos ? "" : source.substr(begin + kNoEnergy.size());
}

bool has_unbound_threads(const MachineProfile& profile) {
  return profile.source.find(kUnbound) != std::string::npos;
}

bool has_small_pages(const MachineProfile& profile) {
  return profile.source.find(kSmallPages) != std::string::npos;
}

std::string cuts(const MachineProfile& profile) {
  const std::size_t begin = profile.source.find(kCutShort);
  return begin == std::string::npos ? "" : profile.source.substr(begin + kCutShort.size());
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

std::vector<int> calibration::thread_counts(int most) {
  std::vector<int> counts{1};
  for (int threads = 2; threads < most; threads *= 2) counts.push_back(threads);
  if (most > 1) counts.push_back(most);
  return counts;
}

Extent calibration::host_extent(const CalibrationOptions& options, double prepared_s) {
  const double limit_s = options.limit_s.value_or(calibration_limits(options.quick).host_s);
  return {.rounds = options.quick ? 6 : 21,
          .repeat_s = options.repeat_s.value_or(options.quick ? 40 : 240),
          .limit_s = std::max(kArenasShare * limit_s, limit_s - prepared_s)};
}

MachineProfile calibrate_host(const CalibrationOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const std::uint64_t mappings_before = huge_mappings_made();
  const std::vector<HostProbe> probes = chosen_probes(host_probes(), options.probes);
  MachineProfile profile = host_facts(options);
  const double limit_s = options.limit_s.value_or(calibration_limits(options.quick).host_s);
  double largest = 0;
  for (const auto& [level, bytes] : profile.cache_bytes) largest = std::max(largest, bytes);
  const std::size_t stream = std::bit_ceil(static_cast<std::size_t>(std::max(2 * largest, 64.0 * 1024 * 1024)));
  HostBench bench{.arenas = make_arenas(profile.cores, stream, kArenasShare * limit_s),
                  .threads = {},
                  .lines = {1, 4, 16},
                  .quick = options.quick};
  bench.threads = thread_counts(static_cast<int>(bench.arenas.size()));
  if (!options.quick) bench.lines = {1, 2, 4, 8, 16};
  TimedRounds rounds{on_free_cores()};
  rounds.add_all(probes, bench);
  if (options.journal != nullptr) rounds.keep_in(*options.journal);
  const std::chrono::duration<double> prepared = std::chrono::steady_clock::now() - begin;
  rounds.run(host_extent(options, prepared.count()), options.progress);
  rounds.write_to(profile.tables);
  if (failed_bindings() > 0) profile.source += kUnbound;
  const MadeMappings made{mappings_before, huge_mappings_made()};
  if (share_in_huge_pages({&made, 1}).value_or(1) < kLeastInHugePages) profile.source += kSmallPages;
  std::vector<std::string> cuts = rounds.cuts();
  if (bench.arenas.size() < static_cast<std::size_t>(profile.cores)) {
    cuts.push_back(fmt::format("memory or time for {} of {} threads", bench.arenas.size(), profile.cores));
  }
  add_cuts(profile, cuts);
  return profile;
}

}  // namespace sortlab
