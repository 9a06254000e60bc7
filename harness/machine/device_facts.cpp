#include "harness/machine/device_facts.hpp"

#include <nlohmann/json.hpp>

namespace sortlab {

using nlohmann::ordered_json;

ordered_json to_json(const DeviceFacts& device) {
  return {{"name", device.name},
          {"compute_capability", device.compute_capability},
          {"multiprocessors", device.multiprocessors},
          {"clock_hz", device.clock_hz},
          {"memory_bytes", device.memory_bytes},
          {"l2_bytes", device.l2_bytes},
          {"driver", device.driver},
          {"runtime", device.runtime}};
}

DeviceFacts device_facts_from_json(const ordered_json& json) {
  return {.name = json.at("name"),
          .compute_capability = json.at("compute_capability"),
          .multiprocessors = json.at("multiprocessors"),
          .clock_hz = json.at("clock_hz"),
          .memory_bytes = json.at("memory_bytes"),
          .l2_bytes = json.at("l2_bytes"),
          .driver = json.at("driver"),
          .runtime = json.at("runtime")};
}

}  // namespace sortlab
