// Predictions for cells, and the choice of parameters that are `auto` by them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "harness/plan/tuning.hpp"
#include "models/model.hpp"

namespace sortlab {

/// This machine's calibrated profile (results/local/<machine>/profile.json), or null without one. Read once.
const MachineProfile* local_profile();

/// The part of `machine` that runs the sort: a device of it, or the host. Null if it has none.
const MachineProfile* runs_on(const Case&, const MachineProfile& machine);

Workload workload_of(const Case&);

/// Views of inputs, made once for all cells that share one.
class Views {
 public:
  const DistributionView& of(const Case&);

 private:
  std::map<std::string, std::unique_ptr<DistributionView>> views_;
};

/// Replaces each parameter that is auto: by what a sweep found on this machine (use_tuning_where_auto); else by the
/// plug-in's own choice (Algorithm::automatic) where it has one; else by the candidates (Parameter::automatic) that the
/// algorithm's analytical model predicts the shortest time for on `machine`, the first of those alike; else, without
/// profile or model, by the first candidates.
void resolve_automatic(Case& c, const MachineProfile* machine, const Tunings& tunings = {});

}  // namespace sortlab
