#include "models/loops/pieces.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sortlab {
namespace {

constexpr double kNearest = 1 << 14;   // bytes that any first-level cache holds
constexpr double kSecond = 1 << 18;    // bytes that any second-level cache holds
constexpr double kBeyondIt = 1 << 22;  // the next size that streams are measured with

/// A size between the two at which streams are as fast as with `bytes`: what the second level holds comes from it, and
/// the profile's points do not say where it ends.
double as_measured(double bytes, double second_level) {
  if (bytes <= kSecond || bytes >= kBeyondIt || second_level >= kBeyondIt) return bytes;
  if (bytes <= second_level) return kSecond;
  return kSecond * std::pow(kBeyondIt / kSecond, std::log(bytes / second_level) / std::log(kBeyondIt / second_level));
}

/// Register widths and instruction sets in tables' names, the widest first.
constexpr std::array<std::string_view, 10> kWidths{"avx512", "AVX3",  "avx2",   "AVX2",     "sse4",
                                                   "SSE4",   "SSSE3", "SCALAR", "portable", "scalar"};

MissingQuantity missing(const MachineProfile& machine, std::string_view table) {
  return MissingQuantity(fmt::format("the profile of {} has no quantity '{}'", machine.name, table));
}

/// The same table for the widest other register that was measured: "msd.avx512.part" for "msd.avx2.part".
std::optional<std::string> other_width(const MachineProfile& machine, std::string_view table) {
  const std::size_t first = table.find('.');
  const std::size_t last = table.rfind('.');
  if (first == last || std::ranges::count(kWidths, table.substr(first + 1, last - first - 1)) == 0) return {};
  for (const std::string_view width : kWidths) {
    std::string name = fmt::format("{}.{}{}", table.substr(0, first), width, table.substr(last));
    if (machine.tables.contains(name)) return name;
  }
  return std::nullopt;
}

/// The place of the argument `key`, if it asks for keys twice as wide as the widest measured ones.
std::optional<std::size_t> wider_key(const ProfileTable& table, std::span<const double> arguments) {
  const auto named = std::ranges::find(table.arguments, "key");
  if (named == table.arguments.end()) return std::nullopt;
  const auto place = static_cast<std::size_t>(named - table.arguments.begin());
  double widest = 0;
  for (const ProfileTable::Point& point : table.points) widest = std::max(widest, point.at[place]);
  return place < arguments.size() && arguments[place] == 2 * widest ? std::optional{place} : std::nullopt;
}

}  // namespace

double Core::loop_quantity(const std::string& name, std::string_view what, std::span<const double> arguments) const {
  const std::string table = fmt::format("loop.{}.{}", name, what);
  // Other types mean other code: no interpolation between them.
  if (const auto found = machine_.tables.find(table); found != machine_.tables.end()) {
    const auto is_it = [&](const ProfileTable::Point& point) { return std::ranges::equal(point.at, arguments); };
    if (std::ranges::none_of(found->second.points, is_it)) {
      throw MissingQuantity(
          fmt::format("the profile of {} has no '{}' of ({})", machine_.name, table, fmt::join(arguments, ", ")));
    }
  }
  return machine_.at(table, arguments);
}

double Core::pace() const {
  const auto threads = static_cast<double>(workload_.threads);
  if (threads <= 1) return 1;
  return std::max(1.0, machine_.at("pace", {threads, by_pieces_ ? 1.0 : 0.0}));
}

double Core::loop(const std::string& name, double first, double second, double third) const {
  const std::array arguments{first, second, third};
  const double alone = loop_quantity(name, "cycles", arguments);
  const double slowed = pace() > 1 ? pace() * loop_quantity(name, "bound", arguments) : 0;
  return std::max(alone, slowed) / machine_.clock_hz;
}

double Core::branches(const std::string& name, double first, double second, double third) const {
  return loop_quantity(name, "branches", std::array{first, second, third});
}

double Core::beyond(std::string_view table, double threads, double bytes, double working_set) const {
  if (working_set <= machine_.cache("L1d")) return 0;
  return std::max(0.0, moving(table, threads, bytes, working_set) - moving(table, threads, bytes, kNearest));
}

double Core::chain(double collision_bits) const {
  return machine_.at("store_forward") * std::exp2(-collision_bits);
}

double Core::moving(std::string_view table, double threads, double bytes, double working_set) const {
  return bytes * threads / machine_.at(table, {threads, as_measured(working_set, machine_.cache("L2"))});
}

double Core::far_line(double threads, double bytes) const {
  constexpr double in_second = 1 << 18;  // bytes that any second-level cache holds
  const double first = machine_.cache("L1d");
  const double second = machine_.cache("L2");
  if (bytes <= first) return 0;
  const auto touch = [&](double of) { return machine_.at("touch", {threads, of}); };
  const double near = std::max(0.0, touch(in_second) - touch(kNearest));
  const double far = std::max(0.0, touch(std::max(bytes, 4 * second)) - touch(in_second));
  return (1 - first / bytes) * near + std::max(0.0, 1 - second / bytes) * far;
}

double Core::overlapped(double core, double memory, double threads, bool streams) const {
  const double p = std::max(1.0, machine_.at("overlap.core", {threads, streams ? 1.0 : 0.0}));
  const double times[]{core, memory};
  return sortlab::overlapped(times, p);
}

double Pieces::at(std::string_view table, std::span<const double> arguments) const {
  if (!measured_) {
    if (const std::optional<double> value = derived_(core_, table, arguments)) return *value;
    return core_.machine().at(table, arguments);
  }
  if (derived_ == nullptr) return core_.machine().at(table, arguments);
  const auto found = core_.machine().tables.find(std::string{table});
  if (found == core_.machine().tables.end()) return of_other_width(table, arguments);
  const std::optional<std::size_t> key = wider_key(found->second, arguments);
  if (!key) return core_.machine().at(table, arguments);
  std::vector<double> narrow{arguments.begin(), arguments.end()};
  narrow[*key] /= 2;
  return at(table, narrow) * derive(table, arguments) / derive(table, narrow);
}

double Pieces::derive(std::string_view table, std::span<const double> arguments) const {
  const std::optional<double> value = derived_(core_, table, arguments);
  if (!value) throw missing(core_.machine(), table);
  return *value;
}

double Pieces::of_other_width(std::string_view table, std::span<const double> arguments) const {
  const std::optional<std::string> other = other_width(core_.machine(), table);
  if (!other) return core_.machine().at(table, arguments);
  try {
    std::vector<double> measured{arguments.begin(), arguments.end()};
    if (const auto key = wider_key(core_.machine().tables.find(*other)->second, arguments)) measured[*key] /= 2;
    return core_.machine().at(*other, measured) * derive(table, arguments) / derive(*other, measured);
  } catch (const MissingQuantity& error) {
    throw MissingQuantity(
        fmt::format("{}, nor what it is estimated from: {}", missing(core_.machine(), table).what(), error.what()));
  }
}

}  // namespace sortlab
