// A cell's measurement, and its record.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/cell/result.hpp"

namespace sortlab {

/// A cell's measurement, in the types that commands and stages pass on; its record holds the same.
struct Measured {
  Status status = Status::skipped;
  std::string reason{};             ///< in words, unless ok
  bool expected = false;            ///< true: the plug-in declares this failure as a known limit
  std::vector<double> samples_s{};  ///< samples that count; empty unless ok, like the members that follow
  double median_s = 0;
  std::array<double, 2> ci95_s{};
  double clock_hz = 0;
  std::optional<double> cpe_core{};    ///< cycles of all cores per element; nullopt for no elements
  std::optional<CellEnergy> energy{};  ///< joules, or the reason for none, where they were asked for
  Disturbance disturbance{};           ///< the worst of the samples that count, cause by cause

  bool is_disturbed() const { return disturbance.counts(); }
};

/// True if the plug-in declares this failure: it names one of its limits, or it ran out of time on an input on which it
/// is known to collapse.
bool is_expected(const Case& c, const CellResult& result);

/// The measurement that `result` gives for a cell.
Measured measured(const Cell& cell, const CellResult& result);

/// The status, reason and times in a record of a file, or nullopt if the record is of another kind or lacks a member.
std::optional<Measured> measured_in(const nlohmann::ordered_json& record);

/// The record (results/README.md) of `result`: a `measurement`, or a `component` if the cell names one. Times appear
/// only if its status is ok.
nlohmann::ordered_json measurement_record(const Cell& cell, const CellResult& result, const std::string& run,
                                          const std::string& machine);

}  // namespace sortlab
