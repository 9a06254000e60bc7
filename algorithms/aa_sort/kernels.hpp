// What AA-sort does in vectors: the in-core sort of a block and the merge of two sorted runs. One set of functions for
// each instruction set and type of lane, chosen when a sorter is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sortlab::aa {

/// Keys as vectors compare them. Floats are mapped to signed integers.
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

/// `width`: portable, sse4, avx2 or avx512. Whether this build and this processor have it.
bool runs_here(std::string_view width);
/// The widest that runs here.
std::string_view widest();
/// Throws std::invalid_argument for a width that does not run here.
Kernels kernels_for(std::string_view width, Lane lane);

}  // namespace sortlab::aa
