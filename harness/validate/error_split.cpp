#include "harness/validate/error_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "harness/cell/case_json.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/work.hpp"
#include "harness/predict/predictor.hpp"
#include "harness/record/record_appender.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/run/session.hpp"
#include "harness/validate/validation.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t kWholeInput = std::uint64_t{1} << 24;  ///< keys of a view that stands for the whole input
constexpr double kLeastShare = 0.05;                           ///< share of the sort that a judged phase takes

/// Seconds of a record's phases by name, over all passes, and of the whole sort under the empty name.
std::map<std::string, double> seconds_by_phase(const ordered_json& record) {
  const bool is_predicted = record.at("kind") == "prediction";
  std::map<std::string, double> seconds{{"", record.at(is_predicted ? "seconds" : "median_s")}};
  for (const ordered_json& phase : record.at("phases")) {
    seconds[phase.at("name")] += phase.at(is_predicted ? "seconds" : "median_s").get<double>();
  }
  return seconds;
}

/// The measured cells of each plug-in that the validation predicted, in the order in which they were drawn.
std::map<std::string, std::vector<Cell>> measured_cells(const std::vector<ordered_json>& records) {
  std::set<std::string> measured;
  for (const ordered_json& record : records) {
    if (const auto one = measured_in(record); one && one->status == Status::ok) measured.insert(record.at("cell"));
  }
  std::map<std::string, std::vector<Cell>> cells;
  for (const ordered_json& record : records) {
    if (record.at("kind") != "prediction" || measured.erase(record.at("cell")) == 0) continue;
    Case c = case_from_json(record.at("case"));
    const Protocol protocol = protocol_for(c, validation_protocol());
    cells[c.algorithm->info().name].push_back({std::move(c), protocol});
  }
  return cells;
}

/// The predictions of one cell in the order of the causes: as committed, from tables timed again, and from the whole
/// input too.
class Answers {
 public:
  Answers(const Case& c, const MachineProfile& before, const MachineProfile& again) {
    const auto traced = std::make_shared<Views>();
    ask(c, before, traced);
    ask(c, again, traced);
    ask(c, again, std::make_shared<Views>(kWholeInput));
  }

  void append_to(RecordAppender& out) const {
    for (const auto& [model, records] : of_model_) {
      for (const ordered_json& record : records) out.append(record);
    }
  }

  /// Adds the errors of a cell whose measurement's record is `measured`.
  void compare(const ordered_json& measured, SplitErrors& errors) const {
    const std::map<std::string, double> times = seconds_by_phase(measured);
    for (const auto& [model, records] : of_model_) {
      if (records.size() != 3) continue;
      std::array<std::map<std::string, double>, 3> predicted;
      std::ranges::transform(records, predicted.begin(), seconds_by_phase);
      for (const auto& [phase, seconds] : times) {
        if (seconds < kLeastShare * times.at("")) continue;
        std::array<double, 3> logs{};
        for (std::size_t i = 0; i < logs.size(); ++i) {
          const auto found = predicted[i].find(phase);
          logs[i] = found == predicted[i].end() ? -INFINITY : std::log(found->second / seconds);
        }
        if (!std::ranges::all_of(logs, [](double log) { return std::isfinite(log); })) continue;
        errors[{model->info().kind, measured.at("case").at("algorithm"), phase}].push_back(
            {logs[0], logs[0] - logs[1], logs[1] - logs[2], logs[2]});
      }
    }
  }

 private:
  void ask(const Case& c, const MachineProfile& profile, const std::shared_ptr<Views>& views) {
    Predictor predictor{profile, std::nullopt, {}, views};
    for (auto& [model, record] : predictor.of(c)) {
      if (is_validated(model->info().kind)) of_model_[model].push_back(std::move(record));
    }
  }

  std::map<const Model*, std::vector<ordered_json>> of_model_;
};

