// Normalised linear mapping of Ha, Krueger and Silva 2010, section 3.3, identical to the bit on host and device.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"

namespace sortlab {

/// Maps [smallest, largest] to [0.5, 1), where all floats share their exponent and differ in 23 bits. Monotone, and not
/// one-to-one. Where the range is infinite, every key becomes 0.5.
struct UnitFloats {
  static constexpr int kBits = 23;  ///< low bits in which mapped keys differ

  float prescale = 1;  ///< a power of two that keeps largest - smallest away from overflow and underflow
  float smallest = 0;  ///< smallest key, times prescale
  float scale = 0;     ///< factor from the prescaled range to a width of 0.5

  SORTLAB_HOST_DEVICE static UnitFloats of(float smallest, float largest) {
    const double range = static_cast<double>(largest) - smallest;
    const double prescale = range > 0x1p100 ? 0x1p-100 : range < 0x1p-100 ? 0x1p100 : 1;
    return {static_cast<float>(prescale), static_cast<float>(smallest * prescale),
            range > 0 ? static_cast<float>(0.5 / (range * prescale)) : 0.0F};
  }

  /// Returns the bits of the mapped float in [0.5, 1); 0x3F7FFFFF is the last below 1. Only fmaf rounds, so that the
  /// result does not depend on the compiler.
  SORTLAB_HOST_DEVICE std::uint32_t operator()(float key) const {
    const float normal = fmaf(fmaf(key, prescale, -smallest), scale, 0.5F);
    const float clamped = fminf(fmaxf(normal, 0.5F), 0x1.fffffep-1F);
    return std::bit_cast<std::uint32_t>(clamped);
  }
};

}  // namespace sortlab
