// Candidate values for a parameter that is `auto`.
#pragma once

#include <vector>

#include "algorithms/plugin.hpp"

namespace sortlab {

/// Candidates for a parameter that is auto, in order of preference: the plug-in's own choice (Algorithm::automatic),
/// then the values listed for models (Parameter::automatic, which numbers the choices of a word). Where there are both,
/// the list leaves out values that the plug-in declines for the problem with the other parameters of `given`, as long
/// as some remain.
std::vector<Value> list_candidates(const Algorithm&, const Parameter&, const Problem&, const Parameters& given,
                                   const Resources&);

}  // namespace sortlab
