// Timing of the tile primitives (MB8) of our radix sorts, by the sorts' own kernels. Their memory is a parameter
// (register_memory.cuh), so that threads, registers, shared memory and code are those of the sort.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {

/// A kernel of a sort with elements from registers.
struct RadixTiles {
  std::string name;        ///< name of its tables, "tile.<name>" and "alone.<name>"
  std::vector<double> at;  ///< arguments except the entropy
  int digit_bits = 0;      ///< digit width of the pass if its entropy is the last argument; otherwise 0
  unsigned threads;        ///< per block
  std::uint32_t elements;  ///< per block
  int element_bytes;       ///< bytes of key and value
  /// Launches block_count(bench) x `times` blocks, with digits of `entropy` bits of entropy, or none if digit_bits is
  /// 0.
  std::function<void(cudaStream_t stream, unsigned times, int entropy)> launch;
};

/// Number of blocks with distinct elements; other blocks repeat them. It divides the number of multiprocessors, and is
/// small, so that a block's counters are in the L1 cache.
unsigned block_count(const DeviceBench& bench);

/// Declares the two tables of a primitive: steady state, and one block per multiprocessor.
void declare_radix_tiles(Rounds& rounds, const std::string& name, const std::string& what,
                         std::vector<std::string> arguments, bool has_entropy);

/// Adds their points. Launches each kernel once first, which loads it.
void add_radix_tiles(Rounds& rounds, DeviceBench& bench, const RadixTiles& tiles);

}  // namespace sortlab::calibration
