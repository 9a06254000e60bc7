#include "harness/machine/machine.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/identity.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/processor.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

using Topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

Topology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw std::runtime_error("hwloc cannot start");
  Topology topology{raw, &hwloc_topology_destroy};
  // Include the whole machine: the CPU set of a container or batch system must not change its identity.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(raw) != 0) throw std::runtime_error("hwloc cannot read the topology of this machine");
  return topology;
}

ordered_json cache_bytes(hwloc_topology_t topology) {
  ordered_json sizes = ordered_json::object();
  constexpr std::pair<const char*, hwloc_obj_type_t> levels[] = {
      {"L1d", HWLOC_OBJ_L1CACHE}, {"L2", HWLOC_OBJ_L2CACHE}, {"L3", HWLOC_OBJ_L3CACHE}};
  for (const auto& [name, type] : levels) {
    if (hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0)) sizes[name] = cache->attr->cache.size;
  }
  return sizes;
}

int count(hwloc_topology_t topology, hwloc_obj_type_t type) {
  return std::max(0, hwloc_get_nbobjs_by_type(topology, type));
}

std::string to_slug(std::string_view text) {
  std::string slug;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return slug;
}

std::string vendor_slug(std::string_view vendor) {
  if (vendor == "AuthenticAMD") return "amd";
  if (vendor == "GenuineIntel") return "intel";
  return vendor.empty() ? "cpu" : to_slug(vendor);
}

std::string identity(const ordered_json& facts, const ProcessorFacts& p) {
  std::string id = (p.emulated ? "emulated-" : "") + vendor_slug(p.vendor);
  for (const std::string& part : {brand_slug(p.brand), to_slug(p.microarchitecture)}) {
    if (!part.empty()) id += "-" + part;
  }
  return fmt::format("{}-{}c-{:.8}", id, facts.at("cores").get<int>(), digest_of_text(facts.dump()));
}

std::string display_name(const ProcessorFacts& p) {
  const std::string vendor = p.vendor.empty() ? "processor that does not name itself" : p.vendor;
  const std::string brand = p.brand.empty() ? vendor : p.brand;
  if (!p.microarchitecture.empty()) return fmt::format("{} ({})", brand, p.microarchitecture);
  return p.vendor.empty() ? brand : fmt::format("{} (family {} model {})", brand, p.family, p.model);
}

ordered_json ask_machine() {
  const ProcessorFacts& p = processor();
  const Topology topology = load_topology();
  ordered_json facts{
      {"vendor", p.vendor},
      {"family", p.family},
      {"model", p.model},
      {"stepping", p.stepping},
      {"brand", p.brand},
      {"microarchitecture", p.microarchitecture.empty() ? ordered_json(nullptr) : ordered_json(p.microarchitecture)},
      {"packages", count(topology.get(), HWLOC_OBJ_PACKAGE)},
      {"cores", std::max(1, count(topology.get(), HWLOC_OBJ_CORE))},
      {"threads", std::max(1, count(topology.get(), HWLOC_OBJ_PU))},
      {"numa_nodes", std::max(1, count(topology.get(), HWLOC_OBJ_NUMANODE))},
      {"cache_bytes", cache_bytes(topology.get())},
      {"memory_bytes", installed_memory(system_memory())},
      {"simd", p.simd},
      {"virtual", p.virtual_machine},
  };
  if (p.emulated) facts["emulated"] = true;
  ordered_json record{{"id", identity(facts, p)}, {"name", display_name(p)}};
  record.update(facts);
  return record;
}

}  // namespace

const ordered_json& machine_record() {
  static const ordered_json record = ask_machine();
  return record;
}

const std::string& machine_id() {
  static const std::string id = machine_record().at("id").get<std::string>();
  return id;
}

std::uint64_t installed_memory(std::uint64_t reported_bytes) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  const std::uint64_t step = std::max(gib, std::bit_floor(std::max<std::uint64_t>(reported_bytes, 1)) / 16);
  return (reported_bytes + step - 1) / step * step;
}

}  // namespace sortlab
