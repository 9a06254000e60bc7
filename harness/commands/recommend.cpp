// `sortlab recommend`: which sort is the fastest on a user's own keys.
//
// All sorts that take the keys run on a part of them, the best few of these on all keys. Models, where a sort has one,
// say the time beside, and what binds it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "core/affinity.hpp"
#include "core/printable.hpp"
#include "core/standard_streams.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/cell/parse.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/recommend_answer.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/work.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/workload.hpp"
#include "harness/run/duration.hpp"
#include "harness/run/session.hpp"
#include "harness/run/signals.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// Keys of the part that all sorts are tried on, and of a budget that does not suffice for so many.
constexpr std::uint64_t kTrialKeys = std::uint64_t{1} << 18;
constexpr std::uint64_t kShortTrialKeys = std::uint64_t{1} << 16;
constexpr double kShortBudget_s = 10;
constexpr double kTrialShare = 0.4;   ///< share of the budget for these trials
constexpr double kSecondShare = 0.1;  ///< share of the budget for a second trial of sorts with much scratch memory
constexpr double kClose = 2;          ///< times the shortest trial up to which a sort is measured on all keys
constexpr std::size_t kFinalists = 5;
/// The part on which sorts run again whose scratch memory on the first was too large is smaller by this factor: two
/// sizes tell what of it grows with the keys.
constexpr std::uint64_t kSecondPart = 4;

std::uint64_t trial_keys(double budget_s) {
  return budget_s < kShortBudget_s ? kShortTrialKeys : kTrialKeys;
}

struct RecommendOptions {
  std::string file;
  std::string column;
  std::string key;
  std::string value{"none"};
  std::string budget{"30s"};
  std::string machine;
  std::string scratch;  ///< most scratch memory, as a multiple of the input's bytes: "1.2x"; empty: any
  int threads = 0;      ///< 0: all allowed processors
  bool stable = false;
  bool json = false;
};

/// Reads "1.2x", a multiple of the input's bytes.
double parse_scratch(const std::string& text) {
  double multiple = -1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, multiple);
  const bool ends_well = stop == end || (stop + 1 == end && *stop == 'x');
  if (error != std::errc{} || !ends_well || !(multiple >= 0) || !std::isfinite(multiple)) {
    throw BadInput(fmt::format("scratch: '{}' is not allowed; allowed: a multiple of the input's bytes, as 1.2x or 0",
                               printable(text)));
  }
  return multiple;
}

CaseOptions case_options(const RecommendOptions& options, const std::vector<std::string>& algorithms) {
  CaseOptions cases;
  cases.algorithms = algorithms;
  cases.inputs = {options.column.empty() ? options.file
                                         : fmt::format("{},column={}", options.file, escaped_text(options.column))};
  if (!options.key.empty()) cases.keys = {options.key};
  cases.values = {options.value};
  return cases;
}

int given_threads(const RecommendOptions& options) {
  return options.threads > 0 ? options.threads : static_cast<int>(allowed_cpus().size());
}

/// The cells of all sorts on all keys: on one thread, and those that can use several on all of them, too.
std::vector<Cell> whole_cells(const RecommendOptions& options, const Protocol& protocol) {
  std::vector<Cell> cells;
  for (const bool parallel : {false, true}) {
    std::vector<std::string> names;
    for (const Algorithm* algorithm : all_algorithms()) {
      const Info& info = algorithm->info();
      if (info.parallel == parallel && info.runs_on == Processor::host) names.push_back(info.name);
    }
    if (names.empty()) continue;
    CaseOptions cases = case_options(options, names);
    cases.threads = {"1"};  // one thread may be faster than several, on few keys
    const int threads = given_threads(options);
    if (parallel && threads > 1) cases.threads.push_back(fmt::format("{}", threads));
    std::ranges::move(expand_sweeps(make_sweeps(cases, protocol)), std::back_inserter(cells));
  }
  return cells;
}

/// Scratch memory over the input's bytes that a measurement's record tells; nullopt where memory is not known.
std::optional<double> recorded_scratch(const Cell& cell, const ordered_json& record) {
  const Info& info = cell.subject.algorithm->info();
  if (info.allocates_inside || info.times_itself || !record.contains("scratch_bytes")) return std::nullopt;
  const std::uint64_t bytes = input_bytes(cell.subject);
  return bytes == 0 ? 0 : record["scratch_bytes"].get<double>() / static_cast<double>(bytes);
}

