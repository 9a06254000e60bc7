// Plan of the sort, read by the sort and its model: the settings that have kernels, tiles and shared memory of a block,
// and the digits and counters of a pass.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/choice.hpp"

namespace sortlab::multisplit {

inline constexpr int kWarp = 32;
inline constexpr int kMaxThreads = 512;  ///< maximum threads of a block
inline constexpr int kMaxDigitBits = 8;  ///< maximum width of a digit: 256 buckets
inline constexpr int kMaxWarpBits = 5;   ///< maximum width with level=warp: one of 32 lanes per bucket
inline constexpr int kCounterBytes = 4;  ///< bytes of a counter per bucket and tile
inline constexpr int kOffsetBytes = 8;   ///< bytes of its prefix sum
/// Maximum shared memory of a block, in bytes, for compute capability 9.0
inline constexpr int kSharedMemory = 232448;

/// Unit that counts a tile, orders it by bucket and writes it.
enum class Level : std::uint8_t {
  warp,   ///< each warp processes a tile of its own
  block,  ///< all warps of a block share a tile
};
inline constexpr std::array kLevels{Choice<Level>{"block", Level::block}, Choice<Level>{"warp", Level::warp}};

/// Location of a warp's counters.
enum class Counters : std::uint8_t {
  lanes,   ///< the paper's: in registers, a lane for every 32nd bucket
  shared,  ///< in shared memory
};
inline constexpr std::array kCounters{Choice<Counters>{"shared", Counters::shared},
                                      Choice<Counters>{"lanes", Counters::lanes}};

/// Elements per thread that have kernels.
inline constexpr std::array kItemsOfLanes{4};
inline constexpr std::array kItemsOfShared{12, 16};
constexpr std::span<const int> compiled_items(Counters counters) {
  if (counters == Counters::lanes) return kItemsOfLanes;
  return kItemsOfShared;
}

/// Threads per block that have kernels; at least 256, so that each bucket has one.
inline constexpr std::array kThreadsOfLanes{256};
inline constexpr std::array kThreadsOfShared{256, 384};
constexpr std::span<const int> compiled_threads(Counters counters) {
  if (counters == Counters::lanes) return kThreadsOfLanes;
  return kThreadsOfShared;
}

struct Shape {
  Level level;
  Counters counters;
  int threads;  ///< threads of a block
  int items;    ///< elements per thread

  constexpr int warps() const { return threads / kWarp; }
  constexpr std::uint32_t tile() const {
    return static_cast<std::uint32_t>((level == Level::warp ? kWarp : threads) * items);
  }
  constexpr std::uint32_t tiles_per_block() const {
    return level == Level::warp ? static_cast<std::uint32_t>(warps()) : 1;
  }
  constexpr std::uint32_t blocks(std::uint64_t tiles) const {
    return static_cast<std::uint32_t>((tiles + tiles_per_block() - 1) / tiles_per_block());
  }
  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

/// The preset `paper`: shape of the authors' released code for buckets of 6 to 8 bits, and for all pairs.
inline constexpr Shape kPaper{.level = Level::block, .counters = Counters::lanes, .threads = 256, .items = 4};
inline constexpr int kPaperBits = 7;
/// The same with level=warp, for up to 32 buckets.
inline constexpr Shape kPaperWarp{.level = Level::warp, .counters = Counters::lanes, .threads = 256, .items = 4};

/// Shape of items=auto and threads=auto: the fastest one with kernels on an H200.
inline constexpr Shape kTuned{.level = Level::block, .counters = Counters::shared, .threads = 384, .items = 16};

/// The reason a setting has no kernels, or nullopt.
inline std::optional<std::string> declines(const Shape& shape, int digit_bits) {
  if (shape.level == Level::warp && shape.counters == Counters::shared) {
    return "level=warp counts in lanes: counters must be lanes";
  }
  if (shape.level == Level::warp && digit_bits > kMaxWarpBits) {
    return "digit_bits must be at most " + std::to_string(kMaxWarpBits) +
           " with level=warp, where each bucket has one of 32 lanes";
  }
  const auto is_in = [](std::span<const int> table, int number) {
    return std::find(table.begin(), table.end(), number) != table.end();
  };
  const std::string with = shape.counters == Counters::lanes ? " with counters=lanes" : " with counters=shared";
  const std::span<const int> items = compiled_items(shape.counters), threads = compiled_threads(shape.counters);
  if (!is_in(items, shape.items)) return "items must be " + listed(items) + with;
  if (!is_in(threads, shape.threads)) return "threads must be " + listed(threads) + with;
  return std::nullopt;
}

/// Digits from the lowest bit on, all of one width except the first, which takes the remainder: in the authors'
/// released code one of 4 and four of 7 bits.
struct Digits {
  int key_bits;
  int digit_bits;