std::string percent(double share, bool with_sign) {
  return with_sign ? fmt::format("{:+.1f}", 100 * share) : fmt::format("{:.1f}", 100 * share);
}

}  // namespace

MachineProfile updated(MachineProfile profile, const MachineProfile& again) {
  profile.clock_hz = again.clock_hz;
  for (auto& [name, table] : profile.tables) {
    const auto found = again.tables.find(name);
    if (found == again.tables.end()) continue;
    for (ProfileTable::Point& point : table.points) {
      const auto same = std::ranges::find(found->second.points, point.at, &ProfileTable::Point::at);
      if (same != found->second.points.end()) point.value = same->value;
    }
  }
  for (std::size_t i = 0; i < std::min(profile.devices.size(), again.devices.size()); ++i) {
    profile.devices[i] = updated(std::move(profile.devices[i]), again.devices[i]);
  }
  set_hash(profile);
  return profile;
}

SplitErrors split_errors(const SplitOptions& options) {
  const std::filesystem::path& folder = options.folder;
  if (!begun_with(folder)) throw BadInput(fmt::format("out: '{}' holds no validation", folder.string()));
  const std::vector<ordered_json> records = read_records(folder / kValidationFile).records;
  if (records.front().at("machine") != machine_id()) {
    throw BadInput(fmt::format("out: the validation in '{}' is of the machine {}; this one is {}", folder.string(),
                               records.front().at("machine").get<std::string>(), machine_id()));
  }
  const MachineProfile before = read_profile((folder / kValidationProfile).string());
  RecordAppender out{folder / kSplitFile};
  SplitErrors errors;
  for (auto& [sort, cells] : measured_cells(records)) {
    if (cells.size() > options.cells_of_sort)
      cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(options.cells_of_sort), cells.end());
    MachineProfile again = options.calibrate_again(*cells.front().subject.algorithm, before);
    write_profile(again, (folder / fmt::format("split-{}.json", sort)).string());
    for (const Cell& cell : cells) {
      if (options.stop != nullptr && options.stop->caught() != 0) return errors;
      const Answers answers{cell.subject, before, again};
      answers.append_to(out);
      SessionOptions session{.out = &out,
                             .measured = {},
                             .recorded =
                                 [&](const ordered_json& record) {
                                   if (record.at("status") == "ok") answers.compare(record, errors);
                                 },
                             .quiet = options.quiet,
                             .supervisor = {}};
      session.supervisor.stop = options.stop;
      static_cast<void>(run_session(plan_work(group_into_blocks({cell})), {.command = command_line()}, session));
    }
  }
  return errors;
}

std::vector<std::string> split_table(const SplitErrors& errors) {
  constexpr std::array causes{std::pair{"machine moved", &SplitError::machine},
                              std::pair{"input's statistics", &SplitError::input},
                              std::pair{"composition", &SplitError::composition}};
  std::vector<std::string> lines{
      "| kind | sort | phase | cells | error | machine moved | input's statistics | composition | largest |",
      "|---|---|---|---|---|---|---|---|---|"};
  for (const auto& [key, all] : errors) {
    const auto mean = [&](double SplitError::*part, bool with_sign) {
      double sum = 0;
      for (const SplitError& one : all) sum += with_sign ? one.*part : std::abs(one.*part);
      return sum / static_cast<double>(all.size());
    };
    const auto& [kind, sort, phase] = key;
    std::string line = fmt::format("| {} | {} | {} | {} | {}", to_name(kind), sort, phase.empty() ? "all" : phase,
                                   all.size(), percent(mean(&SplitError::whole, false), false));
    std::pair<double, std::string> largest{-1, ""};
    for (const auto& [name, part] : causes) {
      line += fmt::format(" | {} ({})", percent(mean(part, false), false), percent(mean(part, true), true));
      largest = std::max(largest, {mean(part, false), name});
    }
    lines.push_back(fmt::format("{} | {} |", line, largest.second));
  }
  return lines;
}

}  // namespace sortlab
