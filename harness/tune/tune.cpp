#include "harness/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "core/build_digest.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/work.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxSettings = 4096;
constexpr std::int64_t kWholeRange = 64;

struct Round {
  int samples;
  std::size_t kept;     ///< number of settings that go on to the next round
  double budget_share;  ///< share of the remaining time
};
constexpr std::array<Round, 3> kRounds{{{3, 12, 0.6}, {9, 5, 0.6}, {25, 0, 1}}};

/// Relative difference below which settings are considered equal.
constexpr double kIndifferent = 0.01;

/// Number of cells that are measured in turn in a round: enough for drift to affect all alike, but few enough for their
/// scratch memory to fit, and for little to be lost when the budget ends.
constexpr std::size_t kLargestBlock = 48;

/// The measurements of a sweep: for each key, the one with most samples.
class Measurements {
 public:
  /// Adds what a kept record holds.
  void add(const ordered_json& record) {
    if (record.value("kind", ordered_json()) != "measurement" || !record.contains("key") || !record["key"].is_string())
      return;
    if (auto measurement = measured_in(record)) add(record["key"], std::move(*measurement));
  }
  void add(const Case& c, const Measured& measurement) { add(resume_key(c, machine_id()), measurement); }

  /// True if a cell is settled for a round of that many samples: it has them, or it was lost.
  bool settles(const Case& c, int samples) const {
    const auto found = by_key_.find(resume_key(c, machine_id()));
    return found != by_key_.end() &&
           (found->second.status != Status::ok || found->second.samples_s.size() >= static_cast<std::size_t>(samples));
  }

  std::optional<MeasuredSetting> of(const Case& c) const {
    const auto found = by_key_.find(resume_key(c, machine_id()));
    if (found == by_key_.end() || found->second.samples_s.empty()) return std::nullopt;
    const Measured& m = found->second;
    return MeasuredSetting{.subject = c,
                           .time = {.parameters = c.parameters, .median_s = m.median_s, .ci95_s = m.ci95_s},
                           .samples = m.samples_s.size()};
  }

 private:
  void add(const std::string& key, Measured measurement) {
    if (measurement.status == Status::skipped) return;
    Measured& known = by_key_[key];
    if (measurement.status != Status::ok || measurement.samples_s.size() >= known.samples_s.size()) {
      known = std::move(measurement);
    }
  }

  std::map<std::string, Measured> by_key_;
};

/// The measured ones among `cases`, the fastest first.
std::vector<MeasuredSetting> ranked(const std::vector<Case>& cases, const Measurements& measurements) {
  std::vector<MeasuredSetting> settings;
  for (const Case& c : cases) {
    if (auto measured = measurements.of(c)) settings.push_back(std::move(*measured));
  }
  std::ranges::stable_sort(settings, {}, [](const MeasuredSetting& m) { return m.time.median_s; });
  return settings;
}

void add(SessionResult& all, SessionResult one) {
  all.measured += one.measured;
  all.left += one.left;
  all.lost.insert(all.lost.end(), one.lost.begin(), one.lost.end());
  all.skipped.insert(all.skipped.end(), one.skipped.begin(), one.skipped.end());
}

/// The fastest `kept` of `cases`. The first setting is always among them, at the front.
std::vector<Case> select_best(const std::vector<Case>& cases, const Measurements& measurements, std::size_t kept) {
  std::vector<Case> best{cases.front()};
  for (const MeasuredSetting& setting : ranked(cases, measurements)) {
    if (best.size() > kept) break;
    if (setting.subject.parameters != cases.front().parameters) best.push_back(setting.subject);
  }
  return best;
}

SessionResult measure(const std::vector<Case>& cases, int samples, double budget_s, Measurements& measurements,
                      const SweepOptions& options) {
  Protocol protocol;
  protocol.processes = 1;  // the budget may end after a turn, and half a cell is none
  protocol.samples = samples;
  std::vector<Block> blocks;
  for (const Case& c : cases) {
    if (blocks.empty() || blocks.back().size() == kLargestBlock) blocks.emplace_back();
    blocks.back().push_back({c, protocol});
  }
  SessionOptions session{.out = options.records,
                         .measured = [&](const Cell& cell, const Measured& m) { measurements.add(cell.subject, m); },
                         .quiet = options.quiet,
                         .supervisor = {}};
  session.supervisor.time_budget_s = budget_s;
  return run_session(plan_work(blocks), {.command = command_line()}, session);
}

}  // namespace

std::vector<Value> values_to_try(const Parameter& parameter) {
  std::vector<Value> values;
  if (parameter.promise || std::holds_alternative<double>(parameter.standard)) return values;
  for (const std::string& word : parameter.choices) values.emplace_back(word);
  if (!values.empty()) return values;
  const auto smallest = static_cast<std::int64_t>(parameter.range.smallest);
  const auto largest = static_cast<std::int64_t>(parameter.range.largest);
  const bool whole = largest - smallest < kWholeRange;
  for (std::int64_t number = smallest; number <= largest; ++number) {
    const bool power = number > 0 && (number & (number - 1)) == 0;
    if (whole || power || number == smallest || number == largest) values.emplace_back(number);
  }
  return values;
}

