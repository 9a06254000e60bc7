#include "core/sha256.hpp"

#include <nettle/sha2.h>

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "core/read_file.hpp"

namespace sortlab {

std::string sha256_hex(std::string_view text) {
  sha256_ctx state;
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_init(&state);
  sha256_update(&state, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
  sha256_digest(&state, digest.size(), digest.data());
  std::string digits;
  for (const std::uint8_t byte : digest) {
    digits += "0123456789abcdef"[byte >> 4];
    digits += "0123456789abcdef"[byte & 0xf];
  }
  return digits;
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const std::optional<std::string> bytes = read_file(path);
  if (!bytes) throw std::runtime_error(path.string() + ": cannot be read");
  return sha256_hex(*bytes);
}

}  // namespace sortlab
