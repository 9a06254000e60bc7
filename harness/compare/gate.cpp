#include "harness/compare/gate.hpp"

#include <fmt/format.h>

#include "harness/cell/case_json.hpp"

namespace sortlab {
namespace {

std::string cell_text(const CellComparison& cell) {
  return fmt::format("cell {}, {} n={} {}", cell.cell, runner_text(cell.subject), member_text(cell.subject, "n"),
                     member_text(cell.subject, "distribution"));
}

bool is_judged(const CellComparison& cell) {
  return cell.verdict != Verdict::incomparable && cell.verdict != Verdict::ambiguous;
}

}  // namespace

std::string member_text(const nlohmann::ordered_json& subject, const char* member) {
  const auto found = subject.find(member);
  if (found == subject.end()) return "-";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string runner_text(const nlohmann::ordered_json& subject) {
  const std::string residency = end_to_end_text(subject);
  return member_text(subject, "algorithm") +
         (subject.contains("component") ? "/" + member_text(subject, "component") : "") +
         (residency.empty() ? "" : " " + residency);
}

GateAnswer gate(const Comparison& comparison, double percent) {
  GateAnswer answer;
  std::size_t failed = 0;
  std::size_t slower = 0;
  std::size_t judged = 0;
  for (const CellComparison& cell : comparison.cells) {
    judged += is_judged(cell) ? 1 : 0;
    if (!cell.fault_of_b.empty()) {
      ++failed;
      answer.lines.push_back(fmt::format("{}: {}", cell.fault_of_b, cell_text(cell)));
    } else if (cell.verdict == Verdict::slower && cell.ratio->value > 1 + percent / 100) {
      ++slower;
      answer.lines.push_back(fmt::format("{} by {:.1f} %: {}", verdict_text(cell.verdict, comparison.metric),
                                         100 * (cell.ratio->value - 1), cell_text(cell)));
    }
  }
  const std::size_t all = comparison.cells.size();
  if (judged == 0) {
    answer.lines.push_back(fmt::format("undecided: none of {} cells was judged; the verdicts give the reasons", all));
  } else if (judged < all) {
    answer.lines.push_back(
        fmt::format("{} of {} cells were not judged; the verdicts give the reasons", all - judged, all));
  }
  if (failed > 0) {
    answer.status = GateStatus::failed;
  } else if (slower > 0) {
    answer.status = GateStatus::slower;
  } else if (judged == 0) {
    answer.status = GateStatus::undecided;
  }
  return answer;
}

}  // namespace sortlab
