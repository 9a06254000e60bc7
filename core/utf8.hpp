// Characters of UTF-8 in untrusted text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sortlab {

/// A character of a text.
struct Character {
  std::optional<std::uint32_t> code;  ///< nullopt if its byte is no UTF-8
  std::size_t bytes = 1;
};

/// First character of a text that is not empty. Overlong forms, surrogates and codes beyond U+10FFFF are no UTF-8.
inline Character decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = first & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t least[]{0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return {};
  return {code, bytes};
}

/// True for marks, embeddings, overrides and isolates of direction, separators of lines, and characters of no width.
constexpr bool is_unseen(std::uint32_t code) {
  return code == 0x61c || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

}  // namespace sortlab
