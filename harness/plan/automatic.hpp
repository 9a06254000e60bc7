// Resolves `auto` parameters, by predictions.
#pragma once

#include "harness/plan/tuning.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/workload.hpp"

namespace sortlab {

/// Replaces each parameter that is auto: by what a sweep found on this machine (use_tuning_where_auto); else by the
/// plug-in's own choice (Algorithm::automatic) where it has one; else by the candidates (Parameter::automatic) with the
/// shortest time predicted by the algorithm's model on `machine`, the first among equals; else, without profile or
/// model, by the first candidates.
void resolve_automatic(Case& c, const MachineProfile* machine, const Tunings& tunings = {});

}  // namespace sortlab
