// The machine's identity, made of facts that do not change between boots. Results are kept and joined under it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace sortlab {

/// `id`, `name`, `vendor`, `family`, `model`, `stepping`, `microarchitecture`, `cores`, `threads`, `packages`,
/// `numa_nodes`, `cache_bytes` ({"L1d": one core's, "L2": one core's, "L3": one shared cache}), `memory_bytes`
/// (rounded), `simd`, `virtual`. It holds no clock, boot-time reading or host name: a fact that varies would split one
/// machine into many. Queried once.
const nlohmann::ordered_json& machine_record();

/// machine_record()["id"]: "amd-epyc-zen3-2c-1a2b3c4d".
const std::string& machine_id();

/// The installed memory in bytes. The kernel reports less, since firmware and kernel reserve an amount that differs
/// from boot to boot. Rounds up to a multiple of 1/16 of the power of two below, and of at least 1 GiB.
std::uint64_t installed_memory(std::uint64_t reported_bytes);

}  // namespace sortlab
