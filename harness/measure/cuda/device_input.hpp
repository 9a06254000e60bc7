// The inputs of a block on a device: made afresh for each sample, and copied before every sort.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/cuda/device_memory.hpp"
#include "harness/cell/case.hpp"
#include "harness/measure/cuda/guarded_device_memory.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {

class DeviceInput {
 public:
  /// Makes the input of `c` on the current device, with keys and values apart. Throws std::bad_alloc and DeviceError.
  DeviceInput(const Case& c, void* stream);

  /// Makes the input with this number (input_seed.hpp) the current one; waits until it is there.
  void make(std::uint64_t number);

  /// Queues a fresh copy in the arrays to sort, or in one array of pairs. Waits only where these are not yet allocated.
  Buffers restore(Layout layout = Layout::separate);

  /// Queues other bytes for the arrays to sort, which a sort that begins too early finds there.
  void spoil();

  /// The first place outside the restored arrays that was written to, in words, or nothing. Waits for the stream.
  std::optional<std::string> damage() const;
  /// True if the current input is still what make() made.
  bool is_intact();

  const InputDigest& digest() const { return digest_; }
  std::uint64_t seed() const { return input_.seed; }
  std::optional<double> entropy_bits() const { return entropy_bits_; }

 private:
  Buffers restore_pairs();
  cudaStream_t stream() const { return static_cast<cudaStream_t>(stream_); }

  Case case_;
  Input input_;
  std::uint64_t n_;
  KeyType key_;
  ValueType value_;
  void* stream_;
  std::optional<std::uint64_t> number_;  ///< the current input's number
  DeviceMemory keys_;                    ///< the input, kept
  GuardedDeviceMemory sorted_;
  GuardedDeviceMemory values_;
  GuardedDeviceMemory pairs_;  ///< none until a sort asks for them
  std::optional<double> entropy_bits_;
  InputDigest digest_;
};

}  // namespace sortlab
