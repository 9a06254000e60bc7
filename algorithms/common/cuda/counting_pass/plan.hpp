// Plan of the passes that both of Ha's sorts run, read by them and their models: digits, tiles and counters.
//
// The namespace is named after Ha, Krueger and Silva, whose pass this is. It lies here since several sorts run it.
#pragma once

#include <array>
#include <cstdint>

#include "core/choice.hpp"
#include "core/lsd_digits.hpp"

namespace sortlab::ha {

inline constexpr int kSplitBits = 2;     ///< bits of a split; a pass consists of one split or several
inline constexpr int kCounterBytes = 4;  ///< bytes of a counter per digit and tile
inline constexpr int kOffsetBytes = 8;   ///< bytes of its prefix sum

/// Threads of a block, which orders a tile, and elements of each thread.
struct TileSize {
  int threads;
  int items;
  constexpr int elements() const { return threads * items; }
};
inline constexpr TileSize kPaperTile{.threads = 256, .items = 4};
/// A tile of the same block whose threads hold more elements
constexpr TileSize wide_tile(int items) {
  return {.threads = kPaperTile.threads, .items = items};
}

/// Stored: pre-sorted tiles pass through memory before the shuffle (as printed). Recomputed: the shuffling kernel sorts
/// them, after one that only counts.
enum class Presort : std::uint8_t { stored, recomputed };
inline constexpr std::array kPresorts{Choice<Presort>{"stored", Presort::stored},
                                      Choice<Presort>{"recomputed", Presort::recomputed}};

/// Output of a middle pass: pairs, or separate arrays of keys and values
enum class Scatter : std::uint8_t { aos, soa };
inline constexpr std::array kScatters{Choice<Scatter>{"aos", Scatter::aos}, Choice<Scatter>{"soa", Scatter::soa}};

/// Digits of keys that are sorted by their `bits` lowest bits.
constexpr LsdDigits lsd_digits(int bits, int digit_bits) {
  return {bits, digit_bits};
}

}  // namespace sortlab::ha
