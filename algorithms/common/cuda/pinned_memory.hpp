// Owned page-locked host memory, for exchange between device and host during a sort.
#pragma once

#include <cstddef>
#include <utility>

#include "core/cuda/check.hpp"

namespace sortlab {

template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  /// Throws std::bad_alloc.
  explicit PinnedArray(std::size_t count) : count_(count) {
    if (count > 0) check(cudaHostAlloc(reinterpret_cast<void**>(&data_), count * sizeof(T), cudaHostAllocDefault));
  }
  PinnedArray(PinnedArray&& other) noexcept { swap(other); }
  PinnedArray& operator=(PinnedArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PinnedArray() {
    if (data_ != nullptr) cudaFreeHost(data_);  // an error here comes from earlier work; the next check reports it
  }

  T* data() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  void swap(PinnedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace sortlab
