// The outcome of a cell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cell/timed_sample.hpp"
#include "harness/machine/counters.hpp"
#include "harness/machine/device_facts.hpp"
#include "harness/verify/verification.hpp"

namespace sortlab {

/// One phase of one sample, in seconds since the sort began.
struct PhaseTime {
  std::string name;
  int pass = 0;
  double begin_s = 0;
  double end_s = 0;
};

/// One verified, timed sort.
struct Sample : TimedSample {
  double clock_hz = 0;
  std::vector<PhaseTime> phases;
  CounterValues counters;
};

struct CellResult {
  std::string status;   ///< ok, wrong, failed, crashed, timeout, skipped
  std::string reason;   ///< in words, unless ok
  std::string signal;   ///< SIGSEGV …, if crashed by one
  std::string limit;    ///< the known limit (Info::limits) that it reported as the cause
  std::string stopped;  ///< interval, budget or samples, if ok
  std::vector<Sample> samples;
  double spent_s = 0;
  std::optional<double> entropy_bits;
  std::vector<int> affinity;
  std::optional<DeviceFacts> device;  ///< what it ran on; none: the host
  std::uint64_t scratch_bytes = 0;
  std::string counters_reason;               ///< why there are none
  std::optional<Verification> verification;  ///< of the last sample; none if none was verified
};

}  // namespace sortlab
