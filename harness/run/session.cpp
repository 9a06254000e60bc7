#include "harness/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/huge_pages.hpp"
#include "core/printable.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/memory.hpp"
#include "harness/record/algorithm_record.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/signals.hpp"

namespace sortlab {

using nlohmann::ordered_json;

void note(SessionResult& result, const Measured& measurement, const std::string& text) {
  if (measurement.status == Status::ok) return;
  if (measurement.status == Status::skipped) {
    result.skipped.push_back(fmt::format("{}: {}", text, measurement.reason));
  } else {
    auto& failed = measurement.expected ? result.expected : result.lost;
    failed.push_back(fmt::format("{}: {}: {}", text, to_name(measurement.status), measurement.reason));
  }
}

SessionResult run_session(const Work& work, const RunRequest& asked, const SessionOptions& options) {
  SessionResult result;
  const RunIdentity run = new_run();
  const auto emit = [&](const Cell& cell, const CellResult& cell_result) {
    const ordered_json record = measurement_record(cell, cell_result, run.id, machine_id());
    if (options.out != nullptr) options.out->append(record);
    if (options.recorded) options.recorded(record);
    const Measured measurement = measured(cell, cell_result);
    if (options.measured) options.measured(cell, measurement);
    note(result, measurement, case_text(cell.subject));
    if (measurement.status == Status::ok && measurement.is_disturbed()) ++result.disturbed;
    if (measurement.disturbance.throttled_share > kLeastWaiting) ++result.throttled;
  };
  SupervisorOptions supervisor = options.supervisor;
  supervisor.huge_pages = huge_page_setting();
  const bool nothing = work.blocks.empty() && work.skipped.empty();
  if (!nothing) check_address_space();
  if (options.out != nullptr && !nothing) {
    const ordered_json record = run_record(run, asked);
    supervisor.huge_pages = huge_page_setting(record["environment"]);
    options.out->append(record);
    append_algorithms(*options.out);
  }
  for (const auto& [cell, reason] : work.skipped) {
    if (options.supervisor.stop != nullptr && options.supervisor.stop->caught() != 0) {
      ++result.left;
      continue;
    }
    CellResult skipped;
    skipped.status = Status::skipped;
    skipped.reason = reason.text;
    skipped.code = reason.code;
    emit(cell, skipped);
  }
  double estimate_s = 0;
  for (const auto& [id, seconds] : work.estimate_s) estimate_s += seconds;
  Progress progress(work.estimate_s.size(), estimate_s, options.quiet);
  result.left += supervise(work.blocks, supervisor,
                           {.running = [&](const Cell& cell) { progress.running(cell); },
                            .finished =
                                [&](const Cell& cell, const CellResult& cell_result) {
                                  emit(cell, cell_result);
                                  ++result.measured;
                                  progress.finished(cell, cell_result, work.estimate_s.at(cell_id(cell.subject)));
                                },
                            .turn_over =
                                [&](const Cell& cell, int turns) {
                                  const double share = std::min(1.0, 1.0 * turns / cell.protocol.least_processes());
                                  progress.partly(cell, share, work.estimate_s.at(cell_id(cell.subject)));
                                }});
  if (options.out != nullptr) options.out->check_alone();
  return result;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/=:,+@%^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return text + "'";
}

std::string command_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

int conclude(const SessionResult& result) {
  for (const std::string& line : result.skipped) tell(fmt::format("skipped: {}", line));
  for (const std::string& line : result.expected) tell(fmt::format("expected failure: {}", line));
  for (const std::string& line : result.lost) tell(fmt::format("lost: {}", line));
  if (result.disturbed > 0) {
    tell(fmt::format("{} of {} measured cells are marked as disturbed, and their records say by what{}",
                     result.disturbed, result.measured,
                     result.throttled < result.disturbed
                         ? ": mostly, processors were not free; measure on a quiet machine, or with --wait-for-quiet"
                         : ""));
  }
  if (result.throttled > 0) {
    tell(
        fmt::format("{} of them were stopped by a control group's quota of processor time: raise it (`sortlab doctor` "
                    "shows it), or "
                    "use fewer threads",
                    result.throttled));
  }
  if (result.left > 0) {
    tell(fmt::format("the time budget ended with {} cells left; the same command resumes with them", result.left));
  }
  if (!result.lost.empty()) tell(fmt::format("sortlab: {} cells gave no result", result.lost.size()));
  return result.lost.empty() ? 0 : 1;
}

}  // namespace sortlab
