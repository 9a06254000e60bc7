#include "harness/count/count_cells.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/count/counted_sorts.hpp"
#include "harness/count/temporary_folder.hpp"
#include "harness/machine/modules.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

std::string text_of(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What a profiled sort may take in seconds: each of its kernels runs some ten times, with its memory restored.
double limit_of(const Cell& cell) {
  return 20 * cell.protocol.step_limit(cell.what.n);
}

/// Whether the file has stopped growing for longer than the slowest of `cells` may take.
class Silence {
 public:
  Silence(std::string path, const std::vector<Cell>& cells) : path_(std::move(path)) {
    for (const Cell& cell : cells) limit_s_ = std::max(limit_s_, limit_of(cell));
  }
  double limit_s() const { return limit_s_; }
  bool too_long() {
    std::error_code none_yet;
    const auto size = fs::file_size(path_, none_yet);
    if (!none_yet && size != size_) {
      size_ = size;
      since_ = Clock::now();
    }
    return std::chrono::duration<double>(Clock::now() - since_).count() > limit_s_;
  }

 private:
  std::string path_;
  double limit_s_ = 0;
  std::uintmax_t size_ = 0;
  Clock::time_point since_ = Clock::now();
};

CellCounts ended(const ordered_json& answer, const std::vector<KernelRow>& rows) {
  CellCounts cell;
  cell.status = answer.at("status");
  cell.reason = answer.value("reason", "");
  cell.device = answer.value("device", ordered_json());
  cell.entropy_bits = answer.value("entropy_bits", ordered_json());
  cell.verification = answer.value("verification", ordered_json());
  cell.scratch_bytes = answer.value("scratch_bytes", std::uint64_t{0});
  if (cell.status != "ok") return cell;
  std::vector<CountedSpan> spans;
  for (const ordered_json& span : answer.at("spans")) {
    spans.push_back({.name = span.at(0), .pass = span.at(1), .begin = span.at(2), .end = span.at(3)});
  }
  cell.phases = phase_counts(spans, rows);
  return cell;
}

}  // namespace

std::vector<CellCounts> cells_counted(const std::string& answers, const std::string& log,
                                      const std::vector<std::string>& metrics) {
  std::map<std::size_t, std::vector<KernelRow>> rows;
  for (KernelRow& row : kernel_rows(log, metrics)) rows[row.sort].push_back(std::move(row));
  std::vector<CellCounts> cells;
  std::istringstream lines{answers};
  for (std::string line; std::getline(lines, line);) {
    const ordered_json answer = ordered_json::parse(line, nullptr, false);
    if (answer.is_discarded()) break;  // torn when the program died
    if (answer.at("event") == "begin") {
      cells.push_back({.status = "crashed", .reason = "the program died under ncu while it sorted"});
    } else {
      cells.back() = ended(answer, rows[answer.at("sort").get<std::size_t>()]);
    }
  }
  return cells;
}

std::vector<CellCounts> count_cells(const std::vector<Cell>& cells, const Ncu& ncu, const WhatToCount& what) {
  std::vector<CellCounts> counts;
  std::vector<std::string> program = arguments_for_modules();
  program.insert(program.begin(), fs::read_symlink("/proc/self/exe").string());
  program.emplace_back(kCountedCommand);
  while (counts.size() < cells.size()) {
    const std::vector<Cell> rest(cells.begin() + static_cast<std::ptrdiff_t>(counts.size()), cells.end());
    const TemporaryFolder folder;
    const std::string task = folder.file("task");
    const std::string answers = folder.file("answers");
    write_task(rest, task);
    Silence silence(answers, rest);
    std::vector<std::string> counted = program;
    counted.insert(counted.end(), {task, answers, fmt::format("{}", what.passes)});
    const NcuRun run = run_under_ncu(ncu, what.metrics, counted, [&] { return silence.too_long(); });
    std::vector<CellCounts> told = cells_counted(text_of(answers), run.log, what.metrics);
    const std::string complaint = complaint_of(run.log);
    const auto is_uncounted = [&](const CellCounts& cell) {
      return cell.status == "ok" && cell.phases.empty() && cells.front().what.n > 0;
    };
    if (told.empty())
      throw NcuFailed(complaint.empty() ? "the program ended under ncu before its first sort" : complaint);
    // Sorts that went well, and nothing of any counted: that is ncu, not the sorts.
    if (!complaint.empty() && std::ranges::any_of(told, is_uncounted) &&
        std::ranges::all_of(told, [](const CellCounts& cell) { return cell.phases.empty(); })) {
      throw NcuFailed(complaint);
    }
    for (CellCounts& cell : told) {
      if (is_uncounted(cell)) {
        cell.status = "failed";
        cell.reason = complaint.empty() ? "ncu tells of no kernel of this sort" : complaint;
      }
    }
    if (run.too_long && told.back().status == "crashed") {
      told.back().status = "timeout";
      told.back().reason = fmt::format("took longer than {:.3g} s under ncu", silence.limit_s());
    }
    std::ranges::move(told, std::back_inserter(counts));
  }
  return counts;
}

}  // namespace sortlab
