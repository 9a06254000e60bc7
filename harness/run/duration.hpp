// Durations as text.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace sortlab {

/// Reads 90, 90s, 5m or 1.5h, and returns seconds. Throws BadInput.
double parse_duration(std::string_view text, std::string_view option = "time-budget");

/// Text of a duration: "12.3 ms", "45 s", "3 min 10 s".
std::string duration_text(double seconds);

/// Half the width of an interval in per cent of the median: "2.4", or ">100" for an interval so wide that the figure
/// would say no more than that.
std::string half_width_text(double median, const std::array<double, 2>& interval);

}  // namespace sortlab
