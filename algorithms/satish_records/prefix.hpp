// The next bytes of a key as a word of the same order, for a radix sort.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/key_types.hpp"

namespace sortlab::satish {

template <class Word>
Word with_bytes_reversed(Word word) {
  if constexpr (sizeof(Word) == 4) return __builtin_bswap32(word);
  if constexpr (sizeof(Word) == 8) return __builtin_bswap64(word);
  if constexpr (sizeof(Word) == 16) {
    return uint128{__builtin_bswap64(static_cast<std::uint64_t>(word))} << 64 |
           __builtin_bswap64(static_cast<std::uint64_t>(word >> 64));
  }
}

/// Loads the first `bytes` bytes as a big-endian number, padded with zeros.
template <class Word>
Word load_prefix(const std::uint8_t* from, std::uint64_t bytes) {
  static_assert(std::endian::native == std::endian::little);
  Word word = 0;
  if (bytes >= sizeof(Word)) {
    std::memcpy(&word, from, sizeof(Word));
  } else if (bytes != 0) {
    std::memcpy(&word, from, bytes);
  }
  return with_bytes_reversed(word);
}

}  // namespace sortlab::satish
