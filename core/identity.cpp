#include "core/identity.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sortlab {

std::uint64_t text_hash(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

std::string digest_of_text(std::string_view text) {
  return fmt::format("{:016x}", text_hash(text));
}

}  // namespace sortlab
