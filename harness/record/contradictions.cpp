#include "harness/record/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/key_types.hpp"
#include "core/names.hpp"
#include "core/statistics.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/timed_sample.hpp"
#include "harness/machine/free_cores.hpp"
#include "harness/machine/interrupts.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

bool is_measured(const ordered_json& record) {
  return record["kind"] == "measurement" || record["kind"] == "component";
}

/// Relative difference that two computations of one number may have.
constexpr double kRounding = 1e-9;

/// True if two computations of one number agree but for rounding.
bool agree(double a, double b) {
  return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b));
}

/// Checks the lists that have a member for each sample.
std::optional<std::string> wrong_length(const ordered_json& record, std::size_t samples) {
  for (const char* name : {"processes", "inputs", "batches"}) {
    const auto list = record.find(name);
    if (list != record.end() && list->size() != samples) {
      return fmt::format("{}: must have a number for each of the {} samples, not {}", name, samples, list->size());
    }
  }
  if (samples > 0 && record["protocol"].contains("interleaved") && !record.contains("inputs")) {
    return fmt::format("inputs: must have a number for each of the {} samples where they are interleaved", samples);
  }
  return std::nullopt;
}

/// Bytes of keys and values in the input of a measured case.
double case_bytes(const ordered_json& of_case) {
  const auto key = value_named<KeyType>(of_case["key_type"].get_ref<const std::string&>());
  const auto value = value_named<ValueType>(of_case["value_type"].get_ref<const std::string&>());
  if (key == KeyType::string) return of_case["bytes"];
  return of_case["n"].get<double>() * (byte_size(*key) + byte_size(*value));
}

/// Processors whose cycles cpe_core counts: threads, or multiprocessors of a device.
double counted_cores(const ordered_json& record) {
  return record.contains("device") ? record["device"]["multiprocessors"] : record["case"]["threads"];
}

/// Checks the numbers that follow from samples, case and clock.
std::optional<std::string> wrong_derived(const ordered_json& record) {
  const std::vector<double> samples = record["samples_s"];
  const double middle = record["median_s"];
  const double n = record["case"]["n"];
  const auto differs = [&](const char* name, double expected) { return !agree(record[name], expected); };
  if (differs("median_s", median(samples))) return "median_s: must be the median of samples_s";
  if (differs("mean_s", mean(samples))) return "mean_s: must be the mean of samples_s";
  if (differs("min_s", std::ranges::min(samples))) return "min_s: must be the least of samples_s";
  if (differs("keys_per_s", n / middle)) return "keys_per_s: must be n over median_s";
  if (differs("bytes_per_s", 2 * case_bytes(record["case"]) / middle)) {
    return "bytes_per_s: must be twice the bytes of keys and values over median_s";
  }
  const bool has_cycles = n > 0 && record["clock_hz"].is_number();
  for (const std::string_view name : {"cpe_wall", "cpe_core"}) {
    const ordered_json& cycles = record[name];
    if (cycles.is_null() && !has_cycles) continue;
    if (!has_cycles) return fmt::format("{}: must be null where there are no elements or no clock_hz", name);
    const bool all_cores = name == "cpe_core";
    const double expected = (all_cores ? counted_cores(record) : 1) * record["clock_hz"].get<double>() * middle / n;
    if (cycles.is_number() && agree(cycles, expected)) continue;
    return fmt::format("{}: must be {}clock_hz times median_s over n", name, all_cores ? "processors times " : "");
  }
  if (record.contains("called_s") && record.contains("called_median_s") &&
      differs("called_median_s", median(record["called_s"].get<std::vector<double>>()))) {
    return "called_median_s: must be the median of called_s";
  }
  if (!record.contains("phases_over_whole")) return std::nullopt;
  double phases_s = 0;
  for (const ordered_json& phase : record["phases"]) phases_s += phase["median_s"].get<double>();
  if (!differs("phases_over_whole", phases_s / middle)) return std::nullopt;
  return "phases_over_whole: must be the sum of the phases' median_s over median_s";
}

