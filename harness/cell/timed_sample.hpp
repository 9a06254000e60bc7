// Timed sorts of a cell, and which of them count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/cell/protocol.hpp"

namespace sortlab {

/// Reasons why a sort did not run at full speed, a member each.
struct Disturbance {
  double core_share = 1;        ///< free share of the host's processors: see FreeCores
  double device_share = 1;      ///< the device's clock over its highest
  double waited_share = 0;      ///< time that the threads waited for a processor, over the sort's time
  double throttled_share = 0;   ///< time that a quota of a control group stopped the threads, over the sort's time
  bool elsewhere = false;       ///< the system did not bind the threads to the processors that the sort was given
  std::int64_t pages_read = 0;  ///< pages that had to be read from a disk or from swap meanwhile
  double stopped_share = 0;     ///< time that the process may have stood still when stopped, over the sort's time
  bool is_traced = false;       ///< a debugger, tracer or probe stops its threads
  double clock_share = 1;       ///< the processor's clock over the highest of the run
  /// Interrupts of one of its processors, beyond the tick's (InterruptRates); nothing where the system does not tell.
  std::optional<double> interrupts_per_s{};
  /// Least share in huge pages of its arrays and of its scratch memory; nothing where these are small, or the run's
  /// record says that the system gives no such pages.
  std::optional<double> huge_page_share{};
  bool huge_pages_changed = false;  ///< the system's setting of huge pages is no longer that of the run's record

  /// True if any cause exceeds what is tolerated.
  bool counts() const;

  friend bool operator==(const Disturbance&, const Disturbance&) = default;
};

/// One timed sort, and what disturbed it.
struct TimedSample {
  double seconds = 0;
  Disturbance disturbance{};
};

/// Least share of the highest clock of its run at which a sample is undisturbed. A processor runs slower beside busy
/// neighbours; one core of a kind beside one of another differs by less.
inline constexpr double kLeastClock = 0.7;

/// Least share of large arrays in huge pages, where the system gives such pages, at which a sample is undisturbed.
inline constexpr double kLeastInHugePages = 0.9;

/// Share of its time that a sort may wait for processors, or be stopped, before its sample counts as disturbed.
inline constexpr double kLeastWaiting = 0.01;

/// True if the sample's disturbance counts.
bool is_disturbed(const TimedSample& sample);

/// The worst of both, cause by cause.
Disturbance worse(const Disturbance& a, const Disturbance& b);

/// Observations beside the time of one timed sort, or of a batch of them.
struct SortFacts {
  std::uint64_t input = 0;                     ///< number of the first input sorted (input_seed.hpp)
  int batch = 1;                               ///< inputs sorted within one reading
  double processor_s = 0;                      ///< processor time of all threads and of child processes
  double others_s = 0;                         ///< processor time without the caller's
  double window_s = 0;                         ///< time over which processor_s was read, the sort among it
  bool in_place = true;                        ///< the output lies in the array of the input
  std::optional<std::uint64_t> allocations{};  ///< calls of malloc inside a sort
  std::int64_t page_faults = 0;                ///< inside a sort, the batch's share
  double distance_s = 0;                       ///< core_distance_s of its first two processors; 0: not measured
  bool shares_core = false;                    ///< two of its processors were threads of one core
  std::vector<int> affinity{};                 ///< processors that it was given and had, or, if unbound, might use
  std::uint64_t allocated_bytes = 0;           ///< on a device: memory allocated inside the sort
  bool held = true;                            ///< on a device: no gap between launches counts
};

/// Positions of the samples whose times are a cell's result, ascending. They are chosen by how free the cores were,
/// never by their own times: the undisturbed ones if they are at least half, else all. Where the protocol asks for an
/// exact count, that many: the first undisturbed ones, and where there are too few the least disturbed. All count where
/// they are interleaved with another program's.
std::vector<std::size_t> samples_that_count(const Protocol& protocol, std::span<const TimedSample> samples);

}  // namespace sortlab
