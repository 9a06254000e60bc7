// Tests of a device's probes, each point measured once.
#pragma once

#include "harness/calibrate/device/cuda_bench.hpp"
#include "harness/measure/cuda/device_facts.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/probe_tables.hpp"

namespace sortlab::calibration {

class DeviceProbes : public DeviceTest {
 protected:
  /// Of all probes that are `wanted`, or of those of a sort by its name.
  static Tables measured(const auto& wanted) {
    const DeviceFacts facts = facts_of(0);
    CudaBench bench{facts.multiprocessors, facts.clock_hz, true};
    return tables_of<DeviceBench>(device_probes(), bench, wanted);
  }
};

}  // namespace sortlab::calibration