/// Checks that a measurement which names a cause of disturbance is called disturbed. Older records lack some causes.
std::optional<std::string> wrong_mark(const ordered_json& record) {
  if (!record.contains("disturbed") || record["disturbed"] == true) return std::nullopt;
  const auto number = [&](const char* name, double otherwise) {
    return record.contains(name) && record[name].is_number() ? record[name].get<double>() : otherwise;
  };
  const auto is = [&](const char* name, bool value) { return record.contains(name) && record[name] == value; };
  const char* cause = nullptr;
  for (const char* share : {"core_share", "device_share"}) {
    if (number(share, 1) < FreeCores::kFree) cause = share;
  }
  for (const char* share : {"waited_share", "throttled_share", "stopped_share"}) {
    if (number(share, 0) > kLeastWaiting) cause = share;
  }
  if (number("clock_share", 1) < kLeastClock) cause = "clock_share";
  if (number("interrupts_per_s", 0) > InterruptRates::kMaxPerSecond) cause = "interrupts_per_s";
  if (number("huge_page_share", 1) < kLeastInHugePages) cause = "huge_page_share";
  if (number("pages_read", 0) > 0) cause = "pages_read";
  for (const char* mark : {"traced", "huge_pages_changed"}) {
    if (is(mark, true)) cause = mark;
  }
  if (is("affinity_held", false)) cause = "affinity_held";
  if (cause == nullptr) return std::nullopt;
  return fmt::format("disturbed: must be true where {} is {}", cause, record[cause].dump());
}

/// Checks the joules that follow from the windows in which they were metered.
std::optional<std::string> wrong_energy(const ordered_json& energy) {
  const ordered_json& windows = energy["windows"];
  const auto per_sort = [&](const char* whole, const char* restoring) {
    double sum = 0;
    for (const ordered_json& w : windows) {
      sum += (w[whole].get<double>() - w[restoring].get<double>()) / w["sorts"].get<double>();
    }
    return sum / static_cast<double>(windows.size());
  };
  const double joules = energy["joules_per_sort"];
  const double seconds = energy["seconds_per_sort"];
  const double idle_w = (energy["idle_before_w"].get<double>() + energy["idle_after_w"].get<double>()) / 2;
  // A difference of two numbers is as exact as these are.
  const auto is = [&](double value, double expected) {
    return std::abs(value - expected) <= kRounding * std::max(joules, idle_w * seconds);
  };
  if (!agree(joules, per_sort("joules", "restoring_joules"))) {
    return "energy.joules_per_sort: must be the mean of the windows' joules over their sorts, without restoring";
  }
  if (!agree(seconds, per_sort("seconds", "restoring_seconds"))) {
    return "energy.seconds_per_sort: must be the mean of the windows' seconds over their sorts, without restoring";
  }
  if (!agree(energy["mean_power_w"], joules / seconds)) {
    return "energy.mean_power_w: must be joules_per_sort over seconds_per_sort";
  }
  if (!is(energy["net_joules_per_sort"], joules - idle_w * seconds)) {
    return "energy.net_joules_per_sort: must be joules_per_sort without the idle power in that time";
  }
  double sum = 0;
  for (const ordered_json& of_domain : energy["joules_per_sort_by_domain"]) sum += of_domain.get<double>();
  if (!is(sum, joules)) return "energy.joules_per_sort_by_domain: must add up to joules_per_sort";
  for (const std::string name : {"joules_per_sort", "net_joules_per_sort"}) {
    const ordered_json& interval = energy[name + "_ci95"];
    if (energy[name] < interval[0] || energy[name] > interval[1]) {
      return fmt::format("energy.{}_ci95: must be two numbers around {}", name, name);
    }
  }
  return std::nullopt;
}

/// Checks that a record has its energy or the reason why there is none.
std::optional<std::string> check_energy(const ordered_json& record) {
  const auto is_null = [&](const char* name) { return !record.contains(name) || record[name].is_null(); };
  if (record.contains("energy") != record.contains("energy_reason") ||
      (record.contains("energy") && is_null("energy") == is_null("energy_reason"))) {
    return "energy_reason: must be a text where energy is null, and null where it is not";
  }
  return is_null("energy") ? std::nullopt : wrong_energy(record["energy"]);
}

