// Statistics against the results that SciPy computed of the corpus in tests/data/statistics/. Its pytest asks
// plots/records/statistics.py for the same.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "harness/compare/ratio.hpp"

namespace sortlab {
namespace {

using nlohmann::json;

json cases(const std::string& name) {
  std::ifstream file{std::string{SORTLAB_SOURCE_DIR} + "/tests/data/statistics/" + name + ".json"};
  json found = json::parse(file);
  EXPECT_GE(found.size(), 12U);
  return found;
}

void expect_close(double found, const json& wanted, double relative, const json& of) {
  EXPECT_NEAR(found, wanted.get<double>(), relative * wanted.get<double>()) << of.dump().substr(0, 120);
}

TEST(StatisticsCorpus, MediansAndIntervalsOfRuns) {
  for (const json& c : cases("runs")) {
    const auto samples = c["samples"].get<std::vector<double>>();
    const MedianInterval found = run_interval(samples, c["processes"].get<std::vector<int>>());
    expect_close(found.median, c["median"], 1e-12, c);
    expect_close(found.lower, c["low"], 1e-12, c);
    expect_close(found.upper, c["high"], 1e-12, c);
  }
}

TEST(StatisticsCorpus, QuantilesOfStudentsT) {
  for (const json& c : cases("student_t")) {
    expect_close(student_t(c["confidence"], c["degrees_of_freedom"]), c["t"], 1e-9, c);
  }
}

TEST(StatisticsCorpus, Quantiles) {
  for (const json& c : cases("quantiles")) {
    const auto values = c["values"].get<std::vector<double>>();
    expect_close(interpolated_quantile(values, c["p"]), c["quantile"], 1e-12, c);
    if (c["p"] == 0.5) expect_close(median(values), c["quantile"], 1e-12, c);
  }
}

TEST(StatisticsCorpus, RatiosOfOneProcessEach) {
  for (const json& c : cases("one_process_ratios")) {
    const auto a = c["a"].get<std::vector<double>>();
    const auto b = c["b"].get<std::vector<double>>();
    const std::vector<int> in_a(a.size());
    const std::vector<int> in_b(b.size());
    const Place place = c["on"] == "device"       ? Place::device
                        : c["on"] == "one thread" ? Place::one_thread
                                                  : Place::several_threads;
    const std::vector pairs{SamplePair{.a = {a, in_a, {}}, .b = {b, in_b, {}}, .place = place}};
    const Ratio found = judge(pairs).cells.front().ratio;
    expect_close(found.value, c["ratio"], 1e-9, c);
    expect_close(found.lower, c["low"], 1e-9, c);
    expect_close(found.upper, c["high"], 1e-9, c);
  }
}

}  // namespace
}  // namespace sortlab
