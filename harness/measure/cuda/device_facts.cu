#include "harness/measure/cuda/device_facts.hpp"

#include <array>
#include <string_view>

#include "core/cuda/check.hpp"

namespace sortlab {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::vector<DeviceLink> query_links(const std::vector<int>& devices) {
  std::vector<DeviceLink> links;
  for (const int from : devices) {
    for (const int to : devices) {
      if (from == to) continue;
      const auto attribute = [&](cudaDeviceP2PAttr asked) {
        int value = 0;
        check(cudaDeviceGetP2PAttribute(&value, asked, from, to));
        return value;
      };
      cudaDeviceProp properties{};
      check(cudaGetDeviceProperties(&properties, to));
      links.push_back({.from = from,
                       .to = to,
                       .to_name = properties.name,
                       .access = attribute(cudaDevP2PAttrAccessSupported) != 0,
                       .native_atomics = attribute(cudaDevP2PAttrNativeAtomicSupported) != 0,
                       .performance_rank = attribute(cudaDevP2PAttrPerformanceRank)});
    }
  }
  return links;
}

DeviceFacts query_device_facts(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  int kilohertz = 0;
  int driver = 0;
  int runtime = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device));
  check(cudaDriverGetVersion(&driver));
  check(cudaRuntimeGetVersion(&runtime));
  return {.name = properties.name,
          .compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor),
          .multiprocessors = properties.multiProcessorCount,
          .clock_hz = 1e3 * kilohertz,
          .memory_bytes = properties.totalGlobalMem,
          .l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize),
          .driver = version_text(driver),
          .runtime = version_text(runtime)};
}

DeviceIdentity query_device_identity(int device) {
  std::array<char, 64> bus_id{};
  check(cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), device));
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  constexpr std::string_view digits = "0123456789abcdef";
  std::string uuid = "GPU-";
  for (int i = 0; i < 16; ++i) {
    const auto byte = static_cast<unsigned char>(properties.uuid.bytes[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) uuid += '-';
    uuid += digits[byte / digits.size()];
    uuid += digits[byte % digits.size()];
  }
  return {.pci_bus_id = bus_id.data(), .uuid = uuid};
}

}  // namespace sortlab
