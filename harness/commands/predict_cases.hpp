// The cases for `predict`, from the command line, a config, or a file of records.
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
  std::vector<std::string> left_out;  ///< reasons other cases are left out, one per line
  std::set<std::string> chosen_here;  ///< `auto` parameters that were resolved for this processor (make_chooser())
};

/// The cells of options or of a config file, with `auto` resolved as `machine` would.
PredictedCases cases_on(const MachineProfile& machine, const CaseOptions& options, const std::string& config);

/// The measured or counted sorts in a file of records, each cell once. Empty if all were skipped or are components.
/// Throws BadInput if the file holds no cell at all.
PredictedCases measured_cases(const std::string& path);

/// The times of the measured sorts in a file of records, for fitting.
std::vector<SortTime> measured_times(const std::string& path);

}  // namespace sortlab
