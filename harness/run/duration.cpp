#include "harness/run/duration.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/bad_input.hpp"

namespace sortlab {

double parse_duration(std::string_view text, std::string_view option) {
  double factor = 1;
  std::string_view digits = text;
  if (!text.empty()) {
    constexpr std::string_view units = "smh";
    if (const auto unit = units.find(text.back()); unit != std::string_view::npos) {
      factor = unit == 0 ? 1 : unit == 1 ? 60 : 3600;
      digits.remove_suffix(1);
    }
  }
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || !(number > 0) || !(number * factor < 1e9)) {
    throw BadInput(
        fmt::format("{}: '{}' is not allowed; allowed: a time above 0 and below 1e9 s, as 90, 90s, 5m or 1.5h", option,
                    text.substr(0, 40)));
  }
  return number * factor;
}

std::string duration_text(double seconds) {
  constexpr double below = 999.5;  // more would have four digits when rounded
  if (seconds < below * 1e-9) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < below * 1e-6) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < below * 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 60 || !(seconds < 1e9)) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string half_width_text(double median, const std::array<double, 2>& interval) {
  const double per_cent = 100 * (interval[1] - interval[0]) / 2 / median;
  return per_cent <= 100 ? fmt::format("{:.1f}", per_cent) : ">100";
}

}  // namespace sortlab
