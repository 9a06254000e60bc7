#include "harness/record/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace sortlab {
namespace {

using nlohmann::ordered_json;

bool is_measured(const ordered_json& record) {
  return record["kind"] == "measurement" || record["kind"] == "component";
}

/// True if two computations of one number agree but for rounding.
bool agree(double a, double b) {
  constexpr double rounding = 1e-9;
  return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
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

/// Checks the times of a measurement that is ok against each other and against n.
std::optional<std::string> wrong_times(const ordered_json& record) {
  const double median = record["median_s"];
  if (median < record["ci95_s"][0].get<double>() || median > record["ci95_s"][1].get<double>()) {
    return "ci95_s: must be two positive times around median_s";
  }
  const std::size_t samples = record["samples_s"].size();
  const auto differs = [&](const char* name, double expected) {
    return record.contains(name) && !agree(record[name], expected);
  };
  if (differs("keys_per_s", record["case"]["n"].get<double>() / median)) return "keys_per_s: must be n over median_s";
  const ordered_json& verified = record["verification"]["samples"];
  if (verified.get<double>() != static_cast<double>(samples)) {
    return fmt::format("verification.samples: must be {}, the number of samples_s, not {}", samples,
                       verified.get<double>());
  }
  return std::nullopt;
}

/// True if two cases agree in all that a cell's id is made of.
bool is_same_cell(const ordered_json& a, const ordered_json& b) {
  constexpr std::array names{"algorithm", "component",    "parameters",
                             "key_type",  "value_type",   "layout",
                             "n",         "distribution", "distribution_parameters",
                             "seed",      "residency",    "host_memory",
                             "threads"};
  const auto member = [](const ordered_json& of_case, const char* name) {
    return of_case.contains(name) ? nlohmann::json(of_case[name]) : nlohmann::json();
  };
  return std::ranges::all_of(names, [&](const char* name) { return member(a, name) == member(b, name); });
}

}  // namespace

std::optional<std::string> own_contradiction(const ordered_json& record) {
  if (is_measured(record)) {
    const std::size_t samples = record.contains("samples_s") ? record["samples_s"].size() : 0;
    if (record["status"] == "ok") {
      if (auto fault = wrong_times(record)) return fault;
    }
    return wrong_length(record, samples);
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
                                                const std::vector<std::size_t>& lines) {
  const std::string kind = record["kind"];
  const std::size_t place = earlier.size();
  if (kind == "run") runs_.try_emplace(record["run"], place);
  if (kind != "prediction" && kind != "count" && !is_measured(record)) return std::nullopt;
  const auto [cell, is_new_cell] = cells_.try_emplace(record["cell"], place);
  if (!is_new_cell && !is_same_cell(earlier[cell->second]["case"], record["case"])) {
    return fmt::format("case: must be that of line {}, which has the same cell", lines[cell->second]);
  }
  if (kind == "prediction") return std::nullopt;
  if (const auto run = runs_.find(record["run"]); run != runs_.end()) {
    const std::string machine = earlier[run->second]["machine"]["id"];
    if (record["machine"] != machine) {
      return fmt::format("machine: must be {}, that of its run on line {}", machine, lines[run->second]);
    }
  }
  const std::string identity = kind + ' ' + record["run"].get<std::string>() + ' ' + record["key"].get<std::string>();
  const auto [first, is_new] = measured_.try_emplace(identity, place);
  // The order of members does not matter.
  if (!is_new && nlohmann::json(earlier[first->second]) != nlohmann::json(record)) {
    return fmt::format("key: must be there once in a run; line {} has it with other values", lines[first->second]);
  }
  return std::nullopt;
}

}  // namespace sortlab
