#include "models/fitted.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
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

std::string series(const std::string& law, const std::string& algorithm, KeyType key, ValueType value,
                   const std::string& distribution, int threads) {
  return fmt::format("{} {} {}/{} {} threads={}", law, algorithm, to_name(key), to_name(value), distribution, threads);
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
    const std::string name =
        series(law_.name, workload.algorithm, workload.key, workload.value, view.name(), workload.threads);
    const auto n = static_cast<double>(workload.n);
    const double seconds = fits.at(name + ": fixed") + fits.at(name + ": rate") * law_.work(n);
    return {.seconds = seconds, .phases = {}};
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

/// Least squares of (fixed + rate w - t) / t; the fixed part is not negative.
Coefficients least_squares(const std::vector<double>& work, const std::vector<double>& seconds) {
  const auto rows = static_cast<Eigen::Index>(work.size());
  Eigen::MatrixXd a(rows, 2);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    a.row(i) << 1 / seconds[k], work[k] / seconds[k];
  }
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows);
  const Eigen::VectorXd both = a.colPivHouseholderQr().solve(ones);
  if (both(0) >= 0) return {both(0), both(1)};
  return {0, a.col(1).dot(ones) / a.col(1).squaredNorm()};
}

}  // namespace

MachineProfile fit(std::span<const SortTime> times, std::string source) {
  MachineProfile fits{.id = "fitted", .name = "fitted coefficients", .origin = "fitted", .source = std::move(source)};
  for (const Law& law : laws()) {
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> groups;
    for (const SortTime& time : times) {
      if (std::ranges::find(law.algorithms, time.algorithm) == law.algorithms.end() || time.seconds <= 0) continue;
      auto& [work, seconds] =
          groups[series(law.name, time.algorithm, time.key, time.value, time.distribution, time.threads)];
      work.push_back(law.work(time.n));
      seconds.push_back(time.seconds);
    }
    for (const auto& [name, group] : groups) {
      const auto& [work, seconds] = group;
      if (std::set<double>(work.begin(), work.end()).size() < 2) continue;
      const Coefficients found = least_squares(work, seconds);
      const std::string from = fmt::format("{} measured sorts", work.size());
      fits.tables[name + ": fixed"] = {.unit = "s", .source = from, .arguments = {}, .points = {{{}, found.fixed, {}}}};
      fits.tables[name + ": rate"] = {
          .unit = "s/element", .source = from, .arguments = {}, .points = {{{}, found.rate, {}}}};
    }
  }
  if (fits.tables.empty()) {
    throw BadInput("fit: the records hold no algorithm with a fitted model measured at two sizes or more");
  }
  return fits;
}

}  // namespace sortlab
