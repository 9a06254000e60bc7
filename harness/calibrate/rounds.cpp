#include "harness/calibrate/rounds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "algorithms/host_probe.hpp"
#include "core/statistics.hpp"
#include "harness/cell/timed_sample.hpp"
#include "harness/machine/free_cores.hpp"

namespace sortlab::calibration {
namespace {

/// Median and interval of the samples that count. Disturbances count as they do for sorts.
MedianInterval result(const std::vector<ProbeReading>& samples) {
  std::vector<TimedSample> timed;
  for (const ProbeReading& sample : samples)
    timed.push_back({.seconds = sample.value, .disturbance = {.core_share = sample.speed}});
  std::vector<double> values;
  for (const std::size_t i : samples_that_count({}, timed)) values.push_back(samples[i].value);
  return median_interval(values);
}

constexpr double kNarrow = 0.1;  ///< relative width of an interval that needs no more samples

// Shares of the limit at which the first pass ends: of one thread, of all threads, and of any.
constexpr double kOneThreadShare = 0.4;
constexpr double kAllThreadsShare = 0.7;
constexpr double kFirstPassShare = 0.85;  // the first pass is no exact measure of the rounds

constexpr std::size_t kNamedTables = 6;  // tables that a summary names; the others it counts

/// Indices below `count`, the two ends first, then the middle of each gap, the widest first.
std::vector<std::size_t> ends_first(std::size_t count) {
  std::vector<std::size_t> order{0};
  if (count > 1) order.push_back(count - 1);
  std::vector<std::pair<std::size_t, std::size_t>> gaps{{0, count - 1}};
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const auto [begin, end] = gaps[i];
    if (end < begin + 2) continue;
    const std::size_t middle = begin + (end - begin) / 2;
    order.push_back(middle);
    gaps.insert(gaps.end(), {{begin, middle}, {middle, end}});
  }
  return order;
}

}  // namespace

TimedRounds::Measure on_free_cores() {
  auto cores = std::make_shared<FreeCores>(std::chrono::seconds{10});
  return [cores](const std::function<double()>& probe) {
    const double share = cores->share(processors());
    return ProbeReading{.value = probe(), .speed = share};
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
  ++added_[table];
}

std::optional<std::function<double()>> TimedRounds::find_sample(const std::string& table,
                                                                const std::vector<std::vector<double>>& points) const {
  for (const std::vector<double>& at : points) {
    const auto found = std::ranges::find_if(points_, [&](const Point& p) { return p.table == table && p.at == at; });
    if (found != points_.end()) return found->sample;
  }
  return std::nullopt;
}

double TimedRounds::steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double TimedRounds::passed_s() const {
  const double earlier_s = journal_ == nullptr ? 0 : journal_->spent_s();
  return earlier_s + clock_() - begun_s_;
}

/// Points of a table without an argument `threads` run on one.
double TimedRounds::threads_at(const Point& point) const {
  const std::vector<std::string>& arguments = declared_.at(point.table).arguments;
  const auto found = std::ranges::find(arguments, "threads");
  return found == arguments.end() ? 1 : point.at[static_cast<std::size_t>(found - arguments.begin())];
}

std::vector<double> TimedRounds::thread_counts() const {
  std::set<double> counts;
  for (const Point& point : points_) counts.insert(threads_at(point));
  std::vector<double> in_turn(counts.begin(), counts.end());
  if (in_turn.size() > 2) std::rotate(in_turn.begin() + 1, in_turn.end() - 1, in_turn.end());
  return in_turn;
}

std::vector<TimedRounds::Point*> TimedRounds::points_in_turn(double threads) {
  std::map<std::string_view, std::vector<Point*>> tables;
  for (Point& point : points_) {
    if (threads_at(point) == threads) tables[point.table].push_back(&point);
  }
  std::vector<std::pair<std::size_t, Point*>> by_rank;
  for (const auto& [table, points] : tables) {
    const std::vector<std::size_t> order = ends_first(points.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) by_rank.emplace_back(rank, points[order[rank]]);
  }
  std::ranges::stable_sort(by_rank, {}, &std::pair<std::size_t, Point*>::first);
  std::vector<Point*> in_turn;
  for (const auto& [rank, point] : by_rank) in_turn.push_back(point);
  return in_turn;
}

std::optional<double> TimedRounds::pass(double threads, double end_s, const std::function<bool(double)>& fits,
                                        const std::function<void()>& tell) {
  double took_s = 0;
  std::size_t passed = 0;
  for (Point* point : points_in_turn(threads)) {
    if (!point->first) {
      const double begin_s = passed_s();
      if (begin_s >= end_s) return std::nullopt;
      const double value = point->sample();
      point->first = FirstSample{.sample = {.value = value}, .took_s = passed_s() - begin_s};
      point->is_warm = true;
      if (journal_ != nullptr) journal_->add_first(point->table, point->at, *point->first, passed_s());
    }
    took_s += point->first->took_s;
    if (!fits(took_s)) return std::nullopt;
    if (++passed % 16 == 0) tell();
  }
  return took_s;
}

void TimedRounds::choose_points(const Extent& extent, const std::function<void()>& tell) {
  const std::vector<double> in_turn = thread_counts();
  std::vector<double> chosen;
  double round_s = 0;
  const auto fits = [&](double more_s) {
    return passed_s() + extent.rounds * (round_s + more_s) <= kFirstPassShare * extent.limit_s;
  };
  for (std::size_t i = 0; i < in_turn.size(); ++i) {
    const bool is_optional = i >= 2;
    if (is_optional && !fits(0)) break;
    const double share = is_optional ? kFirstPassShare : i == 1 ? kAllThreadsShare : kOneThreadShare;
    const auto always = [](double) { return true; };
    const std::optional<double> taken_s = is_optional ? pass(in_turn[i], share * extent.limit_s, fits, tell)
                                                      : pass(in_turn[i], share * extent.limit_s, always, tell);
    if (is_optional && !taken_s) break;
    chosen.push_back(in_turn[i]);
    round_s += taken_s.value_or(extent.limit_s);  // after a pass that was cut, no further count fits
  }
  if (journal_ != nullptr) journal_->choose(chosen, passed_s());
  keep_only(chosen);
}

void TimedRounds::keep_only(const std::vector<double>& threads) {
  std::erase_if(points_, [&](const Point& point) {
    if (std::ranges::count(threads, threads_at(point)) == 0) return true;
    if (!point.first) ++unreached_[point.table];
    return !point.first;
  });
  if (points_.empty() && !added_.empty()) {
    throw std::runtime_error("the time of the calibration was over before a point was measured; nothing is written");
  }
}

void TimedRounds::take(Point& point) {
  if (!std::exchange(point.is_warm, true)) point.sample();
  point.samples.push_back(measure_(point.sample));
  if (journal_ != nullptr) journal_->add(point.table, point.at, point.samples.back(), passed_s());
}

void TimedRounds::measure_rounds(const Extent& extent, const std::function<void(double, double)>& tell) {
  const double begin_s = passed_s();
  for (int round = 1; round <= extent.rounds; ++round) {
    if (passed_s() >= extent.limit_s) break;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const bool is_over = passed_s() >= extent.limit_s;
      if (static_cast<int>(points_[i].samples.size()) < round && !is_over) take(points_[i]);
      if (i % 16 != 0) continue;
      const auto done = static_cast<double>(static_cast<std::size_t>(round - 1) * points_.size() + i);
      const double share = done / static_cast<double>(static_cast<std::size_t>(extent.rounds) * points_.size());
      const double rounds_s = share > 0 ? (passed_s() - begin_s) / share : extent.limit_s;
      tell(share / 2, begin_s + rounds_s);
    }
  }
  for (Point& point : points_) {
    if (point.samples.empty()) point.samples.push_back(point.first->sample);
  }
}

