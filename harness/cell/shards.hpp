// The devices over which an input lies in shards, and how much of it lies on each (residency shards).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.hpp"

namespace sortlab {

/// Sizes of the input's shards: as even as n allows; 1 : 2 : 3 : …; every second shard empty; or all in the first
/// shard.
enum class ShardSizes : std::uint8_t { even, uneven, gaps, one };
template <>
inline constexpr std::array<std::string_view, 4> kNames<ShardSizes>{"even", "uneven", "gaps", "one"};

inline constexpr int kMaxShards = 16;

/// Number of shards, and where they lie: each on a device of its own, devices 0, 1, …; or, to develop and test on one
/// GPU, all on device 0.
struct Devices {
  int shards = 2;
  bool on_one = false;

  /// The device of shard i.
  int device(int i) const { return on_one ? 0 : i; }
  int count() const { return on_one ? 1 : shards; }
  bool operator==(const Devices&) const = default;
};

/// "2" for two devices, "4@0" for four shards on device 0; and the inverse, which throws BadInput.
std::string to_text(const Devices& devices);
Devices parse_devices(std::string_view text);

/// The size of each of `shards` shards of n elements.
std::vector<std::uint64_t> shard_sizes(std::uint64_t n, int shards, ShardSizes sizes);

}  // namespace sortlab
