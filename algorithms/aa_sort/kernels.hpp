// AA-sort's vector kernels: the in-core sort of a block and the merge of two sorted runs. One set of functions for each
// instruction set and type of lane, chosen when a sorter is made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/common/host/highway_targets.hpp"

namespace sortlab::aa {

/// Lanes as vectors compare them. Floats are mapped to signed integers.
enum class Lane : std::uint8_t { u32, i32, u64, i64 };

/// Bytes that a block's vectors must be aligned to, and by which its memory must be longer than its keys.
inline constexpr std::size_t kVectorBytes = 64;

struct Kernels {
  /// Sorts n keys to `out`, which may be `in`. `block` has room for them and a vector more.
  void (*sort_block)(const void* in, std::size_t n, void* block, void* out) = nullptr;
  /// Merges two sorted runs.
  void (*merge)(const void* a, std::size_t a_count, const void* b, std::size_t b_count, void* out) = nullptr;
  /// Floats to integers of the same order, and back, in place: its own inverse.
  void (*map)(void* keys, std::size_t n) = nullptr;
};

/// The widths of vectors, and `portable`: the build's baseline.
const HighwayTargets& widths();
/// `target`: the bit of one that runs here.
Kernels kernels_for(std::int64_t target, Lane lane);

}  // namespace sortlab::aa
