// The errors of a validation taken apart by cause: the machine moved, the input's statistics were wrong, or right parts
// were put together wrongly.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/plugin.hpp"
#include "harness/run/signals.hpp"
#include "models/machine_profile.hpp"
#include "models/model_kind.hpp"

namespace sortlab {

inline constexpr const char* kSplitFile = "split.jsonl";

/// Natural logarithms of factors. The three causes add up to `whole`.
struct SplitError {
  double whole = 0;        ///< the committed prediction over the time
  double machine = 0;      ///< the committed prediction over one from the tables that were timed again just before
  double input = 0;        ///< the second prediction over one that knows all keys of the input instead of a trace
  double composition = 0;  ///< the last prediction over the time
};

/// Kind of model, plug-in, and phase (empty: the whole sort).
using SplitKey = std::tuple<ModelKind, std::string, std::string>;
using SplitErrors = std::map<SplitKey, std::vector<SplitError>>;

struct SplitOptions {
  std::filesystem::path folder;  ///< folder of a validation
  /// Times the tables that models of this plug-in read again, and returns the profile with them.
  std::function<MachineProfile(const Algorithm&, const MachineProfile&)> calibrate_again;
  std::size_t cells_of_sort = 4;  ///< maximum number of cells of each sort, the first that were drawn
  const StopSignals* stop = nullptr;
  bool quiet = false;
};

/// Calibrates the tables of each validated sort again, and right after this measures some of its cells again. The
/// records go to kSplitFile and the profiles to split-SORT.json, both in the folder. Throws BadInput if the folder
/// holds no validation of this machine.
SplitErrors split_errors(const SplitOptions& options);

/// `profile` with the values of those points that `again` holds, too.
MachineProfile updated(MachineProfile profile, const MachineProfile& again);

/// A Markdown table of the mean absolute errors, and of the signed means of the causes, the largest cause of a row
/// named last. Phases of less than a twentieth of their sort are not in it.
std::vector<std::string> split_table(const SplitErrors& errors);

}  // namespace sortlab
