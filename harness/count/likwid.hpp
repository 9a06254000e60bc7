// Counting by likwid: cycles, mispredictions, misses of the TLB, and the bytes that pass between levels, by phase.
//
// A group holds the counters that a processor can count at once; each sort runs once per group, on one processor, where
// likwid counts everything that happens (and the memory traffic of the whole socket).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "harness/count/count_cells.hpp"
#include "harness/machine/counters.hpp"

namespace sortlab {

/// In the order in which sorts are counted. Groups that a processor lacks are left out; CLOCK is required.
inline constexpr std::array kLikwidGroups{"CLOCK", "L2", "L3", "MEM", "MEM1", "MEM2", "TLB_DATA", "TLB", "BRANCH"};

/// Those of the groups that can be counted here, in bounded time. Throws CountingFailed, in one line, where likwid
/// cannot count.
std::vector<std::string> likwid_groups();

/// A group's counts by our names (host_counters.hpp). Event and metric names are likwid 5.2's, for Intel's cores since
/// Skylake and AMD's since Zen.
CounterValues named_as_ours(const std::string& group, const CounterValues& counted);

class LikwidTool final : public CountingTool {
 public:
  LikwidTool(std::vector<std::string> groups, int passes) : groups_(std::move(groups)), passes_(passes) {}
  std::string name() const override { return "likwid"; }
  nlohmann::ordered_json description() const override;
  Told run(const std::string& task, const std::string& answers, const std::function<bool()>& too_long) const override;

 private:
  std::vector<std::string> groups_;
  int passes_;
};

}  // namespace sortlab
