// Device memory between guard zones: a sort that writes outside the arrays that it is given is found out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/cuda/device_memory.hpp"
#include "core/cuda/stream.hpp"

namespace sortlab {

class GuardedDeviceMemory {
 public:
  GuardedDeviceMemory() = default;
  /// `bytes` bytes on the current device, aligned to 256, between zones of known bytes. Throws std::bad_alloc.
  explicit GuardedDeviceMemory(std::uint64_t bytes);

  template <class T = std::byte>
  T* data() const {
    return static_cast<T*>(static_cast<void*>(memory_.data() + (memory_.size() > 0 ? kZone : 0)));
  }
  std::uint64_t size() const { return bytes_; }

  /// Waits for `stream`. Returns how far from the array something was written, in words, or nothing.
  std::optional<std::string> damage(cudaStream_t stream) const;

 private:
  static constexpr std::uint64_t kZone = std::uint64_t{1} << 20;  ///< bytes on either side

  std::uint64_t bytes_ = 0;
  DeviceMemory memory_;
};

}  // namespace sortlab
