// Resolves `auto` parameters by predictions.
#pragma once

#include "harness/cell/candidates.hpp"
#include "harness/plan/tuning.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/workload.hpp"

namespace sortlab {

/// Resolves each parameter that is `auto`. A tuning from a sweep on this machine comes first (use_tuning_where_auto).
/// Else the candidates with the shortest time that the algorithm's model predicts for `machine`, the first among
/// equals. Without profile or model, the first candidates.
void resolve_automatic(Case& c, const MachineProfile* machine, const Tunings& tunings = {});

}  // namespace sortlab
