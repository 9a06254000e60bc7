#include "core/cache_size.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "core/affinity.hpp"

namespace sortlab {

std::optional<std::int64_t> l2_cache_bytes_in(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator{folder, ignored}) {
    int level = 0;
    std::string type;
    std::int64_t kib = 0;
    char unit = 0;
    std::ifstream{entry.path() / "level"} >> level;
    std::ifstream{entry.path() / "type"} >> type;
    std::ifstream{entry.path() / "size"} >> kib >> unit;
    if (level == 2 && type != "Instruction" && kib > 0 && unit == 'K') return kib << 10;
  }
  return std::nullopt;
}

std::optional<std::int64_t> l2_cache_bytes() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  // The C library asks CPUID on x86, and knows nothing on Arm.
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (bytes > 0) return bytes;
#endif
  // Cores of one processor may differ (Cortex-X925 beside Cortex-A725).
  const std::vector<int> cpus = allowed_cpus();
  return l2_cache_bytes_in(fmt::format("/sys/devices/system/cpu/cpu{}/cache", cpus.empty() ? 0 : cpus.front()));
}

}  // namespace sortlab
