#include "harness/verify/key_image.hpp"

#include <fmt/format.h>

namespace sortlab {

std::string describe_order(const Order& order) {
  if (order.is_whole()) return {};
  std::string text =
      order.bits == 0 ? "no bit" : fmt::format("bits {} to {}", order.shift, order.shift + order.bits - 1);
  if (order.bits == Order{}.bits)
    text = order.shift == 0 ? "all bits" : fmt::format("the bits from {} on", order.shift);
  if (order.unit_floats) text += " of the key mapped to [0.5, 1)";
  if (order.tile != 0) text += fmt::format(", in each tile of {}", order.tile);
  return text;
}

}  // namespace sortlab
