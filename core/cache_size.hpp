// Sizes of the processor's caches, by which sorts choose their blocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace sortlab {

/// Size in bytes of the L2 cache of a core that the calling thread may use, or nullopt if the system does not report
/// it.
std::optional<std::int64_t> l2_cache_bytes();

/// The same from a folder such as /sys/devices/system/cpu/cpu0/cache.
std::optional<std::int64_t> l2_cache_bytes_in(const std::filesystem::path& folder);

}  // namespace sortlab