Settings make_settings(const Case& start, const std::vector<std::string>& vary) {
  const Info& info = start.algorithm->info();
  std::vector<std::string> names;
  for (const Parameter& parameter : info.parameters) {
    if (!values_to_try(parameter).empty()) names.push_back(parameter.name);
  }
  for (const std::string& name : vary) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw BadInput(fmt::format("vary: {} has no parameter '{}' with values to try{}; allowed: {}", info.name, name,
                               did_you_mean(name, names), names.empty() ? "none" : join(names)));
  }
  const auto check_count = [&](std::size_t count, std::size_t most) {
    if (count <= most) return;
    throw BadInput(fmt::format("vary: more than {} settings; name fewer of: {}", kMaxSettings, join(names)));
  };
  std::vector<Parameters> combinations{start.parameters};
  for (const Parameter& parameter : info.parameters) {
    const std::vector<Value> values = values_to_try(parameter);
    if (values.empty() || (!vary.empty() && std::ranges::find(vary, parameter.name) == vary.end())) continue;
    std::vector<Parameters> product;
    for (const Parameters& one : combinations) {
      for (const Value& value : values) {
        product.push_back(one);
        product.back().set(parameter.name, value);
      }
    }
    combinations = std::move(product);
    check_count(combinations.size(), 64 * kMaxSettings);  // the plug-in may decline most
  }
  Settings settings;
  settings.accepted.push_back(start);
  for (const Parameters& parameters : combinations) {
    if (parameters == start.parameters) continue;
    Case c = start;
    c.parameters = parameters;
    if (refusal(c)) {
      ++settings.declined;
    } else {
      settings.accepted.push_back(std::move(c));
    }
    check_count(settings.accepted.size(), kMaxSettings);
  }
  return settings;
}

SweepOutcome sweep_parameters(const Case& start, const std::vector<std::string>& vary, const SweepOptions& options) {
  const Settings settings = make_settings(start, vary);
  Measurements measurements;
  for (const ordered_json& record : options.records->before()) measurements.add(record);
  SweepOutcome outcome;
  outcome.declined = settings.declined;
  const auto begin = Clock::now();
  std::vector<Case> cases = settings.accepted;
  for (const Round& round : kRounds) {
    const bool last = &round == &kRounds.back();
    if (!last && cases.size() <= round.kept + 1) continue;
    std::vector<Case> to_measure;
    for (const Case& c : cases) {
      if (!measurements.settles(c, round.samples)) to_measure.push_back(c);
    }
    if (last && !to_measure.empty()) to_measure = cases;
    const double left_s = options.budget_s - std::chrono::duration<double>(Clock::now() - begin).count();
    if (!to_measure.empty()) {
      const double share_s = std::max(0.0, round.budget_share * left_s);
      SessionResult session = measure(to_measure, round.samples, share_s, measurements, options);
      outcome.complete = session.left == 0;
      add(outcome.session, std::move(session));
    }
    if (!last) cases = select_best(cases, measurements, round.kept);
  }
  if (outcome.complete) outcome.finalists = ranked(cases, measurements);
  outcome.others = ranked(settings.accepted, measurements);
  std::erase_if(outcome.others, [&](const MeasuredSetting& m) {
    return std::ranges::any_of(outcome.finalists, [&](const MeasuredSetting& finalist) {
      return finalist.subject.parameters == m.subject.parameters;
    });
  });
  return outcome;
}

std::optional<Tuning> choose_tuning(const Case& start, const SweepOutcome& outcome) {
  const auto of_start = std::ranges::find_if(
      outcome.finalists, [&](const MeasuredSetting& m) { return m.subject.parameters == start.parameters; });
  if (of_start == outcome.finalists.end()) return std::nullopt;
  const MeasuredSetting& fastest = outcome.finalists.front();
  const bool better = fastest.time.ci95_s[1] < (1 - kIndifferent) * of_start->time.ci95_s[0];
  const MeasuredSetting& chosen = better ? fastest : *of_start;
  const bool on_device = start.algorithm->info().runs_on != Processor::host;
  return Tuning{.subject = chosen.subject,
                .chosen = chosen.time,
                .compiled = of_start->time,
                .distribution = start.distribution.text,
                .device = on_device && !gpus_here().names.empty() ? gpus_here().names.front() : "",
                .build = std::string{build_digest(start.algorithm->info().name)},
                .settings = outcome.finalists.size() + outcome.others.size(),
                .declined = outcome.declined};
}

}  // namespace sortlab
