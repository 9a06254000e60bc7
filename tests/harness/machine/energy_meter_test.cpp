// Counters of energy: NVML by a fake library, RAPL by a tree of files in place of the kernel's.
#include "harness/machine/energy_meter.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "core/temporary_folder.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

const DeviceIdentity kFirst{"0000:17:00.0", "GPU-00000000-0000-0000-0000-000000000017"};
const DeviceIdentity kSecond{"0000:65:00.0", "GPU-00000000-0000-0000-0000-000000000065"};

std::unique_ptr<DeviceMeter> open(const char* mode, const DeviceIdentity& device = kFirst) {
  setenv("FAKE_NVML", mode, 1);
  return open_device_meter(device, FAKE_NVML_LIBRARY);
}

/// Words of the EnergyUnavailable that `work` throws; empty if it throws none.
template <class Work>
std::string refusal_by(const Work& work) {
  try {
    work();
  } catch (const EnergyUnavailable& why) {
    return why.what();
  }
  return "";
}

double watts(EnergyMeter& meter) {
  const double before = meter.joules().at(0);
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds{200});
  const double drawn = meter.joules().at(0) - before;
  return drawn / std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(DeviceMeter, CountsJoulesOfTheDeviceThatCudaHas) {
  const auto first = open("power=300 step=1");
  EXPECT_EQ(first->domains(), std::vector<std::string>{"device"});
  EXPECT_NEAR(watts(*first), 300, 15);
  // CUDA_VISIBLE_DEVICES makes NVML's second device CUDA's first: the place on the bus decides.
  const auto second = open("power=300 step=1", kSecond);
  EXPECT_NEAR(watts(*second), 50, 5);
}

TEST(DeviceMeter, TellsTheStateOfTheDevice) {
  const auto meter = open("power=450 capped");
  const DeviceState state = meter->state();
  EXPECT_DOUBLE_EQ(state.power_w, 450);
  EXPECT_DOUBLE_EQ(state.sm_clock_hz, 1.98e9);
  EXPECT_DOUBLE_EQ(state.memory_clock_hz, 2.619e9);
  EXPECT_DOUBLE_EQ(state.temperature_c, 41);
  EXPECT_EQ(throttle_names(state.throttle_reasons), std::vector<std::string>{"power cap"});
  EXPECT_EQ(meter->power_limit_w(), 700);
  EXPECT_EQ(meter->sharers(), std::nullopt);
}

TEST(DeviceMeter, EveryWayOfHavingNoneHasItsReason) {
  EXPECT_EQ(refusal_by([] {
              open("", {"0000:99:00.0", "GPU-1"});
            }),
            "NVML does not know CUDA's device: Not Found (NVML error 6)");
  EXPECT_EQ(refusal_by([] {
              open("", {kFirst.pci_bus_id, kSecond.uuid});
            }),
            "at 0000:17:00.0 NVML has GPU-00000000-0000-0000-0000-000000000017, but CUDA "
            "GPU-00000000-0000-0000-0000-000000000065");
  EXPECT_EQ(refusal_by([] { open("mig"); }), "the GPU is partitioned (MIG): its counter is that of all partitions");
  EXPECT_EQ(refusal_by([] { open("old"); }),
            "the GPU's counter of energy cannot be read: Not Supported (NVML error 3)");
  EXPECT_EQ(refusal_by([] { open("refuse"); }), "NVML does not start: Driver Not Loaded (NVML error 9)");
  EXPECT_EQ(refusal_by([] { open_device_meter(kFirst, "libno_such_nvml.so"); }),
            "NVML is not installed (libno_such_nvml.so)");
  EXPECT_EQ(refusal_by([] { open_device_meter(kFirst, FAKE_CUDA_DRIVER); }),
            std::string{"NVML is too old: "} + FAKE_CUDA_DRIVER + " has no counter of energy");
}

TEST(DeviceMeter, SharersAreFound) {
  EXPECT_EQ(open("shared")->sharers(), "the GPU is shared: 2 processes have a context on it");
  EXPECT_EQ(open("clients")->sharers(), "the GPU is shared: MPS has 1 clients on it");
  EXPECT_EQ(open("busy")->busy_share(), 0.9);
}

