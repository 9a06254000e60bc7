#include "harness/calibrate/rounds.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "algorithms/host_probe.hpp"
#include "core/statistics.hpp"
#include "harness/cell/timed_sample.hpp"
#include "harness/machine/free_cores.hpp"

namespace sortlab::calibration {
namespace {

using Clock = std::chrono::steady_clock;

/// Median and interval of the samples that count. Disturbances count as they do for sorts.
MedianInterval result(const std::vector<Sample>& samples) {
  std::vector<TimedSample> timed;
  for (const Sample& sample : samples) timed.push_back({.seconds = sample.value, .core_share = sample.speed});
  std::vector<double> values;
  for (const std::size_t i : samples_that_count({}, timed)) values.push_back(samples[i].value);
  return median_interval(values);
}

constexpr double kNarrow = 0.1;  ///< relative width of an interval that needs no more samples

}  // namespace

TimedRounds::Measure on_free_cores() {
  auto cores = std::make_shared<FreeCores>(std::chrono::seconds{10});
  return [cores](const std::function<double()>& probe) {
    const double share = cores->share(processors());
    return Sample{.value = probe(), .speed = share};
  };
}

void TimedRounds::declare(const std::string& table, std::string unit, std::string source,
                          std::vector<std::string> arguments) {
  const bool is_new = declared_
                          .try_emplace(table, ProfileTable{.unit = std::move(unit),
                                                           .source = std::move(source),
                                                           .arguments = std::move(arguments),
                                                           .points = {},
                                                           .kind = std::string{to_name(kind_)}})
                          .second;
  if (!is_new) throw std::logic_error("two probes make the table " + table);
}

void TimedRounds::add(const std::string& table, std::vector<double> at, std::function<double()> sample) {
  if (declared_.at(table).arguments.size() != at.size()) throw std::logic_error("arguments of " + table);
  points_.push_back({table, std::move(at), std::move(sample), {}});
}

void TimedRounds::run(int rounds, double seconds, const std::function<void(double)>& progress) {
  const auto begin = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (round == 0) {
        points_[i].sample();
      } else {
        points_[i].samples.push_back(measure_(points_[i].sample));
      }
      if (i % 64 == 0) {
        const auto done = static_cast<double>(static_cast<std::size_t>(round) * points_.size() + i);
        progress(done / static_cast<double>(static_cast<std::size_t>(rounds + 1) * points_.size()) / 2);
      }
    }
  }
  for (bool all_narrow = false; !all_narrow && passed() < seconds;) {
    all_narrow = true;
    for (Point& point : points_) {
      const MedianInterval now = result(point.samples);
      if (now.upper - now.lower <= kNarrow * now.median || passed() >= seconds) continue;
      all_narrow = false;
      point.samples.push_back(measure_(point.sample));
    }
    progress(std::min(1.0, 0.5 + passed() / seconds / 2));
  }
}

void TimedRounds::write_to(std::map<std::string, ProfileTable, std::less<>>& tables) const {
  for (const auto& [name, table] : declared_) tables[name] = table;
  for (const Point& point : points_) {
    const MedianInterval interval = result(point.samples);
    tables[point.table].points.push_back({point.at, interval.median, std::pair{interval.lower, interval.upper}});
  }
}

}  // namespace sortlab::calibration
