// All micro-benchmarks of CUDA's device 0, and the facts that its driver reports.
#include <cctype>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/calibrate/calibrate.hpp"
#include "harness/calibrate/chosen_probes.hpp"
#include "harness/calibrate/device/cuda_bench.hpp"
#include "harness/calibrate/device/energy.hpp"
#include "harness/calibrate/rounds.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/measure/cuda/device_facts.hpp"

namespace sortlab {
namespace {

using namespace calibration;

constexpr int kDevice = 0;

/// "nvidia-h200" for "NVIDIA H200".
std::string machine_id_from(const std::string& name) {
  std::string id;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  return id + (id.empty() || id.back() != '-' ? "-" : "");
}

double attribute(cudaDeviceAttr name) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, name, kDevice));
  return value;
}

/// Adds peak figures from the driver's attributes. None of them is measured.
void add_datasheet(MachineProfile& profile) {
  const auto add = [&](const char* table, const char* unit, const char* source, double value) {
    if (value > 0) {
      profile.tables[table] = {
          .unit = unit, .source = source, .arguments = {}, .points = {{{}, value, {}}}, .kind = "hardware"};
    }
  };
  const double clocks = profile.cores * profile.clock_hz;
  add("datasheet.bandwidth", "B/s",
      "not measured: the driver's memory clock (cudaDevAttrMemoryClockRate) x 2 transfers x width of the bus",
      1e3 * attribute(cudaDevAttrMemoryClockRate) * 2 * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8);
  add("datasheet.issue", "1/s",
      "not measured: 4 warp instructions a cycle and multiprocessor (4 schedulers, compute capability 5.0 and later) "
      "at the highest clock",
      4 * clocks);
  add("datasheet.shared_memory", "B/s",
      "not measured: 32 banks of 4 bytes a cycle and multiprocessor (CUDA C++ Programming Guide, compute capability "
      "5.x and later) at the highest clock",
      32 * 4 * clocks);
}

}  // namespace

MachineProfile calibrate_device(const CalibrationOptions& options) {
  const std::vector<DeviceProbe> probes = chosen_probes(device_probes(), options.probes);
  check(cudaSetDevice(kDevice));
  const DeviceFacts facts = query_device_facts(kDevice);
  MachineProfile profile;
  profile.id = machine_id_from(facts.name) + std::to_string(facts.multiprocessors) + "sm";
  profile.name = facts.name;
  profile.origin = "calibrated";
  profile.source = calibration_source(options);
  profile.clock_hz = facts.clock_hz;
  profile.cores = facts.multiprocessors;
  profile.cache_bytes = {{"shared", attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor)},
                         {"L2", static_cast<double>(facts.l2_bytes)}};
  profile.memory_bytes = static_cast<double>(facts.memory_bytes);
  profile.compute_capability = facts.compute_capability;
  profile.libraries = {{"CUB", build_record()["libraries"]["CUB"]}};

  CudaBench bench{facts.multiprocessors, facts.clock_hz, options.quick};
  // A device at its thermal or power limit lowers its clock. Such samples do not count.
  TimedRounds rounds{[&bench](const auto& probe) {
    const double value = probe();
    return calibration::ProbeReading{.value = value, .speed = bench.clock_hz() / bench.highest_clock_hz};
  }};
  rounds.add_all(probes, bench);
  if (options.journal != nullptr) rounds.keep_in(*options.journal);
  rounds.run({.rounds = options.quick ? 6 : 21,
              .repeat_s = options.repeat_s.value_or(options.quick ? 12 : 60),
              .limit_s = options.limit_s.value_or(calibration_limits(options.quick).device_s)},
             options.progress);
  rounds.write_to(profile.tables);
  if (options.energy) {
    try {
      calibrate_energy(profile, rounds, bench);
    } catch (const EnergyUnavailable& why) {
      add_missing_energy(profile, why.what());
    }
  }
  add_cuts(profile, rounds.cuts());
  add_datasheet(profile);
  return profile;
}

}  // namespace sortlab
