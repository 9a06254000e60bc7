#include "harness/count/count_cells.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/json_field.hpp"
#include "core/read_file.hpp"
#include "core/temporary_folder.hpp"
#include "harness/count/counted_sorts.hpp"
#include "harness/machine/modules.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

/// Time limit of a profiled sort in seconds. Each of its kernels runs about ten times, with its memory restored.
double time_limit_s(const Cell& cell) {
  return 20 * cell.protocol.step_limit(cell.subject.n);
}

/// Detects that a file has not grown for longer than the slowest of `cells` may take.
class Silence {
 public:
  Silence(std::string path, const std::vector<Cell>& cells) : path_(std::move(path)) {
    for (const Cell& cell : cells) limit_s_ = std::max(limit_s_, time_limit_s(cell));
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

CellCounts ended(const ordered_json& answer) {
  CellCounts cell;
  cell.status = JsonField{answer.at("status"), "the answer of a counted sort", "status"}.named<Status>();
  cell.reason = answer.value("reason", "");
  cell.device = answer.value("device", ordered_json());
  cell.entropy_bits = answer.value("entropy_bits", ordered_json());
  cell.verification = answer.value("verification", ordered_json());
  cell.scratch_bytes = answer.value("scratch_bytes", std::uint64_t{0});
  cell.simd = answer.value("simd", "");
  return cell;
}

}  // namespace

std::string own_program() {
  return fs::read_symlink("/proc/self/exe").string();
}

std::vector<std::string> counting_process(const std::vector<std::string>& words) {
  std::vector<std::string> all = arguments_for_modules();
  all.insert(all.begin(), own_program());
  all.emplace_back(kCountedCommand);
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

std::vector<CountedSpan> spans_in(const ordered_json& answer) {
  std::vector<CountedSpan> spans;
  for (const ordered_json& span : answer.at("spans")) {
    spans.push_back({.name = span.at(0), .pass = span.at(1), .begin = span.at(2), .end = span.at(3)});
  }
  return spans;
}

std::vector<CellCounts> cells_answered(const std::string& answers, const std::string& tool,
                                       const std::function<std::vector<PhaseCounts>(const ordered_json&)>& phases) {
  std::vector<CellCounts> cells;
  std::istringstream lines{answers};
  for (std::string line; std::getline(lines, line);) {
    const ordered_json answer = ordered_json::parse(line, nullptr, false);
    if (answer.is_discarded()) break;  // torn by the death of the program
    if (answer.at("event") == "begin") {
      cells.push_back(
          {.status = Status::crashed, .reason = fmt::format("the program died under {} while it sorted", tool)});
      continue;
    }
    cells.back() = ended(answer);
    if (!answer.contains("spans")) continue;
    std::vector<PhaseCounts> counted = phases(answer);
    if (cells.back().status == Status::ok) cells.back().phases = std::move(counted);
  }
  return cells;
}

std::vector<CellCounts> cells_counted(const std::string& answers, const std::string& log,
                                      const std::vector<std::string>& metrics) {
  std::map<std::size_t, std::vector<KernelRow>> rows;
  for (KernelRow& row : kernel_rows(log, metrics)) rows[row.sort].push_back(std::move(row));
  return cells_answered(answers, "ncu", [&](const ordered_json& answer) {
    return phase_counts(spans_in(answer), rows[answer.at("sort").get<std::size_t>()]);
  });
}

ordered_json NcuTool::description() const {
  return {{"name", "ncu"}, {"version", ncu_.version}, {"replay", "kernel"}, {"cache", "flushed"}};
}

CountingTool::Told NcuTool::run(const std::string& task, const std::string& answers,
                                const std::function<bool()>& too_long) const {
  const NcuRun run =
      run_under_ncu(ncu_, what_.metrics, counting_process({task, answers, fmt::format("{}", what_.passes)}), too_long);
  return {.cells = cells_counted(read_file(answers).value_or(""), run.log, what_.metrics),
          .complaint = find_complaint(run.log),
          .too_long = run.too_long};
}

std::vector<CellCounts> count_cells(const std::vector<Cell>& cells, const CountingTool& tool,
                                    const std::function<bool()>& is_stopped) {
  std::vector<CellCounts> counts;
  while (counts.size() < cells.size()) {
    const std::vector<Cell> rest(cells.begin() + static_cast<std::ptrdiff_t>(counts.size()), cells.end());
    const TemporaryFolder folder;
    const std::string task = folder.file("task");
    const std::string answers = folder.file("answers");
    write_task(rest, task);
    Silence silence(answers, rest);
    CountingTool::Told told = tool.run(task, answers, [&] { return is_stopped() || silence.too_long(); });
    if (is_stopped()) {
      const auto is_cut_off = [](const CellCounts& cell) {
        return cell.status == Status::crashed || (cell.status == Status::ok && cell.phases.empty());
      };
      while (!told.cells.empty() && is_cut_off(told.cells.back())) told.cells.pop_back();
      std::ranges::move(told.cells, std::back_inserter(counts));
      return counts;
    }
    const std::string& complaint = told.complaint;
    const auto is_uncounted = [&](const CellCounts& cell) {
      return cell.status == Status::ok && cell.phases.empty() && cells.front().subject.n > 0;
    };
    if (told.cells.empty()) {
      throw CountingFailed(
          complaint.empty() ? fmt::format("the program ended under {} before its first sort", tool.name()) : complaint);
    }
    // The sorts succeeded, but nothing was counted: the tool has failed.
    if (!complaint.empty() && std::ranges::any_of(told.cells, is_uncounted) &&
        std::ranges::all_of(told.cells, [](const CellCounts& cell) { return cell.phases.empty(); })) {
      throw CountingFailed(complaint);
    }
    for (CellCounts& cell : told.cells) {
      if (is_uncounted(cell)) {
        cell.status = Status::failed;
        cell.reason = complaint.empty() ? fmt::format("{} reports no kernel of this sort", tool.name()) : complaint;
      }
    }
    if (told.too_long && told.cells.back().status == Status::crashed) {
      told.cells.back().status = Status::timeout;
      told.cells.back().reason = fmt::format("took longer than {:.3g} s under {}", silence.limit_s(), tool.name());
    }
    std::ranges::move(told.cells, std::back_inserter(counts));
  }
  return counts;
}

}  // namespace sortlab
