// Units of a machine profile, and the values that a quantity can have in each.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace sortlab {

/// A cost other than 0 is at least this: no product of a few leaves the doubles.
inline constexpr double kSmallestQuantity = 1e-30;

struct UnitRange {
  std::string_view unit;  ///< or, where it ends in '/', the begin of a cost per something that a plug-in names
  double least;
  double most;
};

/// Ranges that hold every machine, an emulated one too, and few values in another unit: no rate in GB/s or GHz, hardly
/// a time in nanoseconds. Rates are divisors; a cost may be 0. The schema of profiles has the same units and ranges
/// (configs/schemas/machine_profile.schema.json), and a test compares the two.
inline constexpr std::array kUnitRanges{UnitRange{"B/s", 1e7, 1e16},    UnitRange{"1/s", 1e6, 1e18},
                                        UnitRange{"Hz", 1e6, 1e12},     UnitRange{"1/cycle", 1e-6, 1e6},
                                        UnitRange{"s", 0, 10},          UnitRange{"s/element", 0, 1e-3},
                                        UnitRange{"s/", 0, 1},          UnitRange{"cycles", 0, 1e9},
                                        UnitRange{"cycles/", 0, 1e6},   UnitRange{"instructions/", 0, 1e6},
                                        UnitRange{"branches/", 0, 1e6}, UnitRange{"1", 0, 1e9},
                                        UnitRange{"share", 0, 1},       UnitRange{"ratio", 1e-6, 1e6},
                                        UnitRange{"exponent", 1, 1e3},  UnitRange{"blocks", 1, 1e6},
                                        UnitRange{"B", 1, 1e15},        UnitRange{"W", 0, 1e6},
                                        UnitRange{"J", 0, 1e-3}};

/// The range of a unit; nullopt for a unit that profiles do not have.
inline std::optional<UnitRange> unit_range(std::string_view unit) {
  constexpr std::string_view of_names = "abcdefghijklmnopqrstuvwxyz_";
  const auto holds = [&](const UnitRange& one) {
    if (!one.unit.ends_with('/') || !unit.starts_with(one.unit)) return unit == one.unit;
    const std::string_view name = unit.substr(one.unit.size());
    return !name.empty() && name.find_first_not_of(of_names) == std::string_view::npos;
  };
  const auto found = std::ranges::find_if(kUnitRanges, holds);
  return found == kUnitRanges.end() || unit.ends_with('/') ? std::nullopt : std::optional{*found};
}

}  // namespace sortlab
