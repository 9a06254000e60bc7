// Launches of CUB's radix sort with digits of a chosen width, read by its model: the widths that have kernels, and the
// tiles and passes of the older form with an upsweep and a downsweep.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/choice.hpp"

namespace sortlab::cub_lsd {

/// Form of a pass: one read of the keys, or two.
enum class Form : std::uint8_t { onesweep, two_read };
inline constexpr std::array kForms{Choice<Form>{"onesweep", Form::onesweep}, Choice<Form>{"two_read", Form::two_read}};

/// Digit widths that have kernels. The look-back of the first form needs at least one digit for each of a warp's 32
/// lanes; in the second, the counters of 8-bit digits exceed a block's shared memory.
inline constexpr std::array kOnesweepBits{5, 6, 7, 8};
inline constexpr std::array kTwoReadBits{4, 5, 6, 7};
inline constexpr int kMinBits = 4;
inline constexpr int kMaxBits = 8;

/// The reason a width has no kernels, or nullopt.
inline std::optional<std::string> declines(Form form, int digit_bits) {
  if (form == Form::onesweep && digit_bits < kOnesweepBits.front()) {
    return "the look-back of form=onesweep needs a digit for each of a warp's 32 lanes: digit_bits must be 5 to 8";
  }
  if (form == Form::two_read && digit_bits > kTwoReadBits.back()) {
    return "counts of 8 bits exceed a block's shared memory in form=two_read: digit_bits must be 4 to 7";
  }
  return std::nullopt;
}

/// Block shape of the older form, from CUB's policy for compute capability 8.0, the last that it tuned.
struct Sweep {
  int threads;
  int words;  ///< 4-byte words per thread
  constexpr int items(std::size_t bytes) const { return words * 4 / static_cast<int>(bytes); }
  /// Number of elements whose wider part, key or value, has `bytes` bytes.
  constexpr int tile(std::size_t bytes) const { return threads * items(bytes); }
};
inline constexpr Sweep kDownsweep{.threads = 512, .words = 23};
inline constexpr Sweep kUpsweep{.threads = 256, .words = 23};
inline constexpr Sweep kAlternateDownsweep{.threads = 256, .words = 47};  ///< for digits one bit narrower
inline constexpr Sweep kAlternateUpsweep{.threads = 256, .words = 47};
inline constexpr Sweep kSingleTile{.threads = 256, .words = 19};

inline constexpr int kCounterBytes = 8;
/// Counters scanned by one block at a time
inline constexpr int kScanTile = Sweep{.threads = 512, .words = 23}.tile(kCounterBytes);
inline constexpr int kMaxBlocks = 5;  ///< maximum blocks per multiprocessor: five times the one resident block

/// Passes of the older form. If digits do not divide the key's bits, the first passes are one bit narrower, by the
/// alternate kernels.
struct TwoReads {
  int key_bits;
  int digit_bits;
  constexpr int passes() const { return (key_bits + digit_bits - 1) / digit_bits; }
  constexpr bool alternate(int pass) const { return pass < passes() * digit_bits - key_bits; }
  constexpr int bits(int pass) const { return digit_bits - (alternate(pass) ? 1 : 0); }
};

}  // namespace sortlab::cub_lsd
