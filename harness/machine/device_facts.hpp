// Facts of a CUDA device that sorts run on.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sortlab {

/// A CUDA device, as a record names it.
struct DeviceFacts {
  std::string name;
  std::string compute_capability;  ///< "9.0"
  int multiprocessors = 0;
  double clock_hz = 0;  ///< the multiprocessors' maximum
  std::uint64_t memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  std::string driver;   ///< the newest CUDA that the driver runs: "13.0"
  std::string runtime;  ///< the CUDA that this program was built with
};

/// `device` of a record, and the inverse. Throws what nlohmann::json throws.
nlohmann::ordered_json to_json(const DeviceFacts& device);
DeviceFacts device_facts_from_json(const nlohmann::ordered_json& json);

}  // namespace sortlab
