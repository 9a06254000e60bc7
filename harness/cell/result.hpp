// The result of measuring a cell.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.hpp"
#include "harness/cell/energy.hpp"
#include "harness/cell/protocol.hpp"
#include "harness/cell/reason_code.hpp"
#include "harness/cell/timed_sample.hpp"
#include "harness/machine/counters.hpp"
#include "harness/machine/device_facts.hpp"
#include "harness/verify/verification.hpp"

namespace sortlab {

/// Outcome of a cell. Only ok has a time.
enum class Status : std::uint8_t { ok, wrong, failed, crashed, timeout, skipped };
template <>
inline constexpr std::array<std::string_view, 6> kNames<Status>{"ok",      "wrong",   "failed",
                                                                "crashed", "timeout", "skipped"};

/// One phase of one sort: the time during which one of its threads or more was in it. In a batch that sort is the one
/// that primes caches before the batch; on a device it is an additional one, since reading its clock takes time.
struct PhaseTime {
  std::string name;
  int pass = 0;
  double seconds = 0;
  int lane = -1;  ///< shard whose device was in it, of a sort on several devices; else -1
};

/// One verified, timed sort.
struct Sample : TimedSample {
  int process = 0;  ///< number of the worker process that took it, within the run
  double clock_hz = 0;
  SortFacts facts;
  std::vector<PhaseTime> phases;
  CounterValues counters;
};

struct CellResult {
  Status status = Status::skipped;
  std::string reason;                 ///< in words, unless ok
  std::optional<ReasonCode> code;     ///< the same for programs, unless ok
  std::optional<double> limit_s;      ///< seconds that the code speaks of
  std::string signal;                 ///< SIGSEGV …, if crashed by one
  std::string lost_before;            ///< first outcome, in a worker that had run other sorts; then it ran alone
  std::string limit;                  ///< the known limit (Info::limits) that it reported as the cause
  std::optional<StopReason> stopped;  ///< if ok
  std::vector<Sample> samples;
  std::vector<double> called_s;        ///< calls as a program makes them, seconds; none where that is not measured
  std::optional<CellEnergy> energy{};  ///< joules, or the reason for none, if ok and asked for
  double spent_s = 0;
  std::optional<double> entropy_bits;
  std::string input_digest;           ///< event::InputMade::digest
  std::vector<int> affinity;          ///< processors given to it by the last worker; SortFacts has those of each sample
  std::optional<DeviceFacts> device;  ///< the device it ran on; nullopt: the host
  std::uint64_t scratch_bytes = 0;
  std::string counters_reason;               ///< the reason for having no counters
  std::optional<Verification> verification;  ///< verdict on the last sample; nullopt if none was verified
};

}  // namespace sortlab
