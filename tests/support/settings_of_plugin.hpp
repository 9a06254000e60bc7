// A plug-in's presets, and its resolution of given parameters.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/cell/candidates.hpp"

namespace sortlab {

/// A preset by name. Throws std::out_of_range for an unknown name.
inline GivenParameters preset(const Algorithm& algorithm, std::string_view name) {
  for (const auto& [preset, given] : algorithm.info().presets) {
    if (preset == name) return given;
  }
  throw std::out_of_range{std::string{name}};
}

/// All parameters, with `auto` resolved without a model.
inline Parameters resolved(const Algorithm& algorithm, const GivenParameters& given, const Problem& problem) {
  Parameters parameters = resolve(algorithm.info().name, algorithm.info().parameters, given);
  for (const Parameter& declared : algorithm.info().parameters) {
    if (parameters.is_auto(declared.name)) {
      parameters.set(declared.name, list_candidates(algorithm, declared, problem, parameters, {}).at(0));
    }
  }
  return parameters;
}

}  // namespace sortlab
