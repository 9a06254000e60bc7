// MB12: how two resources overlap.
#pragma once

#include <algorithm>
#include <cmath>

namespace sortlab::calibration {

/// The exponent p with ‖(a, b)‖_p = both (models/cost.hpp), of seconds alone and together, by bisection: the norm falls
/// as p grows. From 1, where the resources take turns, to 16, practically full overlap.
inline double overlap_exponent(double a, double b, double both) {
  constexpr double kSmallest = 1;
  constexpr double kLargest = 16;
  const double longest = std::max(a, b);
  const auto norm = [&](double p) {  // scaled, so that nothing underflows
    return longest <= 0 ? longest : longest * std::pow(std::pow(a / longest, p) + std::pow(b / longest, p), 1 / p);
  };
  double low = kSmallest;
  double high = kLargest;
  for (int step = 0; step < 40; ++step) {
    const double p = (low + high) / 2;
    (norm(p) > both ? low : high) = p;
  }
  return (low + high) / 2;
}

}  // namespace sortlab::calibration
