// Log of a profile's tables that predictions read: each table once, with the arguments that were asked for.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/model_kind.hpp"

namespace sortlab {

struct ProfileTable;

/// Origin of an answer: a point of the table, between two points, or the nearest point to arguments beyond all points.
enum class Reading : std::uint8_t { exact, interpolated, extrapolated };
template <>
inline constexpr std::array<std::string_view, 3> kNames<Reading>{"exact", "interpolated", "extrapolated"};

struct TableRead {
  struct Argument {
    std::string name;
    double least = 0, most = 0;  ///< smallest and largest value asked for
  };
  ModelKind kind = ModelKind::hardware;  ///< the table's kind (table_kind.hpp)
  std::vector<Argument> arguments{};
  Reading reading = Reading::exact;  ///< the farthest from a point
};

/// A profile whose `log` points here records what is read of it. Not thread-safe.
class TableLog {
 public:
  void note(std::string_view name, ModelKind kind, const ProfileTable& table, std::span<const double> arguments,
            Reading reading);
  void clear() { reads_.clear(); }
  const std::map<std::string, TableRead, std::less<>>& reads() const { return reads_; }  ///< table name to reads

 private:
  std::map<std::string, TableRead, std::less<>> reads_;
};

}  // namespace sortlab
