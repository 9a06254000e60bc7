#include "harness/machine/environment.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/affinity.hpp"
#include "core/parameters.hpp"
#include "core/raw_clock.hpp"
#include "harness/machine/control_groups.hpp"
#include "harness/machine/counters.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/interrupts.hpp"
#include "harness/machine/loaded_libraries.hpp"
#include "harness/machine/process_state.hpp"
#include "harness/machine/processor.hpp"
#include "harness/machine/worker_environment.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// The first line of a file in /proc or /sys, or nullopt.
std::optional<std::string> first_line(const fs::path& path) {
  std::ifstream file{path};
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return line;
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return std::nullopt;
  Number number{};
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return error == std::errc{} ? std::optional{number} : std::nullopt;
}

template <class Number>
std::optional<Number> read_number(const fs::path& path) {
  const auto line = first_line(path);
  return line ? number_in<Number>(*line) : std::nullopt;
}

/// The fact as JSON, or null if it is not known.
template <class T>
ordered_json known(const std::optional<T>& fact) {
  return fact ? ordered_json(*fact) : ordered_json(nullptr);
}

/// The value after `name` in a file of "name: value" lines.
std::optional<std::string> read_field(const fs::path& path, std::string_view name) {
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || !line.starts_with(name)) continue;
    if (line.find_first_not_of(" \t", name.size()) != colon) continue;
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string::npos ? std::string{} : line.substr(value);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> meminfo_bytes(std::string_view name) {
  const auto text = read_field("/proc/meminfo", name);
  const auto kib = text ? number_in<std::uint64_t>(*text) : std::nullopt;
  return kib ? std::optional{*kib * 1024} : std::nullopt;
}

/// The word in brackets: "madvise" for "always [madvise] never".
std::optional<std::string> bracketed_word(const fs::path& path) {
  const auto line = first_line(path);
  if (!line) return std::nullopt;
  const std::size_t open = line->find('[');
  const std::size_t close = line->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return line;
  return line->substr(open + 1, close - open - 1);
}

std::optional<bool> boost() {
  if (const auto on = read_number<int>("/sys/devices/system/cpu/cpufreq/boost")) return *on != 0;
  if (const auto off = read_number<int>("/sys/devices/system/cpu/intel_pstate/no_turbo")) return *off == 0;
  return std::nullopt;
}

std::optional<double> hottest_celsius() {
  std::optional<double> hottest;
  std::error_code ignored;
  const auto look = [&](const fs::path& sensor) {
    const auto millidegrees = read_number<double>(sensor);
    if (millidegrees && *millidegrees > 0) hottest = std::max(hottest.value_or(0), *millidegrees / 1000);
  };
  for (const auto& zone : fs::directory_iterator("/sys/class/thermal", ignored)) look(zone.path() / "temp");
  for (const auto& chip : fs::directory_iterator("/sys/class/hwmon", ignored)) {
    for (int sensor = 1; sensor <= 8; ++sensor) look(chip.path() / fmt::format("temp{}_input", sensor));
  }
  return hottest;
}

/// The smallest observed step of RawClock, in seconds.
double timer_resolution() {
  RawClock::duration smallest = RawClock::duration::max();
  for (int i = 0; i < 200; ++i) {
    const auto begin = RawClock::now();
    auto end = RawClock::now();
    while (end == begin) end = RawClock::now();
    smallest = std::min(smallest, end - begin);
  }
  return std::chrono::duration<double>(smallest).count();
}

ordered_json cgroup_limits() {
  const ControlGroups groups;
  return {{"cpu_quota", known(groups.cpu_quota())}, {"memory_limit_bytes", known(groups.memory_limit())}};
}

std::optional<std::string> os_name() {
  std::ifstream file{"/etc/os-release"};
  constexpr std::string_view name = "PRETTY_NAME=";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    line.erase(0, name.size());
    std::erase(line, '"');
    return line;
  }
  return std::nullopt;
}

