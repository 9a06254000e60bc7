// The registers of the instruction sets that parameters name.
#pragma once

#include <string_view>

namespace sortlab {

/// Bytes of a register: of 512 bits, of 256, or of 128 of all others.
constexpr std::size_t register_bytes(std::string_view instructions) {
  return instructions == "avx512" ? 64 : instructions == "avx2" ? 32 : 16;
}

}  // namespace sortlab
