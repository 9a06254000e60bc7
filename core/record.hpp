// Records of variable length: what a string sort orders and moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sortlab {

/// Where a record lies in an array of bytes: its key from `offset` on, and its payload right after it.
struct Record {
  std::uint64_t offset = 0;
  std::uint32_t key_bytes = 0;
  std::uint32_t payload_bytes = 0;

  std::uint64_t bytes() const { return std::uint64_t{key_bytes} + payload_bytes; }
};
static_assert(sizeof(Record) == 16);

/// The order of keys: byte by byte as unsigned numbers, and of two that agree as far as both go the shorter first.
/// Negative, 0 or positive. Both are known to agree in their first `skip` bytes, and are no shorter.
inline int compare_keys(const Record& a, const std::uint8_t* bytes_a, const Record& b, const std::uint8_t* bytes_b,
                        std::uint64_t skip = 0) {
  const std::uint32_t common = std::min(a.key_bytes, b.key_bytes);
  if (common > skip) {
    const int order = std::memcmp(bytes_a + a.offset + skip, bytes_b + b.offset + skip, common - skip);
    if (order != 0) return order;
  }
  return (a.key_bytes > b.key_bytes) - (a.key_bytes < b.key_bytes);
}

}  // namespace sortlab
