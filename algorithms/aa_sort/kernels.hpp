// AA-sort's vector kernels: the in-core sort of a block and the merge of two sorted runs. One set of functions for each
// instruction set and type of lane, chosen when a sorter is made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/common/host/highway_targets.hpp"

namespace sortlab::aa {

/// Lane types that vectors compare. Floats are mapped to signed integers.
enum class Lane : std::uint8_t { u32, i32, u64, i64 };

/// Alignment of a block's vectors in bytes. A block's memory is also longer than its keys by this.
inline constexpr std::size_t kVectorBytes = 64;

struct Kernels {
  /// Sorts n keys into `out`, which may be `in`. `block` has room for n keys and one more vector.
  void (*sort_block)(const void* in, std::size_t n, void* block, void* out) = nullptr;
  /// Merges two sorted runs.
  void (*merge)(const void* a, std::size_t a_count, const void* b, std::size_t b_count, void* out) = nullptr;
  /// Maps floats in place to integers of the same order, or back: the map is its own inverse.
  void (*map)(void* keys, std::size_t n) = nullptr;
};

/// Instruction sets by vector width, and `portable`, the build's baseline.
const HighwayTargets& widths();
/// Returns the kernels for `target`, the bit of an instruction set that runs here.
Kernels kernels_for(std::int64_t target, Lane lane);

}  // namespace sortlab::aa
