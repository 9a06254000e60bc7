// What `auto` becomes on the processor at hand.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>

#include "algorithms/knf_split_radix/split_kernels.hpp"

namespace sortlab::knf {

/// The widest instruction set that runs here: registers compress well on all of them.
inline const Target& widest_target() {
  static const Target widest = [] {
    for (const Target& target : compiled_targets()) {
      if (runs_here(target.bit)) return target;
    }
    return Target{};
  }();
  return widest;
}

/// A quarter of the L2 cache in KiB: a split reads one tile and writes another, and the rest is for the input and the
/// output that pass by. 64 where the system does not say how large it is.
inline std::int64_t tile_kib_here() {
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? std::clamp<std::int64_t>(bytes / 4096, 16, 1024) : 64;
}

/// Nanoseconds of splitting a key of `key_bytes`, in the L1 cache, the best of seven.
inline double split_nanoseconds(CompressForm form, std::size_t key_bytes) {
  constexpr std::size_t bytes = 8192;
  const std::size_t n = bytes / key_bytes;
  std::vector<std::uint32_t> keys(bytes / sizeof(std::uint32_t));
  std::uint32_t random = 1;
  for (std::uint32_t& key : keys) key = random = random * 1664525U + 1013904223U;  // any LCG will do
  std::vector<std::byte> sides(2 * (bytes + kPadBytes));
  const Kernels kernels = kernels_for(widest_target().bit, form, key_bytes, 0);
  double best = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < 7; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    for (int repeat = 0; repeat < 4; ++repeat) {
      Side zeros{sides.data(), nullptr};
      Side ones{sides.data() + bytes + kPadBytes, nullptr};
      kernels.split(keys.data(), nullptr, n, 20 + repeat, zeros, ones);
    }
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / static_cast<double>(4 * n));
  }
  return best;
}

/// The register, unless the memory form splits 1.25 times as fast; on Zen 4, where it is microcoded, it is ten times
/// slower. The margin makes the choice, which is part of a cell's identity, the same from run to run.
inline CompressForm faster_form(std::size_t key_bytes) {
  const auto measure = [](std::size_t size) {
    constexpr double margin = 1.25;
    return split_nanoseconds(CompressForm::memory, size) * margin < split_nanoseconds(CompressForm::in_register, size)
               ? CompressForm::memory
               : CompressForm::in_register;
  };
  static const CompressForm of_4 = measure(4);
  static const CompressForm of_8 = measure(8);
  return key_bytes == 4 ? of_4 : of_8;
}

}  // namespace sortlab::knf
