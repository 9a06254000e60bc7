// `auto` parameters for another machine. The choices that plug-ins made by its processor are known only from its
// records.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cell/case.hpp"
#include "harness/record/run_order.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// The parameters of all cells of one algorithm that were measured on one machine, from its kept records:
/// results/reference/<machine>/*.jsonl and results/local/<machine>/*.jsonl. No time is read.
class RecordedChoices {
 public:
  /// Throws BadInput for a file that cannot be read.
  RecordedChoices(const std::string& machine_id, std::string_view algorithm);

  /// Gives `c` the parameters of the newest cell that differs from it at most in `auto` parameters. False if there is
  /// none.
  bool apply(Case& c) const;

 private:
  RunStarts starts_{};
  std::map<std::string, std::vector<std::pair<std::string, Parameters>>> choices_{};  ///< run and parameters, by input
};

/// Makes a function that resolves `auto` for `machine`: as recorded there, else by the models from its profile.
/// Parameters that a host plug-in chooses by itself are then chosen for this machine, and their names are added to
/// `chosen_here`: "my_sort digit_bits". Parameters that no model predicts stay unchanged. The function refers to both
/// arguments.
std::function<void(Case&)> make_chooser(const MachineProfile& machine, std::set<std::string>& chosen_here);

}  // namespace sortlab
