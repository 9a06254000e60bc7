#include "models/fitted.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace sortlab {
namespace {

/// T = fixed + rate · work(n)
struct Law {
  std::string name;
  std::string title;
  std::vector<std::string> algorithms;
  double (*work)(double n);
};

const std::vector<Law>& laws() {
  const std::vector<std::string> comparing{"std_sort",          "std_stable_sort", "libstdcxx_parallel_sort",
                                           "tbb_parallel_sort", "vqsort",          "boost_block_indirect_sort"};
  const auto linear = [](double n) { return n; };
  const auto comparisons = [](double n) { return n < 2 ? 0 : n * std::log2(n); };
  static const std::vector<Law> all{
      {"fitted_line",
       "straight line through measured times: a + b n",
       {"boost_spreadsort", "satish_cpu_radix"},
       linear},
      {"fitted_nlogn", "comparison sort, through measured times: a + b n log2 n", comparing, comparisons},
  };
  return all;
}

/// Names the coefficients of a law for one sort, type, number of threads and input.
struct Series {
  std::string before;  ///< text before the input's
  std::string after;

  Series(const std::string& law, const std::string& algorithm, KeyType key, ValueType value, int threads)
      : before(fmt::format("{} {} {}/{} ", law, algorithm, to_name(key), to_name(value))),
        after(fmt::format(" threads={}", threads)) {}
  std::string name(const std::string& input) const { return before + input + after; }
};

/// Features by which inputs are alike, each from 0 to 1: descents, and collision entropy over the largest that a trace
/// shows.
std::array<double, 2> features(const DistributionView& view) {
  constexpr double largest_bits = 36;
  return {view.descents(), std::min(1.0, -std::log2(std::max(view.equal_keys(), 1e-300)) / largest_bits)};
}
constexpr std::array<const char*, 2> kFeatures{": descents", ": entropy"};

/// The fitted input of the series that is most like the view's: the input itself if it was fitted.
std::string most_alike(const Series& series, const DistributionView& view, const MachineProfile& fits) {
  constexpr std::string_view rate = ": rate";
  if (fits.tables.contains(series.name(view.name()) + std::string{rate})) return view.name();
  const std::string end = series.after + std::string{rate};
  const std::array<double, 2> asked = features(view);
  std::pair<double, std::string> nearest{INFINITY, view.name()};
  for (const auto& [table, unused] : fits.tables) {
    if (!table.starts_with(series.before) || !table.ends_with(end)) continue;
    const std::string input = table.substr(series.before.size(), table.size() - series.before.size() - end.size());
    if (!fits.tables.contains(series.name(input) + kFeatures.front())) continue;
    double distance = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      distance += std::abs(asked[i] - fits.at(series.name(input) + kFeatures[i]));
    }
    nearest = std::min(nearest, {distance, input});
  }
  return nearest.second;
}

class Fitted final : public Model {
 public:
  explicit Fitted(const Law& law)
      : law_(law),
        info_{.name = law.name,
              .title = law.title,
              .source = "least squares on measured sort times",
              .algorithms = law.algorithms,
              .kind = ModelKind::fitted} {}
  const ModelInfo& info() const override { return info_; }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& fits) const override {
    const Series series{law_.name, workload.algorithm, workload.key, workload.value, workload.threads};
    const std::string input = most_alike(series, view, fits);
    const std::string name = series.name(input);
    const auto n = static_cast<double>(workload.n);
    const double seconds = fits.at(name + ": fixed") + fits.at(name + ": rate") * law_.work(n);
    return {.seconds = seconds,
            .phases = {},
            .basis = input == view.name() ? "" : fmt::format("fit of {}, the fitted input most like this one", input)};
  }

 private:
  const Law& law_;
  ModelInfo info_;
};

const RegisterModel line{std::make_unique<Fitted>(laws()[0])};
const RegisterModel comparison{std::make_unique<Fitted>(laws()[1])};

struct Coefficients {
  double fixed = 0;
  double rate = 0;
};

/// Least squares of (fixed + rate w - t) / t; neither coefficient is negative, so that times grow with n.
Coefficients least_squares(const std::vector<double>& work, const std::vector<double>& seconds) {
  const auto rows = static_cast<Eigen::Index>(work.size());
  Eigen::MatrixXd a(rows, 2);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    a.row(i) << 1 / seconds[k], work[k] / seconds[k];
  }
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows);
  const Eigen::VectorXd both = a.colPivHouseholderQr().solve(ones);
  if (both(1) < 0) return {a.col(0).dot(ones) / a.col(0).squaredNorm(), 0};
  if (both(0) >= 0) return {both(0), both(1)};
  return {0, a.col(1).dot(ones) / a.col(1).squaredNorm()};
}

}  // namespace

MachineProfile fit(std::span<const SortTime> times, std::string source) {
  MachineProfile fits{.id = "fitted", .name = "fitted coefficients", .origin = "fitted", .source = std::move(source)};
  for (const Law& law : laws()) {
    std::map<std::string, std::vector<const SortTime*>> groups;
    for (const SortTime& time : times) {
      if (std::ranges::find(law.algorithms, time.algorithm) == law.algorithms.end() || time.seconds <= 0) continue;
      const Series series{law.name, time.algorithm, time.key, time.value, time.threads};
      groups[series.name(time.distribution)].push_back(&time);
    }
    for (const auto& [name, group] : groups) {
      std::vector<double> work, seconds;
      for (const SortTime* time : group) {
        work.push_back(law.work(time->n));
        seconds.push_back(time->seconds);
      }
      if (std::set<double>(work.begin(), work.end()).size() < 2) continue;
      const Coefficients found = least_squares(work, seconds);
      const std::string from = fmt::format("{} measured sorts", work.size());
      fits.tables[name + ": fixed"] = {.unit = "s", .source = from, .arguments = {}, .points = {{{}, found.fixed, {}}}};
      fits.tables[name + ": rate"] = {
          .unit = "s/element", .source = from, .arguments = {}, .points = {{{}, found.rate, {}}}};
      const SortTime& largest = **std::ranges::max_element(group, {}, &SortTime::n);
      const DistributionView view{parse_distribution(largest.distribution), largest.key,
                                  static_cast<std::uint64_t>(largest.n), 1};
      for (std::size_t i = 0; i < kFeatures.size(); ++i) {
        fits.tables[name + kFeatures[i]] = {
            .unit = "1", .source = view.basis(), .arguments = {}, .points = {{{}, features(view)[i], {}}}};
      }
    }
  }
  if (fits.tables.empty()) {
    throw BadInput("fit: the records hold no algorithm with a fitted model measured at two sizes or more");
  }
  return fits;
}

}  // namespace sortlab
