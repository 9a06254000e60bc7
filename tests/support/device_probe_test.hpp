// Fixture for tests of device probes, which measures each point once.
#pragma once

#include "harness/calibrate/device/cuda_bench.hpp"
#include "harness/measure/cuda/device_facts.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/probe_tables.hpp"

namespace sortlab::calibration {

class DeviceProbes : public DeviceTest {
 protected:
  /// The tables of all `wanted` probes, or of a sort's probes by its name.
  static Tables measured(const auto& wanted) {
    const DeviceFacts facts = query_device_facts(0);
    CudaBench bench{facts.multiprocessors, facts.clock_hz, true};
    return measure_tables<DeviceBench>(device_probes(), bench, wanted);
  }
};

}  // namespace sortlab::calibration
