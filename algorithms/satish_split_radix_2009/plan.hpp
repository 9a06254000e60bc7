// Plan of the sort, read by the sort and its model: the settings that have kernels, tiles, and the tables of a pass.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/choice.hpp"
#include "core/lsd_digits.hpp"

namespace sortlab::split_radix_2009 {

inline constexpr int kMinThreads = 32;   ///< one warp
inline constexpr int kMaxThreads = 512;  ///< maximum threads of a block
inline constexpr int kMaxDigitBits = 8;
inline constexpr int kCounterBytes = 4;  ///< bytes of a counter per digit and tile
inline constexpr int kStartBytes = 2;    ///< bytes of a digit's start in its tile
inline constexpr int kOffsetBytes = 8;   ///< bytes of the prefix sum of the counters

/// Elements per thread that have kernels.
inline constexpr std::array kCompiledItems{2, 4, 8, 16};

struct Setting {
  int digit_bits;
  int threads;  ///< threads of a block, which sorts a tile
  int items;    ///< elements per thread
  constexpr std::uint32_t tile() const { return static_cast<std::uint32_t>(threads * items); }
  friend bool operator==(const Setting&, const Setting&) = default;
};

/// The presets, which calibration measures.
inline constexpr Setting kPaper{.digit_bits = 4, .threads = 256, .items = 4};
inline constexpr Setting kTuned{.digit_bits = 8, .threads = 256, .items = 16};

/// The reason a setting cannot be launched, or nullopt.
inline std::optional<std::string> declines(const Setting& setting) {
  if (setting.threads % kMinThreads != 0) return "threads must be a multiple of 32, the threads of a warp";
  if (std::find(kCompiledItems.begin(), kCompiledItems.end(), setting.items) == kCompiledItems.end()) {
    return "items must be " + listed(kCompiledItems);
  }
  return std::nullopt;
}

constexpr LsdDigits lsd_digits(int key_bytes, int digit_bits) {
  return {8 * key_bytes, digit_bits};
}

}  // namespace sortlab::split_radix_2009
