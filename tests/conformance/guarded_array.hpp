// Memory that detects out-of-bounds accesses by guard pages, or by marked bytes that must not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace sortlab {

enum class Placement : std::uint8_t {
  after_start,  ///< one element after the guard page in front, so aligned to the element and to nothing else
  at_end,       ///< the last element touches the guard page behind
};

/// Holds one array at a time, of any size up to a capacity, between two guard pages.
class GuardedArray {
 public:
  /// Allocates the memory. Throws std::bad_alloc.
  explicit GuardedArray(std::size_t capacity_bytes);
  GuardedArray(const GuardedArray&) = delete;
  GuardedArray& operator=(const GuardedArray&) = delete;
  ~GuardedArray();

  /// Replaces the previous array by one of `count` elements of `element_bytes` with marked bytes around it. Throws
  /// std::bad_alloc if it does not fit.
  void* place(std::size_t count, std::size_t element_bytes, Placement placement);

  /// The error for the last array: "3 bytes before the array were overwritten", or an empty string.
  std::string trespass() const;

 private:
  std::span<std::byte> before() const;
  std::span<std::byte> behind() const;

  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::byte* begin_ = nullptr;  ///< begin of the accessible bytes
  std::byte* end_ = nullptr;
  std::byte* array_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace sortlab
