// The inputs of a block whose arrays lie in shards on several devices: made afresh for each sample, and copied before
// every sort.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cuda/device_memory.hpp"
#include "harness/cell/case.hpp"
#include "harness/measure/cuda/guarded_device_memory.hpp"
#include "harness/measure/cuda/lanes.hpp"
#include "harness/verify/verification.hpp"

namespace sortlab {

class ShardsInput {
 public:
  /// Throws std::bad_alloc and DeviceError.
  ShardsInput(const Case& c, const Lanes& lanes);

  /// Makes the input with this number (input_seed.hpp) the current one: on the first device, with room for all of it
  /// there, from where each shard is copied to its own. Waits until it is there.
  void make(std::uint64_t number);

  /// Queues a fresh copy in the arrays to sort of each lane, whose values are positions in the whole input.
  Buffers restore();
  /// The first place outside the restored arrays that was written to, in words, or nothing. Waits for the lanes.
  std::optional<std::string> damage() const;
  /// True if the current input is still what make() made.
  bool is_intact();

  const InputDigest& digest() const { return digest_; }
  std::uint64_t seed() const { return input_.seed; }
  std::optional<double> entropy_bits() const { return entropy_bits_; }

 private:
  struct Shard {
    std::uint64_t begin = 0;  ///< its first element's position in the input
    std::uint64_t count = 0;
    DeviceMemory keys;  ///< the input, kept
    GuardedDeviceMemory sorted;
    GuardedDeviceMemory values;
  };

  Case case_;
  Input input_;
  const Lanes& lanes_;
  std::vector<Shard> shards_;
  std::vector<Buffers> buffers_;
  std::optional<std::uint64_t> number_;  ///< the current input's number
  std::optional<double> entropy_bits_;
  InputDigest digest_;
};

}  // namespace sortlab
