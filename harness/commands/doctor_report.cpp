#include "harness/commands/doctor_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "algorithms/not_built.hpp"
#include "core/affinity.hpp"
#include "core/parameters.hpp"
#include "harness/commands/python_commands.hpp"
#include "harness/count/callgrind.hpp"
#include "harness/count/host_tools.hpp"
#include "harness/count/ncu.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/counters.hpp"
#include "harness/machine/energy_meter.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/find_program.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/loaded_libraries.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/modules.hpp"
#include "harness/machine/worker_environment.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string plain_text(const ordered_json& value) {
  if (value.is_null()) return "not shown";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string in_units(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

Finding build() {
  const ordered_json& record = build_record();
  const bool release = record["build_type"] == "Release";
  return {"build", release,
          fmt::format("Sortlab {}, {}, {} {}", version(), plain_text(record["build_type"]),
                      plain_text(record["compiler"]), plain_text(record["flags"])),
          release ? "" : "times of this build say nothing about the sorts; build with `cmake --preset release`"};
}

Finding source() {
  const ordered_json& record = build_record();
  if (record["commit"].is_null()) {
    return {"commit", false, "not built from a git checkout", "records do not say which sources made them"};
  }
  const bool dirty = record["dirty"];
  return {"commit", !dirty, record["commit"].get<std::string>() + (dirty ? ", changed since" : ""),
          dirty ? "records are marked dirty: nobody else can build what was measured; commit first" : ""};
}

Finding places() {
  return {"folders", true,
          fmt::format("configs and kept results in {}, profile and records of this machine in {}",
                      checkout_root().string(), local_results(machine_id()).string()),
          ""};
}

/// Reports the sorts loaded from modules.
void add_modules(std::vector<Finding>& findings) {
  for (const ordered_json& module : modules_record()) {
    findings.push_back({"plugin", true,
                        fmt::format("{}: {}, by {} {}", plain_text(module["file"]),
                                    join(module["algorithms"].get<std::vector<std::string>>()),
                                    plain_text(module["compiler"]), plain_text(module["flags"])),
                        ""});
  }
}

Finding compiler() {
  if (const auto path = find_program("c++")) return {"compiler", true, *path, ""};
  return {"compiler", false, "no c++ on PATH", "Sortlab cannot be rebuilt here; install g++"};
}

Finding simd(const ordered_json& machine) {
  const std::string widest = machine["simd"];
  const bool wide = widest != "AVX" && !widest.starts_with("SSE") && !widest.empty();
  return {"SIMD", wide, widest, wide ? "" : "vector sorts run at a fraction of their speed"};
}

Finding cores(const ordered_json& machine, const ordered_json& environment) {
  const std::size_t usable = environment["affinity"].size();
  const int all = machine["cores"];
  const std::string detail =
      fmt::format("{} cores, {} threads, {} usable by this process", all, machine["threads"].dump(), usable);
  if (usable < 2) return {"cores", false, detail, "multi-threaded cells cannot be measured"};
  const ordered_json& quota = environment["cgroup"]["cpu_quota"];
  if (!quota.is_null() && quota.get<double>() < static_cast<double>(usable)) {
    return {"cores", false, fmt::format("{}, limited to {:.3g} by a control group", detail, quota.get<double>()),
            "multi-threaded sorts are throttled while they run: raise the limit"};
  }
  const bool binds = [&] {
    const std::uint64_t failed = failed_bindings();
    const Pinned first({allowed_cpus().front()});
    return failed_bindings() == failed;
  }();
  if (!binds) {
    return {"cores", false, fmt::format("{}, to which the system does not bind threads", detail),
            "cells are marked as disturbed: let sched_setaffinity through (seccomp)"};
  }
  return {"cores", true, detail, ""};
}

Finding caches(const ordered_json& machine) {
  std::vector<std::string> sizes;
  for (const auto& [level, bytes] : machine["cache_bytes"].items()) {
    sizes.push_back(fmt::format("{} {}", level, in_units(bytes.get<double>())));
  }
  const bool complete = machine["cache_bytes"].contains("L1d") && machine["cache_bytes"].contains("L2");
  return {"caches", complete, sizes.empty() ? "not shown" : join(sizes),
          complete ? "" : "models that need cache sizes cannot predict for this machine"};
}

Finding memory(const ordered_json& machine, const ordered_json& environment) {
  const ordered_json& available = environment["memory_available_bytes"];
  const ordered_json& limit = environment["cgroup"]["memory_limit_bytes"];
  std::string detail = fmt::format("{} installed, {} available", in_units(machine["memory_bytes"].get<double>()),
                                   available.is_null() ? "unknown" : in_units(available.get<double>()));
  if (limit.is_number()) detail += fmt::format(", {} allowed by its control group", in_units(limit.get<double>()));
  const auto suffices = [](const ordered_json& bytes) { return !bytes.is_number() || bytes.get<double>() >= 0x1p31; };
  const bool enough = suffices(available) && suffices(limit);
  return {"memory", enough, detail, enough ? "" : "inputs of 2^26 keys and more do not fit: their cells are refused"};
}

Finding huge_pages(const ordered_json& environment) {
  if (environment["huge_pages_disabled"] == true) {
    return {"huge pages", false, "transparent huge pages: disabled for this process",
            "address translation misses slow every scatter of large inputs; what started this program has forbidden "
            "them (PR_SET_THP_DISABLE)"};
  }
  const std::string mode = plain_text(environment["transparent_huge_pages"]);
  const bool good = mode == "madvise" || mode == "always";
  return {"huge pages", good, fmt::format("transparent huge pages: {}", mode),
          good ? ""
               : "address translation misses slow every scatter of large inputs; "
                 "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"};
}

Finding clock(const ordered_json& environment) {
  const ordered_json& governor = environment["governor"];
  const std::string detail =
      fmt::format("governor: {}, boost: {}", plain_text(governor), plain_text(environment["boost"]));
  const bool good = governor.is_null() || governor == "performance";
  return {"clock", good, detail,
          good ? "" : "the clock changes during a run: times scatter; cpupower frequency-set -g performance"};
}

Finding load(const ordered_json& environment) {
  const ordered_json& average = environment["load_1min"];
  const bool idle = average.is_null() || average.get<double>() < 0.5;
  return {"load", idle, fmt::format("{} over the last minute", plain_text(average)),
          idle ? "" : "other processes take time from the sorts: measure when nothing else runs"};
}

Finding interrupts(const ordered_json& environment) {
  if (environment["interrupts_shown"] == true) return {"interrupts", true, "counted by the system", ""};
  return {"interrupts", false, "/proc/interrupts: cannot be read, or counts none",
          "a sampling profiler or a busy network card slows sorts unseen: interrupts_per_s is null in records"};
}

/// State of the process that the program before it has set.
Finding process(const ordered_json& environment) {
  const ordered_json& nice = environment["nice"];
  const ordered_json& policy = environment["memory_policy"];
  const ordered_json& scheduler = environment["scheduler"];
  const std::string detail =
      fmt::format("scheduler: {}, nice: {}, memory policy: {}, store bypass: {}", plain_text(scheduler),
                  plain_text(nice), plain_text(policy), plain_text(environment["store_bypass"]));
  if (environment["traced"] == true) {
    return {"process", false, detail + ", under a tracer or debugger",
            "it stops the sorts at each system call: cells are marked as disturbed"};
  }
  const bool is_plain = (nice.is_null() || nice == 0) && (policy.is_null() || policy == "default") &&
                        (scheduler.is_null() || scheduler == "other");
  return {"process", is_plain, detail, is_plain ? "" : "times are those of a process with these settings"};
}

Finding variables() {
  const std::vector<std::string> dropped = dropped_variables();
  const std::vector<std::string> preloaded = preloaded_libraries();
  std::string detail = dropped.empty() ? "none of the variables that libraries of sorts read is set"
                                       : fmt::format("dropped before any sort sees them: {}", join(dropped));
  if (preloaded.empty()) return {"environment", true, detail, ""};
  return {"environment", false, fmt::format("{}; LD_PRELOAD loads {}", detail, join(preloaded)),
          "what these libraries change is part of all times: unset LD_PRELOAD, unless this machine needs it"};
}

Finding shared_libraries() {
  const std::string loaded = fmt::format("{} shared libraries are loaded", loaded_libraries().size());
  const std::set<std::string> other = libraries_of_library_path();
  if (other.empty()) return {"libraries", true, loaded, ""};
  return {"libraries", false,
          fmt::format("{}, and LD_LIBRARY_PATH brings other builds of {}", loaded, join({other.begin(), other.end()})),
          "times are those of these builds: unset LD_LIBRARY_PATH, unless this machine needs it"};
}

Finding counters(const std::vector<int>& cpus) {
  const CounterChoice choice = choose_counters({likwid_source(cpus), perf_event_source()});
  if (choice.counters) {
    const std::string why = choice.reason.empty() ? "" : fmt::format(" ({})", choice.reason);
    return {"hardware counters", true, choice.source + why, ""};
  }
  return {"hardware counters", false, choice.reason,
          "records hold no cycles, cache or branch misses; the clock is measured by a chain of additions instead"};
}

Finding energy() {
  std::vector<std::string> read;
  std::vector<std::string> missing;
  try {
    for (const DeviceMetering& gpu : survey_device_meters()) {
      if (gpu.reason.empty()) read.push_back(gpu.name + " by NVML");
      if (!gpu.reason.empty()) missing.push_back(fmt::format("{}: {}", gpu.name, gpu.reason));
    }
  } catch (const EnergyUnavailable& why) {
    missing.push_back(fmt::format("GPU: {}", why.what()));
  }
  try {
    read.push_back(fmt::format("host ({}) by RAPL", join(open_host_meter()->domains())));
  } catch (const EnergyUnavailable& why) {
    missing.push_back(fmt::format("host: {}", why.what()));
  }
  const std::string detail = fmt::format("{}{}{}", fmt::join(read, "; "), read.empty() || missing.empty() ? "" : "; ",
                                         fmt::join(missing, "; "));
  return {"energy", missing.empty(), detail,
          missing.empty() ? "" : "cells measured with --energy have no joules of what is missing here"};
}

Finding cuda_toolkit() {
  if (cuda_built()) {
    const ordered_json& libraries = build_record()["libraries"];
    return {"CUDA toolkit", true,
            fmt::format("built with CUDA {}, CUB {}", plain_text(libraries["CUDA"]), plain_text(libraries["CUB"])), ""};
  }
  if (const auto nvcc = find_program("nvcc", {"/usr/local/cuda/bin", "/opt/cuda/bin"})) {
    return {"CUDA toolkit", false, fmt::format("{}, but this build is without CUDA", *nvcc),
            "GPU sorts are not built: configure again with -D SORTLAB_CUDA=ON"};
  }
  return {"CUDA toolkit", false, "no nvcc on PATH or in /usr/local/cuda", "GPU sorts are not built"};
}

Finding gpu() {
  const Gpus& gpus = gpus_here();
  if (gpus.names.empty())
    return {"GPU", false, gpus.reason, "GPU sorts cannot run; their published numbers are shown alone"};
  return {"GPU", true, fmt::format("{} (driver for CUDA {})", join(gpus.names), gpus.cuda), ""};
}

Finding find_calibration() {
  const fs::path path = local_results(machine_id()) / "profile.json";
  if (!fs::exists(path))
    return {"calibration", false, "none", "models cannot predict for this machine: run `sortlab calibrate --quick`"};
  try {
    const MachineProfile profile = read_profile(path.string());
    std::string detail = profile.tables.empty() ? "" : profile.source;
    for (const MachineProfile& device : profile.devices)
      detail += fmt::format("{}{}: {}", detail.empty() ? "" : "; ", device.name, device.source);
    if (profile.tables.empty())
      return {"calibration", false, detail, "models cannot predict for the host: run `sortlab calibrate --only host`"};
    if (profile.devices.empty() && !gpus_here().names.empty())
      return {"calibration", false, detail, "models cannot predict for the GPU: run `sortlab calibrate --only device`"};
    return {"calibration", true, detail, ""};
  } catch (const BadInput& error) {
    return {"calibration", false, error.what(), "move it away, and run `sortlab calibrate --quick`"};
  }
}

Finding profiler() {
  const Ncu ncu = find_ncu();
  if (!ncu.path.empty()) return {"GPU profiler", true, fmt::format("{} (ncu {})", ncu.path, ncu.version), ""};
  return {"GPU profiler", false, ncu.reason, "`sortlab count` counts no GPU sorts; install NVIDIA Nsight Compute"};
}

Finding host_profiler() {
  const Valgrind valgrind = find_valgrind();
  if (!valgrind.path.empty()) {
    return {"CPU profiler", true, fmt::format("{} (valgrind {})", valgrind.path, valgrind.version), ""};
  }
  const std::string counters = why_no_instructions();
  return {"CPU profiler", false, valgrind.reason,
          counters.empty() ? "`sortlab count` counts by perf_event alone, which depends on the processor"
                           : "`sortlab count` counts no CPU sorts; install valgrind"};
}

Finding python() {
  const auto path = find_python();
  if (!path) return {"Python", false, "no python3 on PATH", "no tables, figures or report; install python3"};
  const auto missing = missing_packages(*path);
  if (!missing) return {"Python", false, *path + " cannot be run", "no tables, figures or report; set SORTLAB_PYTHON"};
  if (missing->empty()) return {"Python", true, *path, ""};
  return {"Python", false, fmt::format("{}, without {}", *path, join(*missing)),
          fmt::format("no tables, figures or report; install python3-{}", fmt::join(*missing, " python3-"))};
}

/// Reports external sorts that are not part of the Linux distribution.
void add_not_built(std::vector<Finding>& findings) {
  for (const NotBuilt& peer : not_built()) {
    if (*peer.option == '\0') {
      findings.push_back({peer.name, false, fmt::format("{} is for x86 processors only", peer.what),
                          "it cannot be compared with on this machine"});
      continue;
    }
    findings.push_back({peer.name, false, fmt::format("not in this build, which needs {}", peer.what),
                        fmt::format("it cannot be compared with: configure with -D {}=<where it is>", peer.option)});
  }
}

/// Reports external sorts that are built from other sources than those of peers.lock.
void add_other_peers(std::vector<Finding>& findings) {
  for (const OtherPeer& peer : other_peers()) {
    findings.push_back(
        {peer.what, false, fmt::format("built from {}; peers.lock has {}", peer.built, peer.locked),
         "its times may differ from kept records: `harness/setup/fetch_peers.py FOLDER` brings that commit"});
  }
}

}  // namespace

std::vector<Finding> examine() {
  const ordered_json& machine = machine_record();
  const ordered_json environment = environment_record();
  std::vector<Finding> findings{
      {"machine", true, fmt::format("{} ({})", plain_text(machine["name"]), machine_id()), ""},
      build(),
      source(),
      places(),
      compiler(),
      simd(machine),
      cores(machine, environment),
      caches(machine),
      memory(machine, environment),
      huge_pages(environment),
      clock(environment),
      load(environment),
      interrupts(environment),
      process(environment),
      variables(),
      shared_libraries(),
      counters(environment["affinity"].get<std::vector<int>>()),
      energy(),
      cuda_toolkit(),
      gpu(),
      find_calibration(),
      profiler(),
      host_profiler(),
      python(),
  };
  add_modules(findings);
  add_not_built(findings);
  add_other_peers(findings);
  return findings;
}

}  // namespace sortlab
