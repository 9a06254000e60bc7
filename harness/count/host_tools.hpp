// Counting tools for single-threaded sorts on the host: callgrind, which simulates the program without AVX-512, and the
// processor's own counters.
#pragma once

#include "harness/count/callgrind.hpp"
#include "harness/count/count_cells.hpp"

namespace sortlab {

class CallgrindTool final : public CountingTool {
 public:
  CallgrindTool(Valgrind valgrind, int passes) : valgrind_(std::move(valgrind)), passes_(passes) {}
  std::string name() const override { return "callgrind"; }
  nlohmann::ordered_json description() const override;
  Told run(const std::string& task, const std::string& answers, const std::function<bool()>& too_long) const override;

 private:
  Valgrind valgrind_;
  int passes_;
};

/// The processor's counters, by perf_event_open.
class PerfEventTool final : public CountingTool {
 public:
  explicit PerfEventTool(int passes) : passes_(passes) {}
  std::string name() const override { return "perf_event"; }
  nlohmann::ordered_json description() const override;
  Told run(const std::string& task, const std::string& answers, const std::function<bool()>& too_long) const override;

 private:
  int passes_;
};

/// The reason the processor's counters do not count instructions here, in one line, or an empty string.
std::string why_no_instructions();

/// Counts by phase of a successful sort, from its answer and the counts between the readings of its clock. Counts
/// outside every phase go to "outside phases". Empty if `between` does not belong to this sort.
std::vector<PhaseCounts> host_phases(const nlohmann::ordered_json& answer,
                                     const std::vector<std::map<std::string, double>>& between, int passes);

}  // namespace sortlab
