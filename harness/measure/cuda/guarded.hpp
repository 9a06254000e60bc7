// Maps device errors to a testbed's exceptions.
#pragma once

#include "core/cuda/check.hpp"
#include "harness/measure/testbed.hpp"

namespace sortlab {

/// Returns f(). Throws TestbedLost for device errors other than lack of memory, since they are sticky.
template <class F>
auto guarded(F&& f) {
  try {
    return f();
  } catch (const DeviceError& error) {
    throw TestbedLost(error.what());
  }
}

}  // namespace sortlab