  constexpr int passes() const { return (key_bits + digit_bits - 1) / digit_bits; }
  constexpr int bits(int pass) const { return pass == 0 ? key_bits - (passes() - 1) * digit_bits : digit_bits; }
  constexpr int shift(int pass) const { return pass == 0 ? 0 : bits(0) + (pass - 1) * digit_bits; }
};

/// Compiled kernels: buckets per lane for counters=lanes, ballots per row of 32 elements for counters=shared, and the
/// choice for `bits` bits.
inline constexpr std::array kBucketsPerLane{1, 4, 8};
inline constexpr std::array kBallots{4, 8};
constexpr int buckets_a_lane(int bits) {
  return bits <= 5 ? 1 : bits <= 7 ? 4 : 8;
}
constexpr int ballots(int bits) {
  return bits <= 4 ? 4 : 8;
}

/// Shapes that calibration measures and the model covers: the presets, with the digits of their passes. Calls `f(shape,
/// bits)` for each.
template <class F>
void for_calibrated(std::uint32_t key_bytes, const F& f) {
  const auto all_passes = [&](const Shape& shape, int digit_bits) {
    const Digits digits{.key_bits = 8 * static_cast<int>(key_bytes), .digit_bits = digit_bits};
    f(shape, digits.bits(0));
    if (digit_bits != digits.bits(0)) f(shape, digit_bits);
  };
  all_passes(kTuned, kMaxDigitBits);
  all_passes(kPaper, kPaperBits);
  all_passes(kPaperWarp, kMaxWarpBits);
}

/// Shared memory, in bytes, of a block that writes tiles: the elements in bucket order, the destination of each bucket,
/// and, if a block has one tile, each warp's counts of each bucket, and sums over warps.
constexpr std::uint32_t scatter_bytes(const Shape& shape, int bits, std::uint32_t element_bytes) {
  const auto warps = static_cast<std::uint32_t>(shape.warps());
  const std::uint32_t elements = shape.tile() * shape.tiles_per_block() * element_bytes;
  if (shape.level == Level::warp) return elements;
  return elements + (std::uint32_t{kOffsetBytes} << bits) + ((warps * kCounterBytes) << bits) + warps * kCounterBytes;
}
/// Shared memory, in bytes, of a block that counts.
constexpr std::uint32_t histogram_bytes(const Shape& shape, int bits) {
  if (shape.level == Level::warp) return 0;
  const int histograms = shape.counters == Counters::lanes ? shape.warps() : 1;
  return static_cast<std::uint32_t>(histograms * kCounterBytes) << bits;
}

/// Bytes of keys that a thread of the histogram loads at a time, with counters=shared; and its number of dependent
/// loads.
inline constexpr int kHistogramBytes = 64;
constexpr int histogram_batches(const Shape& shape, int key_bytes) {
  if (shape.counters == Counters::lanes) return 1;
  return (shape.items * key_bytes + kHistogramBytes - 1) / kHistogramBytes;
}

}  // namespace sortlab::multisplit
