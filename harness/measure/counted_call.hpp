// Marks for an instrumentation tool: a function around the sort, whose name separates it from everything else, and a
// function that is called at each reading of the phase clock, which separates the phases.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/component.hpp"
#include "harness/machine/counters.hpp"

namespace sortlab {

/// Names of these two functions, which `sortlab count` passes to the tool.
inline constexpr const char* kCountedCall = "sortlab_counted_call";
inline constexpr const char* kPhaseReading = "sortlab_phase_reading";

/// A phase clock that counts its readings. At each reading it calls the function kPhaseReading and, if this process has
/// counters, stores their counts since the last reading.
class ReadingClock final : public PhaseClock {
 public:
  explicit ReadingClock(Counters* counters) : counters_(counters) {}
  void begin();
  void end();
  std::int64_t read(int /*lane*/) override;
  std::int64_t readings() const { return readings_; }
  /// Counts before the first reading, after it, … and after the last; empty without counters.
  std::vector<CounterValues> take() { return std::move(between_); }

 private:
  Counters* counters_;
  std::int64_t readings_ = 0;
  std::vector<CounterValues> between_;
};

/// Runs the sort within the function kCountedCall. `clock`: the clock of `phases`.
Buffers counted_call(Runnable& runnable, const Buffers& buffers, PhaseTimer& phases, ReadingClock& clock);

}  // namespace sortlab
