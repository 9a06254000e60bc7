// The part of `sortlab recommend` about a machine that is not here: predictions, and kept records of sorts without a
// model.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/commands/case_options.hpp"
#include "models/model.hpp"

namespace sortlab {

/// The phases' resource that takes the longest, for people: "scatter 62 %, bound by memory"; empty without phases.
std::string binding_text(const std::vector<PhasePrediction>& phases);

struct ElsewhereRequest {
  std::string machine;                       ///< as `--machine` names it
  CaseOptions cases;                         ///< file, types; the algorithms are filled in
  int threads = 0;                           ///< threads of sorts that can use several; 0: the machine's processors
  bool stable = false;                       ///< stable sorts only
  bool limits_scratch = false;               ///< only sorts whose scratch memory is known here to be small enough
  std::set<std::string> too_much_scratch{};  ///< sorts that need more, by measurements here
};

/// Time of a sort on that machine.
struct ElsewhereSort {
  std::string algorithm;
  int threads = 1;
  double seconds = 0;
  std::string from;                                 ///< "component", "hardware" or "nearest record"
  std::optional<std::array<double, 2>> interval{};  ///< 90 % of the validated cells lay within
  std::size_t interval_cells = 0;
  std::string why{};      ///< binding_text()
  std::string nearest{};  ///< input and size of a nearest record
};

struct Elsewhere {
  std::string machine;
  std::vector<ElsewhereSort> sorts;                          ///< fastest first, each sort once
  std::map<std::string, std::vector<std::string>> left_out;  ///< sorts by reason
};

/// Throws BadInput if there is no such machine.
Elsewhere recommend_elsewhere(const ElsewhereRequest& request);

nlohmann::ordered_json to_json(const Elsewhere&);
/// A table, and the sorts left out, in lines.
std::string elsewhere_text(const Elsewhere&);
/// "on NAME, SORT would take about 3 ms (2.6 to 3.9 ms), predicted, copies included", or the same of a record.
std::string elsewhere_clause(const Elsewhere&);

}  // namespace sortlab
