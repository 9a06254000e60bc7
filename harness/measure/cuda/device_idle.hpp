// Finds work of a sort that goes on elsewhere on the device once the sort's stream is at its end.
#pragma once

#include <chrono>
#include <string>

#include "core/cuda/check.hpp"
#include "core/raw_clock.hpp"
#include "harness/measure/strikes.hpp"
#include "harness/measure/testbed.hpp"

namespace sortlab {

class DeviceIdle {
 public:
  /// Waits for the whole device, to be called once the stream of the cell's sort is at its end. An idle device answers
  /// in some microseconds. Throws SortAtFault if it took long, and much longer than it then takes to answer when it is
  /// surely idle, after three of the cell's sorts in a row; the host itself may delay answers.
  void wait(const Case& c) {
    const double more_s = seconds_of_answer();
    constexpr double idle_s = 40e-6;
    constexpr double much = 4;
    const bool was_busy = more_s > idle_s && more_s > much * seconds_of_answer();
    if (!strikes_.is_third(c, was_busy)) return;
    const auto microseconds = static_cast<int>(1e6 * more_s);
    throw SortAtFault(ReasonCode::device_still_working, "the device worked for " + std::to_string(microseconds) +
                                                            " us more after the end of the sort's stream");
  }

 private:
  static double seconds_of_answer() {
    const auto begin = RawClock::now();
    check(cudaDeviceSynchronize());
    return std::chrono::duration<double>(RawClock::now() - begin).count();
  }

  Strikes strikes_;
};

}  // namespace sortlab
