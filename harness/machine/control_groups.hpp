// Limits that control groups set to this process: processor quotas and memory, in versions 1 and 2. A limit of any
// level holds, from the process's own group up to the root of the mount: Slurm and Kubernetes nest groups.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/descriptor.hpp"

namespace sortlab {

class ControlGroups {
 public:
  /// `root`: folder that holds `proc` and the mounts; another one in tests.
  explicit ControlGroups(const std::filesystem::path& root = "/");

  /// Processors that the process may use on average: the least quota of all levels. Nullopt: no quota.
  std::optional<double> cpu_quota() const;
  /// The least memory limit of all levels, in bytes. Nullopt: no limit.
  std::optional<std::uint64_t> memory_limit() const;
  /// Bytes that may still be allocated: the least of all levels, where caches of files count as free. Nullopt: no
  /// limit.
  std::optional<std::uint64_t> memory_left() const;
  /// Files that count how long a level was throttled.
  std::vector<std::filesystem::path> throttling_files() const;

 private:
  /// Folders of the groups of one hierarchy, the process's own first.
  struct Hierarchy {
    bool is_v2 = false;
    std::vector<std::filesystem::path> levels{};
  };
  std::vector<Hierarchy> cpu_;
  std::vector<Hierarchy> memory_;
};

/// Counts how long quotas have stopped the threads of this process's groups.
class Throttling {
 public:
  explicit Throttling(const ControlGroups& groups = ControlGroups{});
  /// Seconds so far, summed over processors and levels. Takes some microseconds a level; 0 where no group has a quota.
  double seconds() const;

 private:
  std::vector<Descriptor> files_;
};

}  // namespace sortlab
