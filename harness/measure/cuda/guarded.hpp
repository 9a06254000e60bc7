// What an error of the device means to a testbed.
#pragma once

#include "core/cuda/check.hpp"
#include "harness/measure/testbed.hpp"

namespace sortlab {

/// What f() returns. Errors of the device other than want of memory stay with the process: TestbedLost.
template <class F>
auto guarded(F&& f) {
  try {
    return f();
  } catch (const DeviceError& error) {
    throw TestbedLost(error.what());
  }
}

}  // namespace sortlab
