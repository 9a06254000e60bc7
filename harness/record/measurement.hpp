// What became of a cell, and the record that says so.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/counters.hpp"
#include "harness/measure/stopping_rule.hpp"
#include "harness/plan/config.hpp"

namespace sortlab {

/// One phase of one sample, in seconds since the sort began.
struct PhaseTime {
  std::string name;
  int pass = 0;
  double begin_s = 0;
  double end_s = 0;
};

/// One verified, timed sort.
struct Sample : TimedSample {
  double clock_hz = 0;
  std::vector<PhaseTime> phases;
  CounterValues counters;
};

struct CellResult {
  std::string status;   ///< ok, wrong, failed, crashed, timeout, skipped
  std::string reason;   ///< in words, unless ok
  std::string signal;   ///< SIGSEGV …, if crashed by one
  std::string stopped;  ///< interval, budget or samples, if ok
  std::vector<Sample> samples;
  double spent_s = 0;
  std::optional<double> entropy_bits;
  std::vector<int> affinity;
  nlohmann::ordered_json device;  ///< what it ran on; null: the host
  std::uint64_t scratch_bytes = 0;
  std::string counters_reason;          ///< why there are none
  nlohmann::ordered_json verification;  ///< of the last sample; null if none was verified
};

/// The record (results/README.md) of `result`: a `measurement`, or a `component` if the cell names one. Times appear
/// only if its status is ok.
nlohmann::ordered_json measurement_record(const Cell& cell, const CellResult& result, const std::string& run,
                                          const std::string& machine);

}  // namespace sortlab
