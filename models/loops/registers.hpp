// Registers of the instruction sets that parameters name, and Highway's names of these, which end those of the compiled
// loops.
#pragma once

#include <string_view>

namespace sortlab {

/// `portable` and `scalar` have no vectors: a register holds one element.
constexpr bool has_vectors(std::string_view instructions) {
  return instructions != "portable" && instructions != "scalar" && instructions != "SCALAR";
}

/// Bytes of a register: of 512 bits, of 256, of 128 of all other vectors, or one element of `lane` bytes.
constexpr std::size_t register_bytes(std::string_view instructions, std::size_t lane) {
  if (!has_vectors(instructions)) return lane;
  if (instructions == "avx512" || instructions.starts_with("AVX3")) return 64;
  return instructions == "avx2" || instructions == "AVX2" ? 32 : 16;
}

/// Highway's name of an instruction set that a parameter names by its width.
constexpr std::string_view target_name(std::string_view width) {
  if (!has_vectors(width)) return "SCALAR";
  return width == "avx512" ? "AVX3" : width == "avx2" ? "AVX2" : "SSE4";
}

}  // namespace sortlab
