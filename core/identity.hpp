// Short names derived from content: the same on every machine and in every build.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sortlab {

/// XXH3 (64 bits, seed 0) of the bytes of `text`.
std::uint64_t text_hash(std::string_view text);

/// text_hash(text) as 16 hexadecimal digits.
std::string digest_of_text(std::string_view text);

}  // namespace sortlab
