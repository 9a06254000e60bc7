// Parameters that are auto, for another machine than this: what plug-ins chose by the processor there, only its records
// know.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/cell/case.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// The parameters of all cells measured on one machine, from the records kept of it:
/// results/reference/<machine>/*.jsonl and results/local/<machine>/*.jsonl. No time is read.
class RecordedChoices {
 public:
  /// Throws BadInput for a file that cannot be read.
  explicit RecordedChoices(const std::string& machine_id);

  /// Gives `c` the parameters of the newest cell that differs from it at most in those that are auto. Returns whether
  /// there is one.
  bool apply(Case& c) const;

 private:
  std::map<std::string, std::vector<std::pair<std::string, Parameters>>> choices_;  ///< run and parameters, by input
};

/// Chooses what is auto as `machine` would: as recorded there, else by the models from its profile. What a plug-in of
/// the host chooses by itself is chosen as here then, and `chosen_here` gets its name: "my_sort digit_bits". Leaves
/// alone what no model predicts. Keeps references to both.
std::function<void(Case&)> choice_of(const MachineProfile& machine, std::set<std::string>& chosen_here);

}  // namespace sortlab
