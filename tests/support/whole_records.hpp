// Records that the schema accepts, made of the examples in tests/data with some members changed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/sha256.hpp"
#include "core/statistics.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/energy.hpp"
#include "harness/record/record_reader.hpp"

namespace sortlab {

/// Sixteen hexadecimal digits that stand for a word: a key.
inline std::string digest_for(const std::string& word) {
  return sha256_hex(word).substr(0, 16);
}

/// The id of a run that stands for a word.
inline std::string run_for(const std::string& word) {
  return "20261127T000000Z-" + digest_for(word);
}

/// The record with the cell that follows from its case.
inline nlohmann::ordered_json in_its_cell(nlohmann::ordered_json record) {
  record["cell"] = cell_id(record["case"]);
  return record;
}

/// The record of another cell for each number: its seed is the number, and its key is its cell.
inline nlohmann::ordered_json in_cell(int number, nlohmann::ordered_json record) {
  record["case"]["seed"] = number;
  record = in_its_cell(record);
  record["key"] = record["cell"];
  return record;
}

/// The first example of a kind, with these members in place of its own.
inline nlohmann::ordered_json whole_record(std::string_view kind,
                                           const nlohmann::ordered_json& members = nlohmann::ordered_json::object()) {
  static const RecordFile examples = read_records(SORTLAB_SOURCE_DIR "/tests/data/example_records.jsonl");
  for (const nlohmann::ordered_json& example : examples.records) {
    if (example["kind"] != std::string{kind}) continue;
    nlohmann::ordered_json record = example;
    record.update(members);
    return record;
  }
  throw std::logic_error(fmt::format("no example of kind {}", kind));
}

/// The measurement of keys of 32 bits on one thread with these samples, and with what follows from them, its case and
/// its clock. Its interval is the median alone.
inline nlohmann::ordered_json timed_record(nlohmann::ordered_json record, const std::vector<double>& samples) {
  const double middle = median(samples);
  const double n = record["case"]["n"];
  const double cycles = record["clock_hz"].get<double>() * middle / n;
  record.update({{"samples_s", samples},
                 {"median_s", middle},
                 {"ci95_s", {middle, middle}},
                 {"mean_s", mean(samples)},
                 {"min_s", std::ranges::min(samples)},
                 {"keys_per_s", n / middle},
                 {"bytes_per_s", 8 * n / middle},
                 {"cpe_wall", cycles},
                 {"cpe_core", cycles}});
  record["verification"]["samples"] = samples.size();
  return record;
}

/// The energy of a sort with these joules in its windows, on a device that draws 500 W when it sorts.
inline CellEnergy metered(const std::vector<double>& joules) {
  CellEnergy energy{.idle_before_w = 100, .idle_after_w = 110, .counter_step_s = 0.1, .counter_steps = 51};
  for (const double j : joules) {
    energy.windows.push_back({.sorts = 1000,
                              .seconds = 1000 * (j / 500 + 1e-4),
                              .joules = 1000 * (j + 0.02),
                              .restoring_seconds = 0.1,
                              .restoring_joules = 20});
  }
  energy.joules_by_domain["device"] = energy.gross().value;
  energy.integrated_over_counter = 1.01;
  energy.device = DeviceConditions{.sm_clock_hz = 1.98e9,
                                   .memory_clock_hz = 2.619e9,
                                   .temperature_begin_c = 40,
                                   .temperature_end_c = 45,
                                   .power_limit_w = 700};
  return energy;
}

/// The record of a measurement that gave no time.
inline nlohmann::ordered_json lost_record(nlohmann::ordered_json record, const std::string& status,
                                          const std::string& reason) {
  for (const char* of_times :
       {"samples_s", "processes", "median_s", "ci95_s", "mean_s", "min_s", "keys_per_s", "bytes_per_s", "cpe_wall",
        "cpe_core", "phases", "phases_from", "phase_time", "energy", "energy_reason"}) {
    record.erase(of_times);
  }
  record.update({{"status", status}, {"reason", reason}});
  return record;
}

}  // namespace sortlab
