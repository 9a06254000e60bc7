// Models of kind `fitted`: laws of two coefficients through measured sort times. They describe and do not explain; no
// model of another kind reads their coefficients.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/machine_profile.hpp"
#include "models/model.hpp"

namespace sortlab {

/// One measured sort.
struct SortTime {
  std::string algorithm;
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
  std::string distribution;  ///< short text
  int threads = 1;
  double n = 0;        ///< elements
  double seconds = 0;  ///< median
};

/// Fits, for each algorithm, key and value type, distribution and number of threads with at least two sizes, every law
/// that applies, by least squares of the relative error. The result holds the coefficients and features of the inputs,
/// as tables: an input that was not fitted takes the coefficients of the one most like it. `source` says what was
/// fitted. Throws BadInput if there is nothing to fit.
MachineProfile fit(std::span<const SortTime> times, std::string source);

}  // namespace sortlab
