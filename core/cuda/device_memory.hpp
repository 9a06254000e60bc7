// Owned device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/cuda/check.hpp"

namespace sortlab {

class DeviceMemory {
 public:
  DeviceMemory() = default;
  /// Allocates `bytes` bytes on the current device, aligned to 256; nothing for 0. Throws std::bad_alloc.
  explicit DeviceMemory(std::size_t bytes) : size_(bytes) {
    if (bytes > 0) check(cudaMalloc(&data_, bytes));
  }
  DeviceMemory(DeviceMemory&& other) noexcept { swap(other); }
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceMemory() { cudaFree(data_); }  // an error here comes from earlier work; the next check reports it

  template <class T = std::byte>
  T* data() const {
    return static_cast<T*>(data_);
  }
  std::size_t size() const { return size_; }

 private:
  void swap(DeviceMemory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace sortlab
