// The cases for `predict`: from the command line, a config, or a file of records.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/commands/case_options.hpp"
#include "models/fitted.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

struct PredictedCases {
  std::vector<Case> cases;
  std::vector<std::string> left_out;  ///< why others are not among them, one per line
  std::set<std::string> chosen_here;  ///< `auto` parameters resolved as on this processor (make_chooser)
};

/// The cells of options or of a config file, as `machine` would run them, with its own choices for what is auto.
PredictedCases cases_on(const MachineProfile& machine, const CaseOptions& options, const std::string& config);

/// The sorts of a file of records that were measured or counted, each cell once: none if all were skipped or are
/// components. Throws BadInput if it holds no cell at all.
PredictedCases measured_cases(const std::string& path);

/// The times of the measured sorts of a file of records, for fitting.
std::vector<SortTime> measured_times(const std::string& path);

}  // namespace sortlab
