// The machine's identity, from facts that do not change between boots: results are kept and joined under it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace sortlab {

/// `id`, `name`, `vendor`, `family`, `model`, `stepping`, `microarchitecture`, `cores`, `threads`, `packages`,
/// `numa_nodes`, `cache_bytes` ({"L1d": one core's, "L2": one core's, "L3": one shared cache}), `memory_bytes`
/// (rounded), `simd`, `virtual`. No clock, no boot-time reading, no host name: a reading that varies splits one machine
/// into many. Asked once, then remembered.
const nlohmann::ordered_json& machine_record();

/// machine_record()["id"]: "amd-epyc-zen3-2c-1a2b3c4d".
const std::string& machine_id();

/// Memory as installed: the kernel reports less, by what firmware and kernel reserve, which differs from boot to boot.
/// Rounds up to a sixteenth of the power of two below, and at least to 1 GiB.
std::uint64_t installed_memory(std::uint64_t reported_bytes);

}  // namespace sortlab
