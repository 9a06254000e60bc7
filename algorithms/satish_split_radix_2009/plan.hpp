// What the sort launches and its model charges: the settings that have kernels, tiles, and the tables of a pass.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/choice.hpp"
#include "core/lsd_digits.hpp"

namespace sortlab::split_radix_2009 {

inline constexpr int kLeastThreads = 32;  ///< a warp
inline constexpr int kMostThreads = 512;  ///< of a block
inline constexpr int kMostDigitBits = 8;
inline constexpr int kCounterBytes = 4;  ///< of a digit and tile
inline constexpr int kStartBytes = 2;    ///< where a digit starts in its tile
inline constexpr int kOffsetBytes = 8;   ///< of the prefix sum of the counters

/// Elements per thread that have kernels.
inline constexpr std::array kCompiledItems{2, 4, 8, 16};

struct Setting {
  int digit_bits;
  int threads;  ///< of a block, which sorts a tile
  int items;    ///< elements a thread
  constexpr std::uint32_t tile() const { return static_cast<std::uint32_t>(threads * items); }
  friend bool operator==(const Setting&, const Setting&) = default;
};

/// The presets, which calibration measures.
inline constexpr Setting kPaper{.digit_bits = 4, .threads = 256, .items = 4};
inline constexpr Setting kTuned{.digit_bits = 8, .threads = 256, .items = 16};

/// Why a setting cannot be launched, or nothing.
inline std::optional<std::string> declines(const Setting& setting) {
  if (setting.threads % kLeastThreads != 0) return "threads must be a multiple of 32, the threads of a warp";
  if (std::find(kCompiledItems.begin(), kCompiledItems.end(), setting.items) == kCompiledItems.end()) {
    return "items must be " + listed(kCompiledItems);
  }
  return std::nullopt;
}

constexpr LsdDigits digits_of(int key_bytes, int digit_bits) {
  return {8 * key_bytes, digit_bits};
}

}  // namespace sortlab::split_radix_2009
