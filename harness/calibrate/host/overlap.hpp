// MB12: how two resources overlap.
#pragma once

namespace sortlab::calibration {

/// The exponent p with ‖(a, b)‖_p = both (models/cost.hpp), of seconds alone and together, by bisection: the norm falls
/// as p grows. From 1, where the resources take turns, to 16, which is as good as full overlap.
double overlap_exponent(double a, double b, double both);

}  // namespace sortlab::calibration
