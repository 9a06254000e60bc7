// Problems that a library's sort declines beyond the limits in its Info.
#pragma once

#include <string>  // not fmt: modules include this file, too

#include "algorithms/common/adapters/with_types.hpp"

namespace sortlab {

/// The reason a sort declines `problem`, or nullopt. The sort is compiled for the types for which
/// `offers.operator()<K, V>()` is true. It orders NaN, and -0 before +0, only if `total_order`.
template <class Offers>
std::optional<std::string> library_refusal(const Problem& problem, const Offers& offers, bool total_order) {
  if (!with_types(problem.key, problem.value, offers)) {
    return "is not compiled for " + std::string{name_of(problem.key)} + " keys with " +
           std::string{name_of(problem.value)} + " values: see its README";
  }
  if (!total_order && is_float(problem.key) && problem.needs_total_order) {
    return "sorts floats by operator<, which orders neither NaN nor -0 before +0";
  }
  return std::nullopt;
}

}  // namespace sortlab
