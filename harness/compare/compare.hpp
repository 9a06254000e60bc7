// Compares two result sets, cell by cell.
#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/compare/ratio.hpp"
#include "harness/record/record_reader.hpp"

namespace sortlab {

/// Quantity that is compared: seconds, or joules of a sort.
enum class Metric { time, energy };
template <>
inline constexpr std::array<std::string_view, 2> kNames<Metric>{"time", "energy"};

struct CellComparison {
  std::string cell;
  nlohmann::ordered_json subject;  ///< `case` of the record, b's if both have the cell
  Verdict verdict = Verdict::incomparable;
  std::string reason{};       ///< reason for ambiguous or incomparable; empty otherwise
  std::optional<double> a{};  ///< median in seconds, or of the windows' joules, if verified
  std::optional<double> b{};
  std::optional<Ratio> ratio{};     ///< b / a with its 95 % interval, if both have values of one machine
  std::optional<double> medians{};  ///< b / a of medians
  std::string fault_of_b{};  ///< "wrong: REASON" if b's result is wrong, or b gave none for a reason that a has not
};

struct Comparison {
  Metric metric = Metric::time;
  std::vector<CellComparison> cells;  ///< in a's order, then the cells only in b
  std::size_t skipped = 0;            ///< cells that neither side ran for some reason; not in `cells`
  double process_noise = 0;           ///< typical relative standard deviation between processes of the same code
  std::optional<double> typical;      ///< median ratio b / a of all compared cells
  std::vector<std::string> notes;     ///< machines or builds that differ, lines left out
  std::size_t count(Verdict verdict) const;
};

/// A verdict in the words of a metric: of joules `faster` is "cheaper", and `slower` is "dearer".
std::string verdict_text(Verdict verdict, Metric metric);

/// Joins the measurements of both files on `cell`. If a file has several of one cell, the last with status ok counts,
/// or else the last. Throws BadInput with file and line for a measurement with a missing or wrong field, and for a file
/// without measurements. Of joules a window in which the sort ran is one observation.
Comparison compare(const std::filesystem::path& a, const std::filesystem::path& b, Metric metric = Metric::time);

}  // namespace sortlab
