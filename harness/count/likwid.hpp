// Counting with likwid: cycles, mispredictions, TLB misses, and the bytes that pass between cache levels, by phase.
//
// A group holds the events that a processor can count at once. Each sort runs once per group, on one processor. likwid
// counts everything that happens there, and the memory traffic of the whole socket.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "harness/count/count_cells.hpp"
#include "harness/machine/counters.hpp"

namespace sortlab {

/// The groups in order of counting. Groups that a processor lacks are left out, but CLOCK is required.
inline constexpr std::array kLikwidGroups{"CLOCK", "L2", "L3", "MEM", "MEM1", "MEM2", "TLB_DATA", "TLB", "BRANCH"};

/// The groups that can be counted on this machine. Returns in bounded time. Throws CountingFailed if likwid cannot
/// count.
std::vector<std::string> likwid_groups();

/// Converts a group's counts to our counters (host_counters.hpp). Event and metric names are those of likwid 5.2, for
/// Intel's cores since Skylake and AMD's since Zen.
CounterValues our_counters(const std::string& group, const CounterValues& counted);

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
