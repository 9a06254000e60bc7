// The seeds of a cell's inputs: each sample sorts an input of its own, which a record's reader can make again.
#pragma once

#include <cstdint>

namespace sortlab {

/// Numbers of a block's inputs. Sample s sorts the inputs from s * kInputsPerSample on, several if it is a batch.
inline constexpr std::uint64_t kInputsPerSample = 1024;
/// Inputs that warm-up sorts and priming sorts use begin here, and are never timed.
inline constexpr std::uint64_t kUntimedInputs = std::uint64_t{1} << 40;

/// The seed of a cell's input `number`: the cell's own for number 0, else a hash of both (SplitMix64, Steele, Lea and
/// Flood, OOPSLA 2014), below 2^53 so that every JSON reader keeps it.
constexpr std::uint64_t input_seed(std::uint64_t cell_seed, std::uint64_t number) {
  if (number == 0) return cell_seed;
  std::uint64_t z = cell_seed + number * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (z ^ (z >> 31)) >> 11;
}

}  // namespace sortlab