/// Number of running or ready tasks, this one included: the "2" in "0.12 0.05 0.01 2/345 6789".
std::optional<int> running_tasks() {
  const auto line = first_line("/proc/loadavg");
  if (!line) return std::nullopt;
  const std::size_t slash = line->find('/');
  const std::size_t space = slash == std::string::npos ? slash : line->rfind(' ', slash);
  return space == std::string::npos ? std::nullopt : number_in<int>(std::string_view{*line}.substr(space));
}

}  // namespace

ordered_json environment_record() {
  const fs::path cpu = "/sys/devices/system/cpu";
  const fs::path thp = "/sys/kernel/mm/transparent_hugepage";
  const fs::path huge_pages = "/sys/kernel/mm/hugepages";
  utsname names{};
  uname(&names);
  const auto swap = meminfo_bytes("SwapTotal");
  const auto swap_free = meminfo_bytes("SwapFree");
  const auto isolated = first_line(cpu / "isolated");
  const CounterChoice counters = choose_counters({perf_event_source()});
  const Gpus& gpus = gpus_here();
  const auto unless_empty = [](const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
  };
  ordered_json record{
      {"kernel", fmt::format("{} {}", names.sysname, names.release)},
      {"os", known(os_name())},
      {"hypervisor", unless_empty(processor().hypervisor)},
      {"microcode", known(read_field("/proc/cpuinfo", "microcode"))},
      {"governor", known(first_line(cpu / "cpu0/cpufreq/scaling_governor"))},
      {"scaling_driver", known(first_line(cpu / "cpu0/cpufreq/scaling_driver"))},
      {"boost", known(boost())},
      {"smt", known(first_line(cpu / "smt/control"))},
      {"transparent_huge_pages", known(bracketed_word(thp / "enabled"))},
      {"transparent_huge_pages_defrag", known(bracketed_word(thp / "defrag"))},
      {"huge_pages_2m", known(read_number<int>(huge_pages / "hugepages-2048kB/nr_hugepages"))},
      {"huge_pages_1g", known(read_number<int>(huge_pages / "hugepages-1048576kB/nr_hugepages"))},
      {"numa_balancing", known(read_number<int>("/proc/sys/kernel/numa_balancing"))},
      {"memory_available_bytes", known(meminfo_bytes("MemAvailable"))},
      {"swap_bytes", known(swap)},
      {"swap_used_bytes", swap && swap_free ? ordered_json(*swap - *swap_free) : ordered_json(nullptr)},
      {"load_1min", known(read_number<double>("/proc/loadavg"))},
      {"running_tasks", known(running_tasks())},
      {"uptime_s", known(read_number<double>("/proc/uptime"))},
      {"aslr", known(read_number<int>("/proc/sys/kernel/randomize_va_space"))},
      {"temperature_c", known(hottest_celsius())},
      {"clock_source", known(first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource"))},
      {"timer_resolution_s", timer_resolution()},
      {"affinity", allowed_cpus()},
      {"isolated_cpus", unless_empty(isolated.value_or(""))},
      {"cgroup", cgroup_limits()},
      {"variables", variables_record()},
      {"libraries", loaded_libraries()},
      {"perf_event_paranoid", known(read_number<int>("/proc/sys/kernel/perf_event_paranoid"))},
      {"interrupts_shown", are_interrupts_shown()},
      {"counters", unless_empty(counters.source)},
      {"counters_reason", unless_empty(counters.reason)},
      {"gpus", unless_empty(join(gpus.names))},
      {"gpus_reason", unless_empty(gpus.reason)},
      {"cuda_driver", unless_empty(gpus.cuda)},
  };
  record.update(process_record());
  return record;
}

std::string huge_page_setting(const ordered_json& environment) {
  if (environment["huge_pages_disabled"] == true) return "disabled";
  const ordered_json& mode = environment["transparent_huge_pages"];
  return mode.is_string() ? mode.get<std::string>() : "";
}

}  // namespace sortlab
