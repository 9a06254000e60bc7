// Plan of the sort, read by the sort and its model: slices of about 50 keys, and the packing of slices into buckets.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

namespace sortlab::bbsort {

inline constexpr std::uint64_t kSliceKeys = 50;  ///< keys per slice if keys are uniform
inline constexpr int kMinBucket = 128;
inline constexpr int kMaxBucket = 1024;
inline constexpr std::uint32_t kThreads = 256;  ///< threads of a block that counts or scatters, one element each

/// The reason a setting cannot be launched, or nullopt.
inline std::optional<std::string> declines(std::uint64_t n, std::int64_t bucket) {
  if (!std::has_single_bit(static_cast<std::uint64_t>(bucket))) return "bucket must be a power of two";
  if (n >> 32 != 0) return "counts in 32 bits, as the released code: fewer than 2^32 elements";
  return std::nullopt;
}

/// Number of slices of a range of n keys: a slice is 50 (max - min) / n wide.
constexpr std::uint32_t slice_count(std::uint64_t n) {
  return static_cast<std::uint32_t>(n / kSliceKeys + 1);
}

/// Threads of a block that sorts a bucket.
constexpr std::uint32_t bucket_threads(std::uint32_t bucket) {
  return bucket / 2;
}

/// Neighbouring elements of a range.
struct Bucket {
  std::uint32_t begin;
  std::uint32_t count;
};

/// Packs slices on the host: traverses the slices' counts in order, calls `start(slice, elements before it)`, and packs
/// neighbouring slices into buckets of at most `bucket` elements, `packed(Bucket)`; a single larger slice is
/// `oversized(Bucket)`. No bucket is empty.
template <class Start, class Packed, class Oversized>
void pack(const std::uint32_t* counts, std::uint32_t slices, std::uint32_t bucket, const Start& start,
          const Packed& packed, const Oversized& oversized) {
  Bucket open{0, 0};
  const auto close = [&] {
    if (open.count > 0) packed(open);
    open = {open.begin + open.count, 0};
  };
  for (std::uint32_t slice = 0; slice < slices; ++slice) {
    const std::uint32_t count = counts[slice];
    start(slice, open.begin + open.count);
    if (count > bucket) {
      close();
      oversized(Bucket{open.begin, count});
      open.begin += count;
      continue;
    }
    if (open.count + count > bucket) close();
    open.count += count;
  }
  close();
}

}  // namespace sortlab::bbsort
