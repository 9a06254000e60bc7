// Tells a fault, which a sort commits each time, from an accident of a busy machine.
#pragma once

#include <map>

#include "harness/cell/case.hpp"

namespace sortlab {

class Strikes {
 public:
  /// True if this cell's last three sorts showed the sign, this one among them.
  bool is_third(const Case& c, bool sign) {
    int& in_a_row = in_a_row_[&c];
    in_a_row = sign ? in_a_row + 1 : 0;
    return in_a_row >= 3;
  }

 private:
  std::map<const Case*, int> in_a_row_;
};

}  // namespace sortlab
