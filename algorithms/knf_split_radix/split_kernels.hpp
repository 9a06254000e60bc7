// The vector kernels that sort a tile: the 1-bit split, and the copy of a run. One set of functions for each
// instruction set that Highway compiles, chosen when a sorter is made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/common/host/highway_targets.hpp"

namespace sortlab::knf {

/// How a vector's selected lanes are compressed: in a register, which is then stored whole, or by a compressing store.
enum class CompressForm : std::uint8_t { in_register, memory };

/// Conversion of keys while copied: none, floats to ordered words, ordered words to floats.
enum class KeyMap : std::uint8_t { none, enter, leave };

/// Where the next element of one side of a split goes.
struct Side {
  void* keys = nullptr;
  void* values = nullptr;  ///< null without values
};

/// Bytes behind each side of a split that may be overwritten: those of the widest vector.
inline constexpr std::size_t kPadBytes = 256;

struct Kernels {
  /// Appends each of the n elements to `zeros` or `ones` by its key's bit, in order, and advances these.
  void (*split)(const void* keys, const void* values, std::size_t n, int bit, Side& zeros, Side& ones) = nullptr;
  /// Copies n keys or values. streaming: full cache lines of `to` by non-temporal stores.
  void (*copy_keys)(const void* from, void* to, std::size_t n, KeyMap map, bool streaming) = nullptr;
  void (*copy_values)(const void* from, void* to, std::size_t n, KeyMap map, bool streaming) = nullptr;
};

const HighwayTargets& targets();

/// `target`: the bit of one that runs here. For keys of 4 or 8 bytes with values of 0, 4 or 8.
Kernels kernels_for(std::int64_t target, CompressForm form, std::size_t key_bytes, std::size_t value_bytes);

}  // namespace sortlab::knf
