#include "harness/run/session.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <sstream>

#include "core/affinity.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/plan/estimate.hpp"
#include "harness/run/progress.hpp"

namespace sortlab {

using nlohmann::ordered_json;

RunIdentity new_run() {
  const auto now = fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
  return {.id = fmt::format("{:%Y%m%dT%H%M%SZ}-{:06x}", now, std::random_device{}() & 0xffffff),
          .started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now)};
}

ordered_json run_record(const RunIdentity& run, const Asked& asked) {
  const auto text = [](const std::string& s) { return s.empty() ? ordered_json() : ordered_json(s); };
  return {{"schema", 1},
          {"kind", "run"},
          {"run", run.id},
          {"started", run.started},
          {"machine", machine_record()},
          {"environment", environment_record()},
          {"build", build_record()},
          {"asked",
           {{"command", asked.command},
            {"config", text(asked.config)},
            {"config_digest", text(asked.config_digest)},
            {"filter", text(asked.filter)},
            {"shard", fmt::format("{}/{}", asked.shard.index, asked.shard.count)}}}};
}

std::optional<std::string> reason_to_skip(const Cell& cell) {
  if (auto reason = refusal(cell.what)) return reason;
  if (cell.what.algorithm->info().runs_on == Processor::device && gpus_here().names.empty()) {
    return fmt::format("needs a GPU: {}", gpus_here().reason);
  }
  static const std::size_t cpus = allowed_cpus().size();
  if (static_cast<std::size_t>(cell.what.threads) > cpus) {
    return fmt::format("needs {} processors, {} are available", cell.what.threads, cpus);
  }
  return std::nullopt;
}

void note(SessionResult& result, const ordered_json& measurement, const std::string& text) {
  const std::string status = measurement.at("status");
  if (status == "ok" || measurement.at("expected") == true) return;
  const std::string reason = measurement.at("reason").is_string() ? measurement.at("reason").get<std::string>() : "";
  if (status == "skipped") {
    result.skipped.push_back(fmt::format("{}: {}", text, reason));
  } else {
    result.lost.push_back(fmt::format("{}: {}: {}", text, status, reason));
  }
}

SessionResult run_session(const std::vector<Block>& blocks, const Asked& asked, const SessionOptions& options) {
  SessionResult result;
  const RunIdentity run = new_run();
  const auto emit = [&](const Cell& cell, const CellResult& cell_result) {
    const ordered_json record = measurement_record(cell, cell_result, run.id, machine_id());
    if (options.out != nullptr) options.out->append(record);
    if (options.show) options.show(record);
    note(result, record, text_of(cell.what));
  };
  if (options.out != nullptr && !blocks.empty()) options.out->append(run_record(run, asked));

  std::vector<Block> to_run;
  std::vector<Cell> cells;
  for (const Block& block : blocks) {
    Block runnable;
    for (const Cell& cell : block) {
      if (const auto reason = reason_to_skip(cell)) {
        CellResult skipped;
        skipped.status = "skipped";
        skipped.reason = *reason;
        emit(cell, skipped);
      } else {
        runnable.push_back(cell);
      }
    }
    cells.insert(cells.end(), runnable.begin(), runnable.end());
    if (!runnable.empty()) to_run.push_back(std::move(runnable));
  }
  std::map<std::string, double> estimates;
  const std::vector<double> seconds = estimates_of(cells, local_profile());
  for (std::size_t i = 0; i < cells.size(); ++i) estimates[cell_id(cells[i].what)] = seconds[i];
  Progress progress(cells.size(), std::accumulate(seconds.begin(), seconds.end(), 0.0), options.quiet);
  result.left = supervise(to_run, options.supervisor,
                          {.running = [&](const Cell& cell) { progress.running(cell); },
                           .finished =
                               [&](const Cell& cell, const CellResult& cell_result) {
                                 emit(cell, cell_result);
                                 ++result.measured;
                                 progress.finished(cell, cell_result, estimates[cell_id(cell.what)]);
                               }});
  return result;
}

int conclude(const SessionResult& result) {
  for (const std::string& line : result.skipped) fmt::print(stderr, "skipped: {}\n", line);
  for (const std::string& line : result.lost) fmt::print(stderr, "lost: {}\n", line);
  if (result.left > 0) {
    fmt::print(stderr, "the time budget ended with {} cells left; the same command goes on with them\n", result.left);
  }
  if (!result.lost.empty()) fmt::print(stderr, "sortlab: {} cells gave no result\n", result.lost.size());
  return result.lost.empty() ? 0 : 1;
}

std::vector<std::string> command_line() {
  std::ifstream file{"/proc/self/cmdline", std::ios::binary};
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace sortlab
