// The counter of energy of a GPU that is there.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "harness/machine/energy_meter.hpp"
#include "harness/measure/cuda/device_facts.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

class DeviceEnergy : public DeviceTest {
 protected:
  /// The meter of CUDA's device 0; null, and the test is skipped, where there is none.
  std::unique_ptr<DeviceMeter> open() {
    try {
      return open_device_meter(query_device_identity(0));
    } catch (const EnergyUnavailable& why) {
      reason_ = why.what();
      return nullptr;
    }
  }
  std::string reason_;
};

TEST_F(DeviceEnergy, NvmlHasTheDeviceThatCudaHas) {
  const DeviceIdentity device = query_device_identity(0);
  EXPECT_EQ(device.uuid.size(), 40U) << device.uuid;
  EXPECT_EQ(device.pci_bus_id.substr(4, 1), ":") << device.pci_bus_id;
  const auto meter = open();
  if (!meter) GTEST_SKIP() << reason_;
  const DeviceState state = meter->state();
  EXPECT_GT(state.power_w, 5);
  EXPECT_LT(state.power_w, 2000);
  EXPECT_GT(state.sm_clock_hz, 1e8);
}

TEST_F(DeviceEnergy, JoulesAreThoseOfThePowerThatTheDriverShows) {
  const auto meter = open();
  if (!meter) GTEST_SKIP() << reason_;
  const double before = meter->joules().front();
  const auto begun = std::chrono::steady_clock::now();
  double power_w = 0;
  constexpr int readings = 40;
  for (int i = 0; i < readings; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
    power_w += meter->state().power_w / readings;
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun;
  EXPECT_NEAR((meter->joules().front() - before) / passed.count(), power_w, 0.2 * power_w);
}

}  // namespace
}  // namespace sortlab
