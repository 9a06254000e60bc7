#include "harness/machine/device_facts.hpp"

#include <nlohmann/json.hpp>

namespace sortlab {

using nlohmann::ordered_json;

ordered_json to_json(const DeviceFacts& device) {
  ordered_json json{{"name", device.name},
                    {"compute_capability", device.compute_capability},
                    {"multiprocessors", device.multiprocessors},
                    {"clock_hz", device.clock_hz},
                    {"memory_bytes", device.memory_bytes},
                    {"l2_bytes", device.l2_bytes},
                    {"driver", device.driver},
                    {"runtime", device.runtime}};
  for (const DeviceLink& link : device.links) {
    json["links"].push_back({{"from", link.from},
                             {"to", link.to},
                             {"to_name", link.to_name},
                             {"access", link.access},
                             {"native_atomics", link.native_atomics},
                             {"performance_rank", link.performance_rank}});
  }
  return json;
}

DeviceFacts device_facts_from_json(const ordered_json& json) {
  DeviceFacts facts{.name = json.at("name"),
                    .compute_capability = json.at("compute_capability"),
                    .multiprocessors = json.at("multiprocessors"),
                    .clock_hz = json.at("clock_hz"),
                    .memory_bytes = json.at("memory_bytes"),
                    .l2_bytes = json.at("l2_bytes"),
                    .driver = json.at("driver"),
                    .runtime = json.at("runtime")};
  for (const ordered_json& link : json.value("links", ordered_json::array())) {
    facts.links.push_back({.from = link.at("from"),
                           .to = link.at("to"),
                           .to_name = link.at("to_name"),
                           .access = link.at("access"),
                           .native_atomics = link.at("native_atomics"),
                           .performance_rank = link.at("performance_rank")});
  }
  return facts;
}

}  // namespace sortlab
