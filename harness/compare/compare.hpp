// Compares two result sets, cell by cell.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/compare/ratio.hpp"
#include "harness/record/record_reader.hpp"

namespace sortlab {

struct CellComparison {
  std::string cell;
  nlohmann::ordered_json what;  ///< `case` of the record; b's where both have it
  Verdict verdict = Verdict::incomparable;
  std::string reason{};         ///< why ambiguous or incomparable; empty otherwise
  std::optional<double> a_s{};  ///< medians in seconds, where verified
  std::optional<double> b_s{};
  std::optional<Ratio>
      ratio{};  ///< b / a of lower quartiles, with its 95 % interval, where both have times of one machine
  std::optional<double> medians{};  ///< b / a of medians
};

struct Comparison {
  std::vector<CellComparison> cells;  ///< in a's order, then those only in b
  std::size_t skipped = 0;            ///< cells that neither side ran, with a reason: not among `cells`
  double run_noise = 0;               ///< typical standard deviation between runs of the same code, relative
  std::optional<double> typical;      ///< the median ratio b / a of all cells compared
  std::vector<std::string> notes;     ///< machines or builds that differ, lines left out
  std::size_t count(Verdict verdict) const;
};

/// Joins the measurements of both files on `cell`; of several of one cell in one file the last ok one counts, or else
/// the last. Throws BadInput naming file and line for a measurement whose fields it needs are missing or wrong, and for
/// a file without measurements.
Comparison compare(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace sortlab
