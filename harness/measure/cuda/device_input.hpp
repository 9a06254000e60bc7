// The input of a block on a device: made once, kept unchanged, and copied anew before every sort.
#pragma once

#include <optional>

#include "core/cuda/device_memory.hpp"
#include "harness/cell/case.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {

class DeviceInput {
 public:
  /// Makes the input of `c` on the current device, with keys and values apart. Throws std::bad_alloc and DeviceError.
  DeviceInput(const Case& c, void* stream);

  /// Copies the input anew to the arrays to sort, or to one array of pairs. Complete once the stream is done.
  Buffers restore(Layout layout = Layout::separate);

  const InputDigest& digest() const { return digest_; }
  std::optional<double> entropy_bits() const { return entropy_bits_; }

 private:
  Buffers restore_pairs();

  std::uint64_t n_;
  KeyType key_;
  ValueType value_;
  void* stream_;
  DeviceMemory keys_;  ///< the unchanged input
  DeviceMemory sorted_;
  DeviceMemory values_;
  DeviceMemory pairs_;  ///< empty until a sort needs pairs
  std::optional<double> entropy_bits_;
  InputDigest digest_;
};

}  // namespace sortlab
