#include "harness/calibrate/rounds.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

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
  for (const Sample& sample : samples)
    timed.push_back({.seconds = sample.value, .disturbance = {.core_share = sample.speed}});
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

double TimedRounds::passed_s() const {
  const double earlier_s = journal_ == nullptr ? 0 : journal_->spent_s();
  return earlier_s + std::chrono::duration<double>(Clock::now() - begun_).count();
}

/// Points of a table without an argument `threads` run on one.
double TimedRounds::threads_at(const Point& point) const {
  const std::vector<std::string>& arguments = declared_.at(point.table).arguments;
  const auto found = std::ranges::find(arguments, "threads");
  return found == arguments.end() ? 1 : point.at[static_cast<std::size_t>(found - arguments.begin())];
}

void TimedRounds::choose_points(const Extent& extent, const std::function<void()>& tell) {
  std::set<double> counts;
  for (const Point& point : points_) counts.insert(threads_at(point));
  std::vector<double> in_turn(counts.begin(), counts.end());
  if (in_turn.size() > 2) std::rotate(in_turn.begin() + 1, in_turn.end() - 1, in_turn.end());  // 1, all, 2, 4 …
  constexpr double reserve = 0.85;  // share of the limit; the first round is no exact measure
  std::vector<double> chosen;
  double round_s = 0;
  for (std::size_t i = 0; i < in_turn.size(); ++i) {
    const double before_s = passed_s();
    for (std::size_t p = 0; p < points_.size(); ++p) {
      if (p % 64 == 0) tell();
      if (threads_at(points_[p]) != in_turn[i]) continue;
      points_[p].first = Sample{.value = points_[p].sample()};
      points_[p].is_warm = true;
    }
    const double taken_s = passed_s() - before_s;
    const bool fits = passed_s() + extent.rounds * (round_s + taken_s) <= reserve * extent.limit_s;
    if (i >= 2 && !fits) break;
    chosen.push_back(in_turn[i]);
    round_s += taken_s;
  }
  if (journal_ != nullptr) journal_->choose(chosen, passed_s());
  std::erase_if(points_, [&](const Point& point) { return std::ranges::count(chosen, threads_at(point)) == 0; });
}

void TimedRounds::take(Point& point) {
  if (!std::exchange(point.is_warm, true)) point.sample();
  point.samples.push_back(measure_(point.sample));
  if (journal_ != nullptr) journal_->add(point.table, point.at, point.samples.back(), passed_s());
}

void TimedRounds::run(const Extent& extent, const std::function<void(double, double)>& progress) {
  begun_ = Clock::now();
  const double all_s = std::min(extent.limit_s, extent.repeat_s);  // end of repeating
  const auto tell = [&](double share, double end_s) {
    progress(std::min(1.0, share), std::max(0.0, std::min(end_s, extent.limit_s) - passed_s()));
  };
  if (journal_ != nullptr && journal_->threads()) {
    const std::vector<double>& chosen = *journal_->threads();
    std::erase_if(points_, [&](const Point& point) { return std::ranges::count(chosen, threads_at(point)) == 0; });
    for (Point& point : points_) point.samples = journal_->samples(point.table, point.at);
  } else {
    choose_points(extent, [&] { tell(0, extent.limit_s); });
  }
  const double rounds_begin_s = passed_s();
  for (int round = 1; round <= extent.rounds; ++round) {
    if (passed_s() >= extent.limit_s) break;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const bool is_over = passed_s() >= extent.limit_s;
      if (static_cast<int>(points_[i].samples.size()) < round && !is_over) take(points_[i]);
      if (i % 64 != 0) continue;
      const auto done = static_cast<double>(static_cast<std::size_t>(round - 1) * points_.size() + i);
      const double share = done / static_cast<double>(static_cast<std::size_t>(extent.rounds) * points_.size());
      const double rounds_s = share > 0 ? (passed_s() - rounds_begin_s) / share : extent.limit_s;
      tell(share / 2, std::max(all_s, rounds_begin_s + rounds_s));
    }
  }
  for (Point& point : points_) {
    if (!point.samples.empty()) continue;
    if (point.first) {
      point.samples.push_back(*point.first);
    } else {
      take(point);
    }
  }
  for (bool all_narrow = false; !all_narrow && passed_s() < all_s;) {
    all_narrow = true;
    for (Point& point : points_) {
      const MedianInterval now = result(point.samples);
      if (now.upper - now.lower <= kNarrow * now.median || passed_s() >= all_s) continue;
      all_narrow = false;
      take(point);
    }
    tell(0.5 + passed_s() / all_s / 2, all_s);
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
