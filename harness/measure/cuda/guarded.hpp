// Maps device errors to a testbed's exceptions.
#pragma once

#include "core/cuda/check.hpp"
#include "harness/measure/testbed.hpp"

namespace sortlab {

/// Returns f(). Device errors other than lack of memory are sticky: TestbedLost.
template <class F>
auto guarded(F&& f) {
  try {
    return f();
  } catch (const DeviceError& error) {
    throw TestbedLost(error.what());
  }
}

}  // namespace sortlab
