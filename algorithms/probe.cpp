#include "algorithms/probe.hpp"

#include <algorithm>

namespace sortlab::calibration {
namespace {

// Function-local, so that it exists before the first registration.
template <class Bench>
std::vector<Probe<Bench>>& registered() {
  static std::vector<Probe<Bench>> probes;
  return probes;
}

template <class Bench>
void add(Probe<Bench> probe) {
  auto& probes = registered<Bench>();
  const auto after = std::ranges::upper_bound(probes, probe.name, {}, &Probe<Bench>::name);
  probes.insert(after, std::move(probe));
}

}  // namespace

RegisterProbe::RegisterProbe(HostProbe probe) {
  add(std::move(probe));
}

RegisterProbe::RegisterProbe(DeviceProbe probe) {
  add(std::move(probe));
}

const std::vector<HostProbe>& host_probes() {
  return registered<HostBench>();
}

const std::vector<DeviceProbe>& device_probes() {
  return registered<DeviceBench>();
}

}  // namespace sortlab::calibration
