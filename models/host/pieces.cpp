#include "models/host/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sortlab {
namespace {

constexpr double kNearest = 1 << 14;  // bytes that any first-level cache holds

}  // namespace

double Core::loop(const std::string& name, double first, double second, double third) const {
  const std::string table = fmt::format("loop.{}.cycles", name);
  const std::vector<double> wanted{first, second, third};
  // Code of other types is other code: nothing lies between.
  if (const auto found = machine_.tables.find(table); found != machine_.tables.end()) {
    if (std::ranges::find(found->second.points, wanted, &ProfileTable::Point::at) == found->second.points.end()) {
      throw MissingQuantity(
          fmt::format("the profile of {} has no '{}' of ({}, {}, {})", machine_.name, table, first, second, third));
    }
  }
  return machine_.at(table, wanted) / machine_.clock_hz;
}

double Core::chain(double collision_bits) const {
  return machine_.at("store_forward") * std::exp2(-collision_bits);
}

double Core::moving(std::string_view table, double threads, double bytes, double working_set) const {
  return bytes * threads / machine_.at(table, {threads, working_set});
}

double Core::far_line(double threads, double bytes) const {
  return std::max(0.0, machine_.at("touch", {threads, std::max(bytes, kNearest)}) -
                           machine_.at("touch", {threads, kNearest}));
}

double Core::overlapped(double core, double memory, double threads, bool streams) const {
  const double p = std::max(1.0, machine_.at("overlap.core", {threads, streams ? 1.0 : 0.0}));
  const double times[]{core, memory};
  return sortlab::overlapped(times, p);
}

double Pieces::at(std::string_view table, std::span<const double> arguments) const {
  if (derived_ != nullptr) {
    if (const std::optional<double> value = derived_(core_, table, arguments)) return *value;
  }
  return core_.machine().at(table, arguments);
}

}  // namespace sortlab
