// Times as people write and read them.
#pragma once

#include <string>
#include <string_view>

namespace sortlab {

/// 90, 90s, 5m or 1.5h, in seconds. Throws BadInput.
double parse_duration(std::string_view text);

/// "12.3 ms", "45 s", "3 min 10 s".
std::string duration_text(double seconds);

}  // namespace sortlab
