// What predictions read of a profile: each table once, with the arguments that it was asked for.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/model_kind.hpp"

namespace sortlab {

struct ProfileTable;

/// Where an answer comes from: a point of the table, between two, or from the nearest point, beyond all of them.
enum class Reading : std::uint8_t { exact, interpolated, extrapolated };

constexpr std::string_view name_of(Reading reading) {
  return reading == Reading::exact ? "exact" : reading == Reading::interpolated ? "interpolated" : "extrapolated";
}

struct TableRead {
  struct Argument {
    std::string name;
    double least = 0, most = 0;  ///< that were asked for
  };
  ModelKind kind = ModelKind::hardware;  ///< of the table (table_kind.hpp)
  std::vector<Argument> arguments{};
  Reading reading = Reading::exact;  ///< the farthest from a point
};

/// A profile whose `log` points here records what is read of it. Not thread-safe.
class TableLog {
 public:
  void note(std::string_view name, ModelKind kind, const ProfileTable& table, std::span<const double> arguments,
            Reading reading);
  void clear() { reads_.clear(); }
  const std::map<std::string, TableRead, std::less<>>& reads() const { return reads_; }  ///< by the table's name

 private:
  std::map<std::string, TableRead, std::less<>> reads_;
};

}  // namespace sortlab
