#include "harness/commands/recommend_elsewhere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/printable.hpp"
#include "generators/key_file.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/cell/parse.hpp"
#include "harness/cell/problem.hpp"
#include "harness/commands/kept_records.hpp"
#include "harness/commands/predict_cases.hpp"
#include "harness/keys/describe.hpp"
#include "harness/predict/predictor.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/run/duration.hpp"
#include "harness/validate/draw.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

constexpr const char* kNearestRecord = "nearest record";

std::vector<PhasePrediction> phases_in(const ordered_json& prediction) {
  std::vector<PhasePrediction> phases;
  for (const ordered_json& phase : prediction["phases"]) {
    phases.push_back({.name = phase["name"], .seconds = phase["seconds"], .binding = phase["binding"]});
  }
  return phases;
}

/// The cases of a sort on that machine: on one thread and, if it can use several, on all of them.
std::vector<Case> make_cases(const Algorithm& algorithm, const MachineProfile& machine,
                             const ElsewhereRequest& request) {
  CaseOptions cases = request.cases;
  cases.algorithms = {algorithm.info().name};
  cases.residency = {algorithm.info().runs_on == Processor::host ? "host" : "end_to_end"};
  cases.threads = {"1"};
  const int threads = request.threads > 0 ? request.threads : static_cast<int>(machine.cores);
  if (algorithm.info().parallel && algorithm.info().runs_on == Processor::host && threads > 1) {
    cases.threads.push_back(fmt::format("{}", std::min(threads, kMaxThreads)));
  }
  return cases_on(machine, cases, "").cases;
}

/// The reason the sort is left out, whatever a model says.
std::optional<std::string> reason_against(const Case& c, const MachineProfile& machine,
                                          const ElsewhereRequest& request) {
  const Algorithm& algorithm = *c.algorithm;
  if (request.stable && !algorithm.stable(c.parameters)) return "is not stable";
  if (auto reason = refusal_anywhere(c)) return reason;
  const bool on_host = algorithm.info().runs_on == Processor::host;
  if (request.limits_scratch) {
    if (request.too_much_scratch.contains(algorithm.info().name)) return "needs more scratch memory";
    if (!on_host) return "its scratch memory is not known without its device";
  }
  const MachineProfile* const runner = runs_on(c, machine);
  if (runner == nullptr) return "the machine has no such device";
  if (runner->memory_bytes > 0 && 2 * static_cast<double>(input_bytes(c)) > runner->memory_bytes) {
    return "the keys and a copy do not fit in its memory";
  }
  return std::nullopt;
}

/// Times in kept records, with how unlike their inputs are to the file.
class NearestRecords {
 public:
  NearestRecords(const std::string& machine_id, const Case& of_file) : times_(kept_times(machine_id)), file_(of_file) {
    std::erase_if(times_, [&](const SortTime& time) {
      return time.key != of_file.key || time.value != of_file.value || time.n < 1 || time.seconds <= 0;
    });
    std::set<std::string> texts;
    for (const SortTime& time : times_) texts.insert(time.distribution);
    const KeyFile* const keys = key_file(of_file.distribution.parameters.word("digest"));
    if (keys == nullptr || texts.empty()) return;
    for (const Likeness& one : find_likeness(*keys, {texts.begin(), texts.end()})) {
      distances_[one.distribution] = one.distance;
    }
  }

  /// The record of the sort whose input is nearest, its time scaled by the number of keys.
  std::optional<ElsewhereSort> of(const Case& c) const {
    constexpr double octaves = 16;  // factor of 2^16 in size that counts as much as an input with nothing in common
    const SortTime* nearest = nullptr;
    double least = 0;
    const auto n = static_cast<double>(file_.n);
    for (const SortTime& time : times_) {
      const auto distance = distances_.find(time.distribution);
      if (time.algorithm != c.algorithm->info().name || distance == distances_.end()) continue;
      if (c.algorithm->info().parallel && time.threads != c.threads) continue;
      const double unlike = distance->second + std::abs(std::log2(n / time.n)) / octaves;
      if (nearest != nullptr && std::pair{least, nearest->seconds} <= std::pair{unlike, time.seconds}) continue;
      nearest = &time;
      least = unlike;
    }
    if (nearest == nullptr) return std::nullopt;
    return ElsewhereSort{.algorithm = nearest->algorithm,
                         .threads = c.threads,
                         .seconds = nearest->seconds * n / nearest->n,
                         .from = kNearestRecord,
                         .nearest = fmt::format("{}, {:.0f} keys", nearest->distribution, nearest->n)};
  }

 private:
  std::vector<SortTime> times_;
  Case file_;
  std::map<std::string, double> distances_;
};

/// The answer of the first model that knows no times: component models come before hardware models.
std::optional<ElsewhereSort> predicted(Predictor& predictor, const Case& c, const KeptErrors& errors) {
  for (const Predictor::Answer& answer : predictor.of(c)) {
    const ModelKind kind = answer.model->info().kind;
    if (!is_validated(kind)) continue;
    ElsewhereSort found{.algorithm = c.algorithm->info().name,
                        .threads = c.threads,
                        .seconds = answer.record["seconds"],
                        .from = std::string{to_name(kind)},
                        .why = binding_text(phases_in(answer.record))};
    if (const auto error = errors.of(kind, found.algorithm, c.residency == Residency::host)) {
      found.interval = {found.seconds * error->factors[0], found.seconds * error->factors[1]};
      found.interval_cells = error->cells;
    }
    return found;
  }
  return std::nullopt;
}

