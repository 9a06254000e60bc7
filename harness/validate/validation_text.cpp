#include "harness/validate/validation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/statistics.hpp"
#include "models/model_kind.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

std::string thread_text(int threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

/// Cells of one kind and number of threads, over all plug-ins.
struct Group {
  std::size_t drawn = 0;
  std::size_t refused = 0;
  std::map<std::pair<std::string, std::string>, std::size_t> reasons{};  ///< number of cells by plug-in and reason
};

/// The 90th percentile, linear between neighbours, as the page computes it.
double ninth_decile(const std::vector<double>& values) {
  const std::vector<double> ascending = sorted(values);
  const double place = 0.9 * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], place - static_cast<double>(below));
}

std::size_t refused_cells(const ordered_json& one) {
  std::size_t cells = 0;
  for (const ordered_json& refused : one.at("refused")) cells += refused.at("cells").get<std::size_t>();
  return cells;
}

double percent(std::size_t part, std::size_t whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

ErrorSummary summarise_errors(const std::vector<double>& errors) {
  std::vector<double> absolute;
  ErrorSummary summary{.points = errors.size()};
  const auto points = static_cast<double>(errors.size());
  for (const double error : errors) {
    absolute.push_back(std::abs(error));
    summary.mean_absolute += std::abs(error) / points;
    if (std::abs(error) > std::abs(summary.worst)) summary.worst = error;
    if (std::abs(error) <= 0.15) summary.within_15 += 1 / points;
  }
  summary.median_absolute = median(absolute);
  summary.p90_absolute = ninth_decile(absolute);
  return summary;
}

std::string error_text(const ErrorSummary& summary) {
  return fmt::format("mean {:.1f} %, median {:.1f} %, 90 % below {:.1f} %, worst {:+.0f} %, {:.0f} % within 15 %",
                     100 * summary.mean_absolute, 100 * summary.median_absolute, 100 * summary.p90_absolute,
                     100 * summary.worst, 100 * summary.within_15);
}

ordered_json coverage_record(const std::map<CoverageKey, Coverage>& coverage) {
  ordered_json all = ordered_json::array();
  for (const auto& [key, one] : coverage) {
    ordered_json refused = ordered_json::array();
    for (const auto& [reason, cells] : one.refused) refused.push_back({{"why", reason}, {"cells", cells}});
    all.push_back({{"model_kind", to_name(std::get<ModelKind>(key))},
                   {"algorithm", std::get<std::string>(key)},
                   {"threads", std::get<int>(key)},
                   {"cells", one.drawn},
                   {"refused", std::move(refused)}});
  }
  return all;
}

std::vector<std::string> coverage_lines(const ordered_json& record) {
  std::map<std::pair<std::string, int>, Group> groups;
  for (const ordered_json& one : record) {
    Group& group = groups[{one.at("model_kind"), one.at("threads")}];
    group.drawn += one.at("cells").get<std::size_t>();
    group.refused += refused_cells(one);
    for (const ordered_json& refused : one.at("refused")) {
      group.reasons[{one.at("algorithm"), refused.at("why")}] += refused.at("cells").get<std::size_t>();
    }
  }
  std::vector<std::string> lines;
  for (const auto& [key, group] : groups) {
    const std::size_t predicted = group.drawn - group.refused;
    lines.push_back(fmt::format("{}, {}: {} of {} drawn cells predicted ({:.1f} %)", key.first, thread_text(key.second),
                                predicted, group.drawn, percent(predicted, group.drawn)));
    std::vector<std::pair<std::size_t, std::string>> reasons;
    for (const auto& [of, cells] : group.reasons) {
      reasons.emplace_back(cells, fmt::format("  {} of {}: {}", cells, of.first, of.second));
    }
    std::ranges::stable_sort(reasons, std::greater{}, [](const auto& reason) { return reason.first; });
    for (auto& [cells, text] : reasons) lines.push_back(std::move(text));
  }
  return lines;
}

std::vector<std::string> coverage_by_sort(const ordered_json& record) {
  std::map<std::string, std::map<std::string, Group>> sorts;
  for (const ordered_json& one : record) {
    Group& group = sorts[one.at("algorithm")][one.at("model_kind")];
    group.drawn += one.at("cells").get<std::size_t>();
    group.refused += refused_cells(one);
  }
  std::vector<std::string> lines;
  for (const auto& [sort, kinds] : sorts) {
    std::string line = sort;
    for (const auto& [kind, group] : kinds) {
      line += fmt::format("{} {} {:.1f} % of {}{}", line == sort ? ":" : ",", kind,
                          percent(group.drawn - group.refused, group.drawn), group.drawn,
                          line == sort ? " drawn cells" : "");
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace sortlab
