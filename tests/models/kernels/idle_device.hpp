#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kernels/device_kernel.hpp"
#include "tests/support/constant_table.hpp"

namespace sortlab {

/// An invented device with a single multiprocessor, on which only what a test sets takes time.
class IdleDevice : public testing::Test {
 protected:
  static constexpr double kNothing = 1e-30;
  static constexpr double kClock = 1e9;

  IdleDevice() {
    profile_.clock_hz = kClock;
    profile_.cores = 1;
    profile_.cache_bytes = {{"L2", 1 << 20}, {"shared", 228 * 1024}};
    for (const char* stream : {"read", "write", "copy"}) set(stream, {"access_bytes", "bytes"}, 1 / kNothing);
    set("scatter", {"element_bytes", "runs", "run_bytes"}, 1 / kNothing);
    set("latency", {"bytes"}, 0);
    for (const char* launch : {"launch", "launch_dependent", "launch_wide", "ramp"}) set(launch, {}, 0);
    for (const char* pipe : {"issue.ffma", "issue.lop3"}) set(pipe, {}, 1 / kNothing);
    set("shared_load", {"degree"}, kNothing);
    set("shared_atomic", {"distinct", "returns"}, 0);
    set("shared_random", {"access_bytes"}, 0);
    set("overlap.copy_shared", {}, 16);
  }
  void set(const std::string& name, std::vector<std::string> arguments, double value) {
    profile_.tables[name] = constant(std::move(arguments), value);
  }
  /// Cycles of the multiprocessor per element, of `n`, of the first phase of that name, and of that pass where it is
  /// given.
  static double phase_cycles(const Prediction& prediction, double n, std::string_view name,
                             std::optional<int> pass = {}) {
    for (const PhasePrediction& phase : prediction.phases) {
      if (phase.name == name && phase.pass == pass.value_or(phase.pass)) return phase.seconds * kClock / n;
    }
    throw std::out_of_range{std::string{name}};
  }

  MachineProfile profile_{.id = "invented", .name = "Invented", .origin = "calibrated", .source = "this test"};
};

}  // namespace sortlab
