// Records of variable length, which a string sort orders and moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sortlab {

/// Place of a record in an array of bytes: its key begins at `offset`, and its payload follows the key.
struct Record {
  std::uint64_t offset = 0;
  std::uint32_t key_bytes = 0;
  std::uint32_t payload_bytes = 0;

  std::uint64_t bytes() const { return std::uint64_t{key_bytes} + payload_bytes; }
};
static_assert(sizeof(Record) == 16);

/// Compares two keys byte by byte as unsigned numbers; a prefix of a key comes before it. Returns a negative number, 0
/// or a positive number. Precondition: both have at least `skip` bytes and agree in them.
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