/// Checks the times of a measurement that is ok against each other and against n.
std::optional<std::string> wrong_times(const ordered_json& record) {
  const double median = record["median_s"];
  if (median < record["ci95_s"][0].get<double>() || median > record["ci95_s"][1].get<double>()) {
    return "ci95_s: must be two positive times around median_s";
  }
  if (auto fault = wrong_derived(record)) return fault;
  if (auto fault = wrong_mark(record)) return fault;
  if (auto fault = check_energy(record)) return fault;
  const std::size_t samples = record["samples_s"].size();
  const ordered_json& verified = record["verification"]["samples"];
  if (verified.get<double>() != static_cast<double>(samples)) {
    return fmt::format("verification.samples: must be {}, the number of samples_s, not {}", samples,
                       verified.get<double>());
  }
  return std::nullopt;
}

/// The machine of a run, or of a record that was made in one.
std::string machine_in(const ordered_json& record) {
  return record["kind"] == "run" ? record["machine"]["id"] : record["machine"];
}

}  // namespace

std::optional<std::string> own_contradiction(const ordered_json& record) {
  if (record.contains("cell") && record.contains("case") && record["cell"] != cell_id(record["case"])) {
    return fmt::format("cell: must be {}, which follows from the case", cell_id(record["case"]));
  }
  if (is_measured(record)) {
    const std::size_t samples = record.contains("samples_s") ? record["samples_s"].size() : 0;
    if (record["status"] == "ok") {
      if (auto fault = wrong_times(record)) return fault;
    }
    return wrong_length(record, samples);
  }
  if (record["kind"] == "prediction" && record.contains("energy")) {
    double sum = 0;
    for (const ordered_json& phase : record["energy"]["phases"]) {
      sum += phase["static_joules"].get<double>() + phase["dynamic_joules"].get<double>();
    }
    if (!agree(record["energy"]["joules"], sum)) return "energy.joules: must be the sum of the phases' joules";
  }
  if (record["kind"] == "prediction" && record.contains("what_if") && record["seconds"] <= 0) {
    return "seconds: must be above 0 where there is a what_if, which is a ratio of times";
  }
  if (record["kind"] == "published" && (record["value"].is_null() || record["unit"].is_null())) {
    return std::string{record["value"].is_null() ? "value" : "unit"} + ": must be given";
  }
  return std::nullopt;
}

std::optional<std::string> EarlierRecords::take(const ordered_json& record, const std::vector<ordered_json>& earlier,
                                                const NamePlace& name_place) {
  const std::string kind = record["kind"];
  const std::size_t place = earlier.size();
  const auto is_copy = [&](std::size_t of) {  // the order of members does not matter
    return nlohmann::json(earlier[of]) == nlohmann::json(record);
  };
  if (kind == "run") {
    const auto [first, is_new] = described_.try_emplace(record["run"], place);
    if (!is_new && !is_copy(first->second)) {
      return fmt::format("run: must be there once; {} has it with other values", name_place(first->second));
    }
  } else if (kind != "count" && !is_measured(record)) {
    return std::nullopt;
  }
  const auto [run, is_new_run] = runs_.try_emplace(record["run"], place);
  if (!is_new_run && machine_in(earlier[run->second]) != machine_in(record)) {
    return fmt::format("machine{}: must be {}, that of its run on {}", kind == "run" ? ".id" : "",
                       machine_in(earlier[run->second]), name_place(run->second));
  }
  if (kind == "run") return std::nullopt;
  const std::string identity = kind + ' ' + record["run"].get<std::string>() + ' ' + record["key"].get<std::string>();
  const auto [first, is_new] = measured_.try_emplace(identity, place);
  if (!is_new && !is_copy(first->second)) {
    return fmt::format("key: must be there once in a run; {} has it with other values", name_place(first->second));
  }
  return std::nullopt;
}

}  // namespace sortlab
