// Micro-benchmark MB12: overlap of two resources.
#pragma once

#include <algorithm>
#include <cmath>

namespace sortlab::calibration {

/// The exponent p with ‖(a, b)‖_p = both (models/cost.hpp), where `a` and `b` are the seconds of each resource alone
/// and `both` those together. p = 1: the resources take turns; p = 16: practically full overlap. Found by bisection,
/// since the norm falls as p grows.
inline double overlap_exponent(double a, double b, double both) {
  constexpr double kMinExponent = 1;
  constexpr double kMaxExponent = 16;
  const double longest = std::max(a, b);
  const auto norm = [&](double p) {  // scaled against underflow
    return longest <= 0 ? longest : longest * std::pow(std::pow(a / longest, p) + std::pow(b / longest, p), 1 / p);
  };
  double low = kMinExponent;
  double high = kMaxExponent;
  for (int step = 0; step < 40; ++step) {
    const double p = (low + high) / 2;
    (norm(p) > both ? low : high) = p;
  }
  return (low + high) / 2;
}

}  // namespace sortlab::calibration
