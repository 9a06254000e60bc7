// Resolves `auto` parameters, by predictions.
#pragma once

#include "harness/cell/candidates.hpp"
#include "harness/plan/tuning.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/workload.hpp"

namespace sortlab {

/// Replaces each parameter that is auto: by what a sweep found on this machine (use_tuning_where_auto); else by the
/// candidates with the shortest time predicted by the algorithm's model on `machine`, the first among equals; else,
/// without profile or model, by the first candidates.
void resolve_automatic(Case& c, const MachineProfile* machine, const Tunings& tunings = {});

}  // namespace sortlab
