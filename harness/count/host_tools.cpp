#include "harness/count/host_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/child_process.hpp"
#include "core/read_file.hpp"
#include "harness/count/counted_sorts.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// The first line with an error message of valgrind itself, or an empty string.
std::string find_valgrind_complaint(const std::string& log) {
  std::istringstream lines{log};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("valgrind: ")) return line;
  }
  return {};
}

}  // namespace

std::vector<PhaseCounts> host_phases(const ordered_json& answer,
                                     const std::vector<std::map<std::string, double>>& between, int passes) {
  if (between.size() != answer.at("readings").get<std::size_t>() + 1) return {};
  const std::vector<CountedSpan> spans = spans_in(answer);
  std::vector<PhaseCounts> phases;
  for (std::size_t reading = 0; reading < between.size(); ++reading) {
    const CountedSpan* const span = innermost(spans, static_cast<std::int64_t>(reading));
    if (span != nullptr && passes > 0 && span->pass >= passes) continue;
    const std::string name = span != nullptr ? span->name : "outside phases";
    const int pass = span != nullptr ? span->pass : 0;
    auto found = std::ranges::find_if(phases, [&](const PhaseCounts& p) { return p.name == name && p.pass == pass; });
    if (found == phases.end()) found = phases.insert(phases.end(), PhaseCounts{.name = name, .pass = pass});
    for (const auto& [counter, count] : between[reading]) found->counters[counter] += count;
  }
  return phases;
}

ordered_json CallgrindTool::description() const {
  return {{"name", "callgrind"}, {"version", valgrind_.version}};
}

CountingTool::Told CallgrindTool::run(const std::string& task, const std::string& answers,
                                      const std::function<bool()>& too_long) const {
  const CallgrindRun run =
      run_under_callgrind(valgrind_, counting_process({task, answers, fmt::format("{}", passes_)}), too_long);
  const auto calls = counted_calls(callgrind_parts(run.file));
  std::size_t next = 0;  // index among the completed sorts
  Told told{.cells = cells_answered(read_file(answers).value_or(""), name(),
                                    [&](const ordered_json& answer) {
                                      return next < calls.size() ? host_phases(answer, calls[next++], passes_)
                                                                 : std::vector<PhaseCounts>{};
                                    }),
            .complaint = find_valgrind_complaint(run.log),
            .too_long = run.too_long};
  // Callgrind finds the functions that delimit the sort by the program's symbols.
  if (told.complaint.empty() && calls.empty()) {
    told.complaint = fmt::format("callgrind saw no sort begin and end: has '{}' lost its symbols?", own_program());
  }
  return told;
}

ordered_json PerfEventTool::description() const {
  return {{"name", "perf_event"}};
}

CountingTool::Told PerfEventTool::run(const std::string& task, const std::string& answers,
                                      const std::function<bool()>& too_long) const {
  const ChildOutput run =
      run_child({.words = counting_process({task, answers, fmt::format("{}", passes_), kWithCounters})}, too_long);
  return {.cells = cells_answered(read_file(answers).value_or(""), name(),
                                  [&](const ordered_json& answer) {
                                    return host_phases(
                                        answer, answer.at("between").get<std::vector<std::map<std::string, double>>>(),
                                        passes_);
                                  }),
          .too_long = run.too_long};
}

std::string why_no_instructions() {
  const CounterChoice choice = choose_counters({operations_source()});
  if (choice.counters == nullptr) return choice.reason;
  choice.counters->start();
  if (choice.counters->stop().contains("instructions")) return {};
  return choice.source + ": counts no instructions on this machine";
}

}  // namespace sortlab
