#include "harness/cell/shards.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/bad_input.hpp"

namespace sortlab {

std::string to_text(const Devices& devices) {
  return fmt::format("{}{}", devices.shards, devices.on_one ? "@0" : "");
}

Devices parse_devices(std::string_view text) {
  Devices devices;
  std::string_view number = text;
  devices.on_one = number.ends_with("@0");
  if (devices.on_one) number.remove_suffix(2);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), devices.shards);
  const bool is_number = error == std::errc{} && end == number.data() + number.size();
  if (is_number && devices.shards >= 1 && devices.shards <= kMaxShards) return devices;
  throw BadInput(fmt::format("devices: '{}' is not allowed; allowed: 1 to {}, or 1@0 to {}@0 for shards on device 0",
                             text.substr(0, 40), kMaxShards, kMaxShards));
}

std::vector<std::uint64_t> shard_sizes(std::uint64_t n, int shards, ShardSizes sizes) {
  const auto count = static_cast<std::uint64_t>(shards);
  const auto weight = [&](std::uint64_t i) -> std::uint64_t {
    switch (sizes) {
      case ShardSizes::even: return 1;
      case ShardSizes::uneven: return i + 1;
      case ShardSizes::gaps: return i % 2 == 0 ? 1 : 0;
      default: return i == 0 ? 1 : 0;
    }
  };
  std::uint64_t weights = 0;
  for (std::uint64_t i = 0; i < count; ++i) weights += weight(i);
  std::vector<std::uint64_t> result;
  std::uint64_t before = 0, weights_before = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    weights_before += weight(i);
    const std::uint64_t end = n / weights * weights_before + n % weights * weights_before / weights;
    result.push_back(end - before);
    before = end;
  }
  return result;
}

}  // namespace sortlab
