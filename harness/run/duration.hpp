// Durations as text.
#pragma once

#include <string>
#include <string_view>

namespace sortlab {

/// Reads 90, 90s, 5m or 1.5h, and returns seconds. Throws BadInput.
double parse_duration(std::string_view text, std::string_view option = "time-budget");

/// Text of a duration: "12.3 ms", "45 s", "3 min 10 s".
std::string duration_text(double seconds);

}  // namespace sortlab
