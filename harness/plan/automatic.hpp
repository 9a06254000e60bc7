// The choice of parameters that are `auto`, by predictions.
#pragma once

#include "harness/plan/tuning.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/workload.hpp"

namespace sortlab {

/// Replaces each parameter that is auto: by what a sweep found on this machine (use_tuning_where_auto); else by the
/// plug-in's own choice (Algorithm::automatic) where it has one; else by the candidates (Parameter::automatic) that the
/// algorithm's model predicts the shortest time for on `machine`, the first of those alike; else, without
/// profile or model, by the first candidates.
void resolve_automatic(Case& c, const MachineProfile* machine, const Tunings& tunings = {});

}  // namespace sortlab
