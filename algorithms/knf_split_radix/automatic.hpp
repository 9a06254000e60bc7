// The values of `auto` on this processor.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "algorithms/knf_split_radix/split_kernels.hpp"
#include "core/cache_size.hpp"
#include "core/raw_clock.hpp"

namespace sortlab::knf {

/// A quarter of the L2 cache in KiB; 64 if the system does not report its size. A split reads one tile and writes
/// another, and the rest of the cache is for the streams of input and output.
inline std::int64_t tile_kib_here() {
  const std::optional<std::int64_t> bytes = l2_cache_bytes();
  return bytes ? std::clamp<std::int64_t>(*bytes / 4096, 16, 1024) : 64;
}

/// Seconds that each form takes to split keys of `key_bytes` in the L1 cache. The forms take turns for a hundred trials
/// of some microseconds each, and the best counts: even on a shared processor some trials are undisturbed.
inline std::array<double, 2> split_seconds(std::size_t key_bytes) {
  constexpr std::size_t bytes = 8192;
  std::vector<std::uint32_t> keys(bytes / sizeof(std::uint32_t));
  std::uint32_t random = 1;
  for (std::uint32_t& key : keys) key = random = random * 1664525U + 1013904223U;  // any LCG will do
  std::vector<std::byte> sides(2 * (bytes + kPadBytes));
  constexpr std::array forms{CompressForm::in_register, CompressForm::memory};
  const std::int64_t widest = targets().target_bit(targets().widest());
  std::array<double, 2> best{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (int trial = 0; trial < 100; ++trial) {
    for (std::size_t form = 0; form < forms.size(); ++form) {
      const Kernels kernels = kernels_for(widest, forms[form], key_bytes, 0);
      const auto start = RawClock::now();
      for (int bit = 20; bit < 24; ++bit) {
        Side zeros{sides.data(), nullptr};
        Side ones{sides.data() + bytes + kPadBytes, nullptr};
        kernels.split(keys.data(), nullptr, bytes / key_bytes, bit, zeros, ones);
      }
      const std::chrono::duration<double> time = RawClock::now() - start;
      best[form] = std::min(best[form], time.count());
    }
  }
  return best;
}

/// The register form, unless the memory form is 1.5 times as fast. (On Zen 4 the memory form is microcoded and much
/// slower.) The choice is part of a cell's identity; the margin makes it the same in every run.
inline CompressForm faster_form(std::size_t key_bytes) {
  const auto measure = [](std::size_t size) {
    constexpr double margin = 1.5;
    const auto [in_register, memory] = split_seconds(size);
    return memory * margin < in_register ? CompressForm::memory : CompressForm::in_register;
  };
  static const CompressForm of_4 = measure(4);
  static const CompressForm of_8 = measure(8);
  return key_bytes == 4 ? of_4 : of_8;
}

}  // namespace sortlab::knf
