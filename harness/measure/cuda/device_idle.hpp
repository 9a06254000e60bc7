// Finds work of a sort that goes on elsewhere on the device once the sort's stream is at its end.
#pragma once

#include <chrono>
#include <string>

#include "core/cuda/check.hpp"
#include "harness/measure/strikes.hpp"
#include "harness/measure/testbed.hpp"

namespace sortlab {

class DeviceIdle {
 public:
  /// Waits for the whole device, to be called once the stream of the cell's sort is at its end. An idle device answers
  /// in some microseconds. Throws SortAtFault if it took long after three of the cell's sorts in a row; the host itself
  /// may delay one answer.
  void wait(const Case& c) {
    const auto begin = std::chrono::steady_clock::now();
    check(cudaDeviceSynchronize());
    const std::chrono::duration<double> more = std::chrono::steady_clock::now() - begin;
    constexpr double idle_s = 40e-6;
    if (!strikes_.is_third(c, more.count() > idle_s)) return;
    const auto microseconds = static_cast<int>(1e6 * more.count());
    throw SortAtFault("the device worked for " + std::to_string(microseconds) +
                      " us more after the end of the sort's stream");
  }

 private:
  Strikes strikes_;
};

}  // namespace sortlab
