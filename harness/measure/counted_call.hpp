// Marks a sort for an instrument: a function whose name separates the sort from everything around it, and one called at
// each reading of the phases' clock, which separates the phases.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/component.hpp"
#include "harness/machine/counters.hpp"

namespace sortlab {

/// The names that `sortlab count` passes to the instrument; both are functions of this program.
inline constexpr const char* kCountedCall = "sortlab_counted_call";
inline constexpr const char* kPhaseReading = "sortlab_phase_reading";

/// A clock of phases that counts its own readings. At each it calls the function kPhaseReading, and, if this process
/// has counters, takes their counts since the reading before.
class ReadingClock final : public PhaseClock {
 public:
  explicit ReadingClock(Counters* counters) : counters_(counters) {}
  void begin();
  void end();
  std::int64_t read() override;
  std::int64_t readings() const { return readings_; }
  /// Counts before the first reading, after it, … after the last; empty without counters.
  std::vector<CounterValues> take() { return std::move(between_); }

 private:
  Counters* counters_;
  std::int64_t readings_ = 0;
  std::vector<CounterValues> between_;
};

/// Runs the sort within the function kCountedCall. `clock` is that of `phases`.
Buffers counted_call(Runnable& runnable, const Buffers& buffers, PhaseTimer& phases, ReadingClock& clock);

}  // namespace sortlab
