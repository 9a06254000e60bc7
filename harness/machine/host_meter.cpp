#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <system_error>

#include "harness/machine/energy_meter.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

constexpr double kMicro = 1e-6;

/// A power zone: its counter wraps at `range`.
struct Zone {
  std::size_t domain = 0;
  fs::path counter;
  std::uint64_t range_uj = 0;
  std::uint64_t last_uj = 0;
  double joules = 0;  ///< since it was opened
};

std::string zone_name(const fs::path& path) {
  std::ifstream file{path};
  std::string line;
  std::getline(file, line);
  return line;
}

/// Throws EnergyUnavailable.
std::uint64_t read_number(const fs::path& path) {
  errno = 0;
  std::ifstream file{path};
  std::uint64_t value = 0;
  if (file >> value) return value;
  if (errno == EACCES || errno == EPERM) {
    throw EnergyUnavailable(
        fmt::format("{} can be read by root alone: `chmod a+r {}` as root", path.string(), path.string()));
  }
  throw EnergyUnavailable(
      fmt::format("{} cannot be read: {}", path.string(), errno == 0 ? "it holds no number" : std::strerror(errno)));
}

class PowercapMeter final : public EnergyMeter {
 public:
  explicit PowercapMeter(const fs::path& folder) {
    std::error_code none;
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator{folder, none}) paths.push_back(entry.path());
    std::ranges::sort(paths);
    for (const fs::path& path : paths) take(path);
    if (domains_.empty() || domains_.front() != kPackage) {
      throw EnergyUnavailable(
          fmt::format("{} has no RAPL zone of a processor package (most virtual machines have none)", folder.string()));
    }
  }

  const std::vector<std::string>& domains() const override { return domains_; }

  std::vector<double> joules() override {
    std::vector<double> sums(domains_.size(), 0);
    for (Zone& zone : zones_) {
      const std::uint64_t now = read_number(zone.counter);
      if (now < zone.last_uj && zone.range_uj <= zone.last_uj) {
        throw EnergyUnavailable(
            fmt::format("{} jumped back, from {} to {} uJ", zone.counter.string(), zone.last_uj, now));
      }
      const std::uint64_t drawn = now >= zone.last_uj ? now - zone.last_uj : zone.range_uj - zone.last_uj + now;
      zone.joules += kMicro * static_cast<double>(drawn);
      zone.last_uj = now;
      sums[zone.domain] += zone.joules;
    }
    return sums;
  }

 private:
  static constexpr const char* kPackage = "package";
  static constexpr const char* kMemory = "dram";

  /// Takes a zone that is a package's or its memory's. Others are parts of these, or (psys) hold them; those of the
  /// memory-mapped interface (intel-rapl-mmio) are the same again.
  void take(const fs::path& path) {
    if (!path.filename().string().starts_with("intel-rapl:")) return;
    const std::string name = zone_name(path / "name");
    const char* const domain = name.starts_with(kPackage) ? kPackage : name == kMemory ? kMemory : nullptr;
    if (domain == nullptr) return;
    Zone zone{.counter = path / "energy_uj"};
    zone.last_uj = read_number(zone.counter);
    zone.range_uj = read_number(path / "max_energy_range_uj");
    // Packages come before their memory in the order of names.
    const auto found = std::ranges::find(domains_, domain);
    zone.domain = static_cast<std::size_t>(found - domains_.begin());
    if (found == domains_.end()) domains_.emplace_back(domain);
    zones_.push_back(std::move(zone));
  }

  std::vector<std::string> domains_;
  std::vector<Zone> zones_;
};

}  // namespace

fs::path powercap_folder() {
  const char* const set = std::getenv("SORTLAB_POWERCAP");
  return set != nullptr && *set != '\0' ? set : "/sys/class/powercap";
}

std::unique_ptr<EnergyMeter> open_host_meter(const fs::path& folder) {
  return std::make_unique<PowercapMeter>(folder);
}

}  // namespace sortlab
