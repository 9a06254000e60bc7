// Resolves `auto` parameters, by predictions.
#pragma once

#include "harness/plan/tuning.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/workload.hpp"

namespace sortlab {

/// Values of a parameter that is auto, in order of preference: the plug-in's own choice (Algorithm::automatic), if it
/// has one, then what the parameter lists for models (Parameter::automatic; of a word's choices their numbers). Where
/// there are both, without those that the plug-in declines for the problem with the other parameters of `given`, as
/// long as some remain.
std::vector<Value> candidates_of(const Algorithm&, const Parameter&, const Problem&, const Parameters& given,
                                 const Resources&);

/// Replaces each parameter that is auto: by what a sweep found on this machine (use_tuning_where_auto); else by the
/// candidates with the shortest time predicted by the algorithm's model on `machine`, the first among equals; else,
/// without profile or model, by the first candidates.
void resolve_automatic(Case& c, const MachineProfile* machine, const Tunings& tunings = {});

}  // namespace sortlab
