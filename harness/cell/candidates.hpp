// What `auto` may mean.
#pragma once

#include <vector>

#include "algorithms/plugin.hpp"

namespace sortlab {

/// Values of a parameter that is auto, in order of preference: the plug-in's own choice (Algorithm::automatic), if it
/// has one, then what the parameter lists for models (Parameter::automatic; of a word's choices their numbers). Where
/// there are both, without those that the plug-in declines for the problem with the other parameters of `given`, as
/// long as some remain.
std::vector<Value> candidates_of(const Algorithm&, const Parameter&, const Problem&, const Parameters& given,
                                 const Resources&);

}  // namespace sortlab
