#include "harness/measure/impossible_time.hpp"

#include <fmt/format.h>

#include "harness/cell/input_size.hpp"

namespace sortlab {

std::optional<Reason> impossible_time(const Case& c, double seconds, int cores, double clock_hz) {
  constexpr double most_bytes_per_cycle = 128;
  const auto bytes = static_cast<double>(input_bytes(c));
  const double least_s = bytes / (most_bytes_per_cycle * cores * clock_hz);
  if (c.component != nullptr || seconds >= least_s) return std::nullopt;
  return Reason{ReasonCode::impossible_time,
                fmt::format("took {:.3g} s, which is impossible: reading its {:.0f} bytes once takes at least {:.3g} s",
                            seconds, bytes, least_s)};
}

}  // namespace sortlab