std::string interval_text(const ElsewhereSort& sort) {
  if (!sort.interval) return "not known";
  return fmt::format("{} to {}", duration_text(sort.interval->front()), duration_text(sort.interval->back()));
}

}  // namespace

std::string binding_text(const std::vector<PhasePrediction>& phases) {
  std::map<std::pair<std::string, std::string>, double> seconds;
  double sum_s = 0;
  for (const PhasePrediction& phase : phases) {
    seconds[{phase.name, phase.binding}] += phase.seconds;
    sum_s += phase.seconds;
  }
  if (sum_s <= 0) return "";
  const auto& [longest, longest_s] = *std::ranges::max_element(seconds, {}, [](const auto& one) { return one.second; });
  const std::string share = fmt::format("{} {:.0f} %", longest.first, 100 * longest_s / sum_s);
  return longest.second.empty() ? share : fmt::format("{}, bound by {}", share, longest.second);
}

Elsewhere recommend_elsewhere(const ElsewhereRequest& request) {
  const MachineProfile machine = profile_named(request.machine);
  Elsewhere found{.machine = printable(machine.name), .sorts = {}, .left_out = {}};
  Predictor predictor{machine, std::nullopt, {}};
  const KeptErrors errors;
  std::optional<NearestRecords> records;
  for (const Algorithm* algorithm : all_algorithms()) {
    const std::string& name = algorithm->info().name;
    std::optional<ElsewhereSort> best;
    std::string why_not = "no model predicts it there, and no record of it is kept";
    for (const Case& c : make_cases(*algorithm, machine, request)) {
      if (auto reason = reason_against(c, machine, request)) {
        why_not = *reason;
        continue;
      }
      std::optional<ElsewhereSort> one = predicted(predictor, c, errors);
      if (!one && algorithm->info().runs_on == Processor::host) {
        if (!records) records.emplace(machine.id, c);
        one = records->of(c);
      }
      if (one && (!best || one->seconds < best->seconds)) best = std::move(one);
    }
    if (best) {
      found.sorts.push_back(std::move(*best));
    } else {
      found.left_out[why_not].push_back(name);
    }
  }
  std::ranges::sort(found.sorts, {}, &ElsewhereSort::seconds);
  return found;
}

ordered_json to_json(const Elsewhere& elsewhere) {
  ordered_json sorts = ordered_json::array();
  for (const ElsewhereSort& sort : elsewhere.sorts) {
    sorts.push_back({{"algorithm", sort.algorithm},
                     {"threads", sort.threads},
                     {"seconds", sort.seconds},
                     {"interval90_s", sort.interval ? ordered_json(*sort.interval) : ordered_json()},
                     {"interval_cells", sort.interval_cells},
                     {"from", sort.from},
                     {"why", sort.why.empty() ? ordered_json() : ordered_json(sort.why)},
                     {"nearest", sort.nearest.empty() ? ordered_json() : ordered_json(sort.nearest)}});
  }
  return {{"machine", elsewhere.machine}, {"sorts", std::move(sorts)}, {"left_out", elsewhere.left_out}};
}

std::string elsewhere_text(const Elsewhere& elsewhere) {
  std::string text;
  if (elsewhere.sorts.empty()) {
    text = fmt::format("On {}: no sort of these keys is predicted, and no record of one is kept\n", elsewhere.machine);
  } else {
    constexpr std::size_t shown = 8;
    std::vector<std::vector<std::string>> rows;
    for (const ElsewhereSort& sort : elsewhere.sorts) {
      if (rows.size() == shown) break;
      const bool is_record = sort.from == kNearestRecord;
      rows.push_back({fmt::format("{}", rows.size() + 1), sort.algorithm, fmt::format("{}", sort.threads),
                      duration_text(sort.seconds), interval_text(sort), sort.from,
                      is_record ? sort.nearest : (sort.why.empty() ? "-" : sort.why)});
    }
    text = fmt::format(
        "On {}, for keys in the host's memory, copies to and from a GPU included:\n{}", elsewhere.machine,
        table({"", "sort", "threads", "time", "90 % of validated cells", "from", "why, or which record"}, rows));
    if (elsewhere.sorts.size() > rows.size()) {
      text += fmt::format("and {} slower ones (--json has all)\n", elsewhere.sorts.size() - rows.size());
    }
  }
  for (const auto& [reason, names] : elsewhere.left_out) {
    text += fmt::format("left out there: {}: {}\n", join(names), printable(reason));
  }
  return text;
}

std::string elsewhere_clause(const Elsewhere& elsewhere) {
  if (elsewhere.sorts.empty()) return fmt::format("for {} nothing is known", elsewhere.machine);
  const ElsewhereSort& best = elsewhere.sorts.front();
  std::string text =
      fmt::format("on {}, {} would take about {}", elsewhere.machine, best.algorithm, duration_text(best.seconds));
  if (best.interval) text += fmt::format(" ({})", interval_text(best));
  return text + (best.from == kNearestRecord ? ", by its nearest record" : ", by a model");
}

}  // namespace sortlab
