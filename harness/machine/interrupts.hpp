// Interrupts of the processors that a sort runs on: those of a sampling profiler, a network card or a timer take time
// from it that no account of threads shows.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/raw_clock.hpp"

namespace sortlab {

/// Interrupts of one processor since the machine started.
struct InterruptCount {
  std::int64_t timer = 0;   ///< the tick, and timers of programs and of profilers
  std::int64_t others = 0;  ///< devices, performance counters, and work that those leave behind
  std::int64_t calls = 0;   ///< calls of functions by other processors, and requests to forget a mapping
};

/// Interrupts of each processor, by the text of /proc/interrupts. Those by which processors wake each other are left
/// out: a sort's own threads cause them. So are processors without any interrupt: each that is online has had some, and
/// a system that shows none does not count them.
std::map<int, InterruptCount> parse_interrupts(std::string_view text);

/// True if the system shows how many interrupts its processors have had. Some containers do not.
bool are_interrupts_shown(const std::filesystem::path& file = "/proc/interrupts");

/// Rate of the interrupts of each processor over the last while.
class InterruptRates {
 public:
  /// The most interrupts a second, beyond the tick's, that leave a sample undisturbed. An idle machine has tens; each
  /// takes some microseconds on a machine and ten times as much on a virtual one.
  static constexpr double kMaxPerSecond = 2000;

  explicit InterruptRates(std::filesystem::path file = "/proc/interrupts");

  /// Begins the time over which end() tells the rate, if enough of it has passed since it last began.
  void begin();
  /// The rate beyond the tick's of the processor of `cpus` with the most interrupts, over the time since begin(). Calls
  /// count where there is one processor: the threads of a sort on several cause them. A short time belongs to the rate
  /// before; the first time, this works until it is long enough. Nothing where the system does not tell.
  std::optional<double> end(const std::vector<int>& cpus);

 private:
  bool is_due() const { return RawClock::now() - at_ >= least_; }
  void read();

  std::filesystem::path file_;
  std::map<int, InterruptCount> counts_;
  struct Rate {
    double beyond_tick = 0;
    double calls = 0;
  };
  std::map<int, Rate> per_s_;
  RawClock::time_point at_{};
  std::chrono::duration<double> least_{20e-3};  ///< between two readings; more where one takes long
};

}  // namespace sortlab
