// `auto` parameters for another machine: what plug-ins chose by its processor is known only from its records.
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

  /// Gives `c` the parameters of the newest cell that differs from it at most in `auto` ones. Returns whether there is
  /// one.
  bool apply(Case& c) const;

 private:
  std::map<std::string, std::vector<std::pair<std::string, Parameters>>> choices_;  ///< run and parameters, by input
};

/// Resolves `auto` as on `machine`: as recorded there, else by the models from its profile. What a host plug-in chooses
/// by itself is then chosen as on this machine, and `chosen_here` gets its name: "my_sort digit_bits". Parameters that
/// no model predicts are left unchanged. Keeps references to both.
std::function<void(Case&)> make_chooser(const MachineProfile& machine, std::set<std::string>& chosen_here);

}  // namespace sortlab
