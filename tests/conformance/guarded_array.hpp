// Memory that detects out-of-bounds accesses: by a fault on a guard page, or by bytes that must keep their value.
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

/// One array at a time, of any size up to a capacity, between two guard pages.
class GuardedArray {
 public:
  /// Throws std::bad_alloc.
  explicit GuardedArray(std::size_t capacity_bytes);
  GuardedArray(const GuardedArray&) = delete;
  GuardedArray& operator=(const GuardedArray&) = delete;
  ~GuardedArray();

  /// Replaces the previous array by one of `count` elements of `element_bytes` with marked bytes around it. Throws
  /// std::bad_alloc if it does not fit.
  void* place(std::size_t count, std::size_t element_bytes, Placement placement);

  /// "3 bytes before the array were overwritten", or empty. For the last array placed.
  std::string trespass() const;

 private:
  std::span<std::byte> before() const;
  std::span<std::byte> behind() const;

  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::byte* begin_ = nullptr;  ///< of the accessible bytes
  std::byte* end_ = nullptr;
  std::byte* array_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace sortlab
