// Facts about the CUDA device that sorts run on.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sortlab {

/// The way from one device to the memory of another, as the driver tells it.
struct DeviceLink {
  int from = 0;
  int to = 0;
  std::string to_name;          ///< the other device
  bool access = false;          ///< kernels may read and write there
  bool native_atomics = false;  ///< and add atomically: true for NVLink
  int performance_rank = 0;     ///< 0: the fastest of this host
};

/// A CUDA device as described in records.
struct DeviceFacts {
  std::string name;
  std::string compute_capability;  ///< "9.0"
  int multiprocessors = 0;
  double clock_hz = 0;  ///< maximum clock of the multiprocessors
  std::uint64_t memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  std::string driver;               ///< newest CUDA version that the driver supports: "13.0"
  std::string runtime;              ///< CUDA version that this program was built with
  std::vector<DeviceLink> links{};  ///< between the devices of a sort that runs on several
};

/// The field `device` of a record, and the inverse. Throws the exceptions of nlohmann::json.
nlohmann::ordered_json to_json(const DeviceFacts& device);
DeviceFacts device_facts_from_json(const nlohmann::ordered_json& json);

}  // namespace sortlab