/// A cell's measurement, and its scratch memory over the input's bytes.
struct Done {
  const Cell& cell;
  const Measured& measured;
  std::optional<double> scratch;
};

/// Runs cells and gives the measurement of each that has a time to `done`. Those without one are left out, each sort
/// once for a reason.
void run_cells(const std::vector<Cell>& cells, double budget_s, const StopSignals& stop, Excluded& excluded,
               const std::function<void(const Done&)>& done) {
  std::map<std::string, const Cell*> by_id;
  for (const Cell& cell : cells) by_id[cell_id(cell.subject)] = &cell;
  SessionOptions session{.quiet = true, .supervisor = {.time_budget_s = budget_s, .stop = &stop}};
  session.recorded = [&](const ordered_json& record) {
    const auto measured = measured_in(record);
    const auto found = by_id.find(record.value("cell", ""));
    if (!measured || found == by_id.end()) return;
    const Cell& cell = *found->second;
    if (measured->status == Status::ok) {
      done({cell, *measured, recorded_scratch(cell, record)});
      return;
    }
    std::vector<std::string>& names =
        excluded[fmt::format("{}: {}", to_name(measured->status), printable(measured->reason))];
    const std::string& name = cell.subject.algorithm->info().name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  run_session(plan_work(group_into_blocks(cells)), {.command = command_line()}, session);
}

/// The same cell on at most `keys` keys, measured a few times.
Cell make_trial(const Cell& whole, std::uint64_t keys) {
  Cell trial = whole;
  trial.subject.n = std::min(whole.subject.n, keys);
  trial.protocol.processes = 1;
  trial.protocol.min_samples = 2;
  trial.protocol.max_samples = 3;
  trial.protocol.timeout_s = 5;
  trial.protocol.same_input = trial.subject.n == whole.subject.n && whole.protocol.same_input;
  if (trial.subject.n < whole.subject.n) {
    // Spread over the whole file, so that no place of it stands for the others.
    trial.subject.distribution.parameters.set("sample", std::string{"yes"});
    trial.subject.distribution = canonical(trial.subject.distribution, trial.subject.key, trial.subject.n);
  }
  return trial;
}

/// Sorts of the file's part, scaled to all its keys: linear, since the sorts that stay are near each other.
std::vector<Expected> try_all(const std::vector<Cell>& whole, std::uint64_t keys, double budget_s,
                              const StopSignals& stop, Excluded& excluded) {
  std::vector<Cell> trials;
  std::map<std::string, Cell> whole_by_trial;
  for (const Cell& cell : whole) {
    trials.push_back(make_trial(cell, keys));
    whole_by_trial.emplace(cell_id(trials.back().subject), cell);
  }
  std::vector<Expected> found;
  run_cells(trials, budget_s, stop, excluded, [&](const Done& done) {
    const Cell& of_all = whole_by_trial.at(cell_id(done.cell.subject));
    const std::uint64_t n = done.cell.subject.n;
    const double scale = n == 0 ? 1 : static_cast<double>(of_all.subject.n) / static_cast<double>(n);
    found.push_back({.cell = of_all, .seconds = done.measured.median_s * scale, .scratch = done.scratch});
  });
  std::ranges::sort(found, {}, &Expected::seconds);
  return found;
}

/// Leaves out the sorts whose scratch memory is not known, or larger than `limit` times the input.
class ScratchLimit {
 public:
  ScratchLimit(double limit, const StopSignals& stop, Excluded& excluded)
      : limit_(limit), stop_(stop), excluded_(excluded) {}

  /// Judges by a part of the keys. Where that needs too much, a second, smaller part tells how much grows with the
  /// keys.
  void apply_to_trials(std::vector<Expected>& found, std::uint64_t tried, double budget_s) {
    const std::uint64_t again_keys = tried / kSecondPart;
    std::vector<Cell> again;
    for (const Expected& one : found) {
      if (one.scratch && *one.scratch > limit_ && one.cell.subject.n > tried) {
        again.push_back(make_trial(one.cell, again_keys));
      }
    }
    std::map<std::string, double> smaller;  // scratch memory over the input, by sort and threads
    const auto key = [](const Cell& cell) {
      return fmt::format("{} {}", cell.subject.algorithm->info().name, cell.subject.threads);
    };
    Excluded unused;
    if (!again.empty()) {
      run_cells(again, budget_s, stop_, unused, [&](const Done& done) {
        if (done.scratch) smaller[key(done.cell)] = *done.scratch;
      });
    }
    for (Expected& one : found) {
      const auto small = smaller.find(key(one.cell));
      if (small == smaller.end() || !one.scratch) continue;
      // bytes = fixed + growing * n, from two sizes
      const auto n1 = static_cast<double>(again_keys), n2 = static_cast<double>(tried);
      const double growing = (*one.scratch * n2 - small->second * n1) / (n2 - n1);
      const double fixed = std::max(0.0, (small->second - growing) * n1);
      one.scratch = growing + fixed / static_cast<double>(one.cell.subject.n);
    }
    apply(found);
  }

  void apply(std::vector<Expected>& found) {
    std::map<std::string, std::string> reasons;
    std::erase_if(found, [&](const Expected& one) {
      const Info& info = one.cell.subject.algorithm->info();
      if (one.scratch && *one.scratch <= limit_) return false;
      reasons[info.name] = one.scratch         ? fmt::format("needs more than {:g}x of scratch memory", limit_)
                           : info.times_itself ? "runs in a process whose memory is not known"
                                               : "allocates while it sorts, so its scratch memory is not known";
      return true;
    });
    for (const Expected& one : found)
      reasons.erase(one.cell.subject.algorithm->info().name);  // on another number of threads
    for (const auto& [name, why] : reasons) {
      too_much_.insert(name);
      excluded_[why].push_back(name);
    }
  }

  const std::set<std::string>& too_much() const { return too_much_; }

 private:
  double limit_;
  const StopSignals& stop_;
  Excluded& excluded_;
  std::set<std::string> too_much_;
};

void measure_best(std::vector<Expected>& found, double budget_s, const StopSignals& stop, Excluded& excluded) {
  std::vector<Cell> finalists;
  for (const Expected& one : found) {
    if (finalists.size() < kFinalists && one.seconds <= kClose * found.front().seconds) finalists.push_back(one.cell);
  }
  for (Cell& cell : finalists) cell.protocol.budget_s = budget_s / static_cast<double>(finalists.size());
  run_cells(finalists, budget_s, stop, excluded, [&](const Done& done) {
    for (Expected& one : found) {
      const Case& c = one.cell.subject;
      if (c.algorithm != done.cell.subject.algorithm || c.threads != done.cell.subject.threads) continue;
      one = {.cell = done.cell,
             .seconds = done.measured.median_s,
             .interval = done.measured.ci95_s,
             .is_whole = true,
             .scratch = done.scratch};
    }
  });
  std::ranges::sort(found, [](const Expected& a, const Expected& b) {
    return std::tuple{!a.is_whole, a.seconds} < std::tuple{!b.is_whole, b.seconds};
  });
}

/// The cells that run here, of sorts that do what is asked.
std::vector<Cell> candidates(const RecommendOptions& options, Excluded& excluded) {
  std::vector<Cell> found;
  for (Cell& cell : whole_cells(options, Protocol{})) {
    const Algorithm& algorithm = *cell.subject.algorithm;
    std::optional<std::string> why;
    if (options.stable && !algorithm.stable(cell.subject.parameters)) {
      why = "is not stable";
    } else if (auto reason = reason_to_skip(cell)) {
      const bool is_absent = reason->text.starts_with("not in this build");
      why = is_absent ? "not in this build; `sortlab doctor` says how to add them" : reason->text;
    }
    if (!why) {
      found.push_back(std::move(cell));
      continue;
    }
    std::vector<std::string>& names = excluded[*why];
    if (names.empty() || names.back() != algorithm.info().name) names.push_back(algorithm.info().name);
  }
  if (!found.empty()) return found;
  throw BadInput(
      fmt::format("no sort takes these keys: {}", excluded.empty() ? "there is none" : excluded.begin()->first));
}

int recommend(const RecommendOptions& options) {
  const double budget_s = parse_duration(options.budget, "budget");
  const bool limits_scratch = !options.scratch.empty();
  const double most_scratch = limits_scratch ? parse_scratch(options.scratch) : 0;
  if (!options.machine.empty())
    static_cast<void>(profile_named(options.machine));  // refused before anything is measured
  const auto begin = Clock::now();
  Excluded excluded;
  const std::vector<Cell> whole = candidates(options, excluded);
  if (!whole.empty() && whole.front().subject.n == 0) {
    throw BadInput(fmt::format("file {}: holds no keys", printable(options.file)));
  }
  StopSignals stop{fmt::format("nothing is kept; `{}` starts over", command_text())};
  stop.hold();
  std::optional<ScratchLimit> limit;
  if (limits_scratch) limit.emplace(most_scratch, stop, excluded);
  std::uint64_t tried_keys = trial_keys(budget_s);
  std::vector<Expected> found = try_all(whole, tried_keys, kTrialShare * budget_s, stop, excluded);
  const auto left_s = [&] { return budget_s - std::chrono::duration<double>(Clock::now() - begin).count(); };
  if (found.empty() && stop.caught() == 0 && left_s() > 0) {  // on a busy machine
    tried_keys = kShortTrialKeys;
    found = try_all(whole, tried_keys, left_s(), stop, excluded);
  }
  const bool any_tried = !found.empty();
  if (limit && stop.caught() == 0) limit->apply_to_trials(found, tried_keys, kSecondShare * budget_s);
  if (stop.caught() == 0 && !found.empty()) measure_best(found, std::max(1.0, left_s()), stop, excluded);
  if (limit && stop.caught() == 0) limit->apply(found);
  if (stop.caught() != 0) {
    tell(fmt::format("sortlab: stopped by {}; nothing is kept", signal_name(stop.caught())));
    return signal_exit_status(stop.caught());
  }
  if (found.empty() && any_tried) {
    throw BadInput(fmt::format("scratch: no sort of these keys is known to need at most {}", options.scratch));
  }
  if (found.empty()) throw BadInput("budget: no sort ended within it; --budget gives more");
  std::optional<Elsewhere> elsewhere;
  if (!options.machine.empty()) {
    elsewhere = recommend_elsewhere({.machine = options.machine,
                                     .cases = case_options(options, {}),
                                     .threads = options.threads,
                                     .stable = options.stable,
                                     .limits_scratch = limit.has_value(),
                                     .too_much_scratch = limit ? limit->too_much() : std::set<std::string>{}});
  }
  const Recommendation answer{.sorts = found, .left_out = excluded, .elsewhere = elsewhere};
  print_now(options.json ? to_json(answer).dump() + '\n' : recommendation_text(answer));
  return 0;
}

}  // namespace

