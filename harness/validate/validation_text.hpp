// A validation in lines for people: errors and coverage, by kind of model and number of threads.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/validate/draw.hpp"

namespace sortlab {

/// Statistics of signed errors, shares of the measured time.
struct ErrorSummary {
  std::size_t points = 0;
  double mean_absolute = 0;
  double median_absolute = 0;
  double p90_absolute = 0;  ///< 90th percentile
  double worst = 0;         ///< the signed error of the greatest magnitude
  double within_15 = 0;     ///< share of the points within ±15 %
};

/// The statistics of at least one error.
ErrorSummary summarise_errors(const std::vector<double>& errors);

/// "mean 14.5 %, median 10.8 %, 90 % below 35.0 %, worst -98.0 %, 62 % within 15 %".
std::string error_text(const ErrorSummary&);

/// The coverage as the `validation` record holds it: for each kind, plug-in and number of threads the cells asked about
/// and those refused, by reason.
nlohmann::ordered_json coverage_record(const std::map<CoverageKey, Coverage>&);

/// One line for each kind and number of threads, "hardware, 1 thread: 290 of 300 drawn cells predicted (96.7 %)", each
/// followed by the reasons against the others, the most frequent first. `record` is of coverage_record().
std::vector<std::string> coverage_lines(const nlohmann::ordered_json& record);

/// One line for each sort: "cub_merge: component 99.0 % of 100 drawn cells, hardware 97.0 % of 100".
std::vector<std::string> coverage_by_sort(const nlohmann::ordered_json& record);

}  // namespace sortlab