TEST(DeviceMeter, SurveyNamesEachDevice) {
  setenv("FAKE_NVML", "", 1);
  const auto meters = survey_device_meters(FAKE_NVML_LIBRARY);
  ASSERT_EQ(meters.size(), 2U);
  EXPECT_EQ(meters[0].name, "Fake H100");
  EXPECT_EQ(meters[0].reason, "");
  setenv("FAKE_NVML", "mig", 1);
  EXPECT_EQ(survey_device_meters(FAKE_NVML_LIBRARY)[1].reason,
            "the GPU is partitioned (MIG): its counter is that of all partitions");
  EXPECT_EQ(refusal_by([] { survey_device_meters("libno_such_nvml.so"); }),
            "NVML is not installed (libno_such_nvml.so)");
}

class HostMeter : public ::testing::Test {
 protected:
  void add(const std::string& zone, const std::string& name, std::uint64_t uj, std::uint64_t range = 262'143'328'850) {
    fs::create_directory(folder_.path() / zone);
    write(zone, "name", name);
    write(zone, "energy_uj", std::to_string(uj));
    write(zone, "max_energy_range_uj", std::to_string(range));
  }
  void write(const std::string& zone, const std::string& file, const std::string& text) const {
    std::ofstream{folder_.path() / zone / file} << text << '\n';
  }
  std::unique_ptr<EnergyMeter> open() const { return open_host_meter(folder_.path()); }

  TemporaryFolder folder_;
};

TEST_F(HostMeter, AddsPackagesAndTheirMemory) {
  add("intel-rapl:0", "package-0", 5'000'000);
  add("intel-rapl:0:0", "core", 1);
  add("intel-rapl:0:1", "dram", 7'000'000);
  add("intel-rapl:1", "package-1", 1'000'000);
  add("intel-rapl:2", "psys", 1);
  add("intel-rapl-mmio:0", "package-0", 5'000'000);
  const auto meter = open();
  EXPECT_EQ(meter->domains(), (std::vector<std::string>{"package", "dram"}));
  EXPECT_EQ(meter->joules(), (std::vector<double>{0, 0}));
  write("intel-rapl:0", "energy_uj", "7000000");
  write("intel-rapl:1", "energy_uj", "1500000");
  write("intel-rapl:0:1", "energy_uj", "7250000");
  write("intel-rapl-mmio:0", "energy_uj", "7000000");
  write("intel-rapl:0:0", "energy_uj", "900000");
  EXPECT_EQ(meter->joules(), (std::vector<double>{2.5, 0.25}));
}

TEST_F(HostMeter, ACounterThatWrapsGoesOn) {
  add("intel-rapl:0", "package-0", 9'000'000, 10'000'000);
  const auto meter = open();
  write("intel-rapl:0", "energy_uj", "2000000");
  EXPECT_DOUBLE_EQ(meter->joules().at(0), 3);
  write("intel-rapl:0", "energy_uj", "9500000");
  EXPECT_DOUBLE_EQ(meter->joules().at(0), 10.5);
  write("intel-rapl:0", "energy_uj", "500000");
  EXPECT_DOUBLE_EQ(meter->joules().at(0), 11.5);
}

TEST_F(HostMeter, EveryWayOfHavingNoneHasItsReason) {
  EXPECT_EQ(refusal_by([&] { open(); }), folder_.path().string() +
                                             " has no RAPL zone of a processor package (most virtual machines have "
                                             "none)");
  EXPECT_EQ(refusal_by([&] { open_host_meter(folder_.path() / "none"); }),
            (folder_.path() / "none").string() +
                " has no RAPL zone of a processor package (most virtual machines have "
                "none)");
  add("intel-rapl:0", "package-0", 5, 0);
  const auto meter = open();
  write("intel-rapl:0", "energy_uj", "4");
  const std::string counter = (folder_.path() / "intel-rapl:0" / "energy_uj").string();
  EXPECT_EQ(refusal_by([&] { meter->joules(); }), counter + " jumped back, from 5 to 4 uJ");
  write("intel-rapl:0", "energy_uj", "much");
  EXPECT_EQ(refusal_by([&] { open(); }), counter + " cannot be read: it holds no number");
}

}  // namespace
}  // namespace sortlab
