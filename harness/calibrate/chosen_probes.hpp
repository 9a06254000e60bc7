// The choice of probes for a calibration.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "algorithms/probe.hpp"

namespace sortlab::calibration {

/// Throws BadInput for a name that is not in `known`.
void require_known_probes(const std::vector<std::string>& names, const std::vector<std::string>& known);

/// The probes with these names, or all probes if there are no names. Throws BadInput for an unknown name.
template <class Bench>
std::vector<Probe<Bench>> chosen_probes(const std::vector<Probe<Bench>>& probes,
                                        const std::vector<std::string>& names) {
  if (names.empty()) return probes;
  std::vector<std::string> known;
  for (const Probe<Bench>& probe : probes) known.push_back(probe.name);
  require_known_probes(names, known);
  std::vector<Probe<Bench>> chosen;
  std::ranges::copy_if(probes, std::back_inserter(chosen),
                       [&](const Probe<Bench>& probe) { return std::ranges::find(names, probe.name) != names.end(); });
  return chosen;
}

}  // namespace sortlab::calibration
