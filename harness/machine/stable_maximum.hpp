// The greatest value that was seen steadily, for quantities of a machine that only disturbances change.
#pragma once

#include <cmath>

namespace sortlab {

/// Undisturbed, such a quantity has the same value to a few thousandths each time. Disturbed it has any, also much too
/// high ones, of which two in a row may agree by chance, but hardly as many as are asked for.
class StableMaximum {
 public:
  /// `known`: the greatest value so far; 0: none. Values of `limit` and more are none.
  StableMaximum(double known, double limit) : most_(known), limit_(limit) {}

  /// Takes in a value. True if the maximum rose, by a hundredth or more.
  bool see(double value) {
    const bool agrees = std::abs(value - first_) < kAgreement * value;
    agreeing_ = agrees ? agreeing_ + 1 : 1;
    if (!agrees) first_ = value;
    if (agreeing_ < kAgreeing || !(value > 1.01 * most_) || value >= limit_) return false;
    most_ = value;
    return true;
  }

  double most() const { return most_; }

 private:
  static constexpr int kAgreeing = 5;
  static constexpr double kAgreement = 0.005;

  double most_;
  double limit_;
  double first_ = 0;  ///< the first of the values that agree
  int agreeing_ = 0;
};

}  // namespace sortlab
