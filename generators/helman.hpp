// The common part of Helman, Bader and JáJá's inputs: p processors and keys below 2^31.
//
// The rules are those of the authors' own generators (PSort, i_benchmarks.sc). If later papers differ or leave
// something open, we use these. Processor i of p holds elements [floor(i*n/p), floor((i+1)*n/p)), and runs within a
// processor are divided in the same way. Range j of p is [floor(j*2^b/p), floor((j+1)*2^b/p)), also for a p that is no
// power of two (Leischner et al. use p = 240). b is range_bits for 32-bit keys. For wider keys, `wide` says if the
// range grows with the key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "generators/distribution.hpp"
#include "generators/key_space.hpp"

namespace sortlab::helman {

/// The option `p`: number of processors.
Parameter processors_parameter();
/// The option `range_bits` of 32-bit keys: 31 as in the authors' code, or 32.
Parameter range_bits_parameter(std::int64_t standard);
/// The option `wide`, `scaled` or `low`: meaning of range_bits for keys of more than 32 bits.
Parameter wide_parameter();

/// Bits of the range of ranks: range_bits, or with wide=scaled the width of the key less as many bits as 32-bit keys
/// leave unused.
int range_bits(const Input& input);
inline KeySpace key_space(const Input& input) {
  return {.range_bits = range_bits(input)};
}

inline std::uint64_t processors(const Input& input) {
  return static_cast<std::uint64_t>(input.parameters.integer("p"));
}

/// The reason n elements are fewer than `needed`, the value of `formula`, or nullopt. An empty input is always allowed.
std::optional<std::string> too_few(const Input& input, uint128 needed, const char* formula);
/// The reason the range is too small to divide among p processors, or nullopt.
std::optional<std::string> too_narrow(const Input& input);

}  // namespace sortlab::helman