void add_recommend(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<RecommendOptions>();
  CLI::App* command = app.add_subcommand("recommend", "Finds the fastest sort for a file of your own keys");
  command->footer("Example: sortlab recommend keys.npy --value u64 --stable --budget 30s");
  command->add_option("file", options->file, "A .npy file, or raw little-endian keys with --key")->required();
  command->add_option("--column", options->column, "The field of a structured .npy file");
  command->add_option("--key,-k", options->key, "Key type of a file of raw keys");
  command->add_option("--value,-v", options->value, "Value type: " + join(all_names<ValueType>()))
      ->capture_default_str();
  command->add_option("--threads,-t", options->threads, "Threads of the sorts that can use several; default: all")
      ->check(CLI::Range(1, kMaxThreads));
  command->add_flag("--stable", options->stable, "Stable sorts only");
  command->add_option("--scratch", options->scratch,
                      "Only sorts whose scratch memory is at most this multiple of the input: 1.2x");
  command->add_option("--budget", options->budget, "Wall time for measuring: 90s, 5m")->capture_default_str();
  command->add_option(
      "--machine", options->machine,
      "Also predict for this machine: a profile of `sortlab list machines`, its file, or a machine's id");
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->callback([options, &exit_status] { exit_status = recommend(*options); });
}

}  // namespace sortlab
