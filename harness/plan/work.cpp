#include "harness/plan/work.hpp"

#include <fmt/format.h>

#include "core/affinity.hpp"
#include "core/pair_bytes.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/plan/estimate.hpp"

namespace sortlab {

namespace {

/// The reason the kept input and the array to sort do not fit into memory, or nullopt.
std::optional<std::string> reason_of_memory(const Case& c, std::uint64_t memory) {
  const bool on_devices = c.residency == Residency::device || c.residency == Residency::shards;
  if (on_devices && c.key != KeyType::string) return std::nullopt;
  const auto refused = [&](std::string_view what, std::uint64_t bytes) {
    const double needed = 2 * static_cast<double>(bytes) / 0x1p30;
    const double there = static_cast<double>(memory) / 0x1p30;
    // As many digits as it takes to see which is more.
    int digits = 1;
    while (digits < 9 && fmt::format("{:.{}f}", needed, digits) == fmt::format("{:.{}f}", there, digits)) ++digits;
    return fmt::format("{} {}, kept and sorted, need {:.{}f} GiB of memory; {:.{}f} may be used", c.n, what, needed,
                       digits, there, digits);
  };
  const std::uint64_t width = pair_bytes(c.key, c.value);
  if (c.n > memory / 2 / width) return refused(fmt::format("elements of {} bytes", width), c.n * width);
  if (c.key != KeyType::string) return std::nullopt;
  const std::uint64_t bytes = record_bytes(c.distribution, c.n, c.seed) + c.n * sizeof(Record);
  if (bytes <= memory / 2) return std::nullopt;
  return refused("records of " + c.distribution.text, bytes);
}

}  // namespace

std::optional<Reason> reason_to_skip(const Cell& cell, std::uint64_t memory) {
  if (auto text = reason_of_memory(cell.subject, memory)) return Reason{ReasonCode::too_little_memory, *text};
  if (cell.subject.algorithm->info().runs_on != Processor::host) {
    if (!cuda_built()) {  // a module with device code may be loaded anyway
      return Reason{ReasonCode::no_cuda, "needs a Sortlab that is built with CUDA"};
    }
    if (gpus_here().names.empty()) {
      return Reason{ReasonCode::no_gpu, fmt::format("needs a GPU: {}", gpus_here().reason)};
    }
  }
  if (auto text = refusal(cell.subject)) return Reason{ReasonCode::declined, *text};
  if (cell.subject.residency == Residency::shards) {
    const int needed = cell.subject.devices.count();
    const auto there = static_cast<int>(gpus_here().names.size());
    if (needed > there) return Reason{ReasonCode::no_gpu, fmt::format("needs {} GPUs, {} here", needed, there)};
  }
  static const std::size_t cpus = allowed_cpus().size();
  if (static_cast<std::size_t>(cell.subject.threads) > cpus) {
    return Reason{ReasonCode::too_few_processors,
                  fmt::format("needs {} processors, {} are available", cell.subject.threads, cpus)};
  }
  return std::nullopt;
}

Work plan_work(const std::vector<Block>& blocks) {
  Work work;
  std::vector<Cell> cells;
  for (const Block& block : blocks) {
    Block runnable;
    for (const Cell& cell : block) {
      if (auto reason = reason_to_skip(cell)) {
        work.skipped.emplace_back(cell, std::move(*reason));
      } else {
        runnable.push_back(cell);
      }
    }
    cells.insert(cells.end(), runnable.begin(), runnable.end());
    if (!runnable.empty()) work.blocks.push_back(std::move(runnable));
  }
  const std::vector<double> seconds = estimate_seconds(cells, local_profile());
  for (std::size_t i = 0; i < cells.size(); ++i) work.estimate_s[cell_id(cells[i].subject)] = seconds[i];
  return work;
}

}  // namespace sortlab
