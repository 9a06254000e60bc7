// The vector kernels that sort a tile: the 1-bit split, and the copy of a run. One set of functions for each
// instruction set that Highway compiles, chosen when a sorter is made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/common/host/highway_targets.hpp"

namespace sortlab::knf {

/// Form of compressing a vector's selected lanes: in a register, which is then stored whole, or by a compressing store.
enum class CompressForm : std::uint8_t { in_register, memory };

/// Conversion of keys during a copy: none, floats to ordered words, or ordered words to floats.
enum class KeyMap : std::uint8_t { none, enter, leave };

/// Next output position of one side of a split.
struct Side {
  void* keys = nullptr;
  void* values = nullptr;  ///< null without values
};

/// Bytes after each side of a split that may be overwritten: the size of the widest vector.
inline constexpr std::size_t kPadBytes = 256;

struct Kernels {
  /// Appends each of the n elements to `zeros` or `ones` by its key's bit, in order. Advances both positions.
  void (*split)(const void* keys, const void* values, std::size_t n, int bit, Side& zeros, Side& ones) = nullptr;
  /// Copies n keys or values. streaming: writes full cache lines of `to` by non-temporal stores.
  void (*copy_keys)(const void* from, void* to, std::size_t n, KeyMap map, bool streaming) = nullptr;
  void (*copy_values)(const void* from, void* to, std::size_t n, KeyMap map, bool streaming) = nullptr;
};

const HighwayTargets& targets();

/// The kernels for keys of 4 or 8 bytes with values of 0, 4 or 8 bytes. `target`: bit of an instruction set that runs
/// here.
Kernels kernels_for(std::int64_t target, CompressForm form, std::size_t key_bytes, std::size_t value_bytes);

}  // namespace sortlab::knf