void TimedRounds::run(const Extent& extent, const std::function<void(double, double)>& progress) {
  begun_s_ = clock_();
  rounds_ = extent.rounds;
  counts_ = thread_counts();
  std::ranges::sort(counts_);
  const double all_s = std::min(extent.limit_s, extent.repeat_s);  // end of repeating
  const auto tell = [&](double share, double end_s) {
    progress(std::min(1.0, share), std::max(0.0, std::min(end_s, extent.limit_s) - passed_s()));
  };
  if (journal_ != nullptr) {
    for (Point& point : points_) {
      point.first = journal_->first(point.table, point.at);
      point.samples = journal_->samples(point.table, point.at);
    }
  }
  if (journal_ != nullptr && journal_->threads()) {
    keep_only(*journal_->threads());
  } else {
    choose_points(extent, [&] { tell(0, extent.limit_s); });
  }
  measure_rounds(extent, [&](double share, double end_s) { tell(share, std::max(all_s, end_s)); });
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

std::vector<std::string> TimedRounds::cuts() const {
  std::vector<std::string> said;
  std::set<double> threads;
  for (const Point& point : points_) threads.insert(threads_at(point));
  if (threads.size() < counts_.size()) {
    said.push_back(fmt::format("of the thread counts {} only {}", fmt::join(counts_, ", "), fmt::join(threads, ", ")));
  }
  std::vector<std::string> tables;
  for (const auto& [table, points] : unreached_) tables.push_back(fmt::format("{} ({})", table, points));
  if (tables.size() > kNamedTables) {
    const std::size_t more = tables.size() - kNamedTables;
    tables.resize(kNamedTables);
    tables.push_back(fmt::format("{} more tables", more));
  }
  if (!tables.empty()) said.push_back(fmt::format("points not reached: {}", fmt::join(tables, ", ")));
  const auto short_ones = std::ranges::count_if(
      points_, [&](const Point& point) { return static_cast<int>(point.samples.size()) < rounds_; });
  if (short_ones > 0) {
    said.push_back(fmt::format("{} of {} points with fewer than {} samples", short_ones, points_.size(), rounds_));
  }
  return said;
}

void TimedRounds::write_to(std::map<std::string, ProfileTable, std::less<>>& tables) const {
  std::map<std::string, std::size_t> measured;
  for (const Point& point : points_) {
    if (measured[point.table]++ == 0) tables[point.table] = declared_.at(point.table);
    const MedianInterval interval = result(point.samples);
    // A cost that is the difference of two measured ones is below 0 where it drowns in their noise.
    const double value = std::max(interval.median, 0.0);
    tables[point.table].points.push_back({point.at, value, std::pair{interval.lower, std::max(interval.upper, value)}});
  }
  for (const auto& [name, count] : measured) {
    const std::size_t added = added_.at(name);
    if (count < added) {
      tables[name].source += fmt::format("; {} of {} points measured in the time there was", count, added);
    }
  }
}

}  // namespace sortlab::calibration
