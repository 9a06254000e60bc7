// How the tile primitives (MB8) of our radix sorts are timed: by the sorts' own kernels, whose memory is a parameter
// (register_memory.cuh), so that threads, registers, shared memory and code are those of the sort.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {

/// A kernel of a sort with elements from registers.
struct RadixTiles {
  std::string name;        ///< of its tables, "tile.<name>" and "alone.<name>"
  std::vector<double> at;  ///< the arguments but the entropy
  int digit_bits = 0;      ///< of the pass, where its entropy is an argument, the last; else 0
  unsigned threads;        ///< of a block
  std::uint32_t elements;  ///< of a block
  int element_bytes;       ///< of key and value
  /// Launches block_count(bench) x `times` blocks, with a digit of that many bits of entropy, none if digit_bits is 0.
  std::function<void(cudaStream_t stream, unsigned times, int entropy)> launch;
};

/// Blocks with distinct elements; others repeat them. They divide the number of multiprocessors, and are few, so that a
/// block's counters are in the first-level cache.
unsigned block_count(const DeviceBench& bench);

/// Declares the two tables of a primitive: steady state, and a block alone on each multiprocessor.
void declare_radix_tiles(Rounds& rounds, const std::string& name, const std::string& what,
                         std::vector<std::string> arguments, bool has_entropy);

/// Adds their points. Launches each once, so that the kernels are loaded.
void add_radix_tiles(Rounds& rounds, DeviceBench& bench, const RadixTiles& tiles);

}  // namespace sortlab::calibration
