// Memory for the arrays that a sort is given, between guard zones: a sort that writes outside its arrays is found out,
// and does no harm to the harness or to other sorts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sortlab {

/// A mapping that holds arrays one after the other. Zones of known bytes lie before, between and after them; pages that
/// fault when touched surround the whole.
class GuardedMemory {
 public:
  GuardedMemory() = default;
  GuardedMemory(GuardedMemory&& other) noexcept { swap(other); }
  GuardedMemory& operator=(GuardedMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GuardedMemory();

  /// Makes room for arrays of `bytes` bytes in total, touched, in huge pages where the kernel gives them. Keeps a
  /// larger mapping, and lets its remainder fault. Throws std::bad_alloc.
  void reserve(std::uint64_t bytes, int arrays = 1);

  /// Unmaps everything.
  void release();

  /// Removes all arrays. The next one begins `offset` bytes into a page, where `offset` is below kPage.
  void clear(std::uint64_t offset);

  /// Adds an array of `bytes` bytes at the next multiple of 64 bytes beyond a guard zone.
  std::byte* add(std::uint64_t bytes);

  /// Writes the guard zones, once all arrays are added.
  void paint();

  /// The first change of a guard zone in words ("4 bytes after the end of array 0"), or nothing.
  std::optional<std::string> damage() const;

  /// The share of its pages that are huge, when they were made; nothing where arrays are too small for such pages, or
  /// the system does not tell.
  std::optional<double> huge_page_share() const { return huge_page_share_; }

  /// True if `address` lies in one of the arrays. An array of 0 bytes holds its begin.
  bool holds(const void* address) const;

  static constexpr std::uint64_t kPage = 4096;  ///< bytes of the smallest page of any system

 private:
  struct Array {
    std::uint64_t begin = 0;  ///< bytes from data_
    std::uint64_t end = 0;
  };
  struct Zone {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  std::vector<Zone> zones() const;
  void swap(GuardedMemory& other) noexcept {
    std::swap(mapping_, other.mapping_);
    std::swap(mapped_, other.mapped_);
    std::swap(data_, other.data_);
    std::swap(room_, other.room_);
    std::swap(usable_, other.usable_);
    std::swap(next_, other.next_);
    std::swap(arrays_, other.arrays_);
    std::swap(huge_page_share_, other.huge_page_share_);
  }

  std::byte* mapping_ = nullptr;  ///< with the pages that fault
  std::uint64_t mapped_ = 0;
  std::byte* data_ = nullptr;  ///< memory for arrays
  std::uint64_t room_ = 0;     ///< bytes that were touched
  std::uint64_t usable_ = 0;   ///< bytes of them that do not fault
  std::uint64_t next_ = 0;     ///< begin of the next array
  std::vector<Array> arrays_;
  std::optional<double> huge_page_share_{};
};

}  // namespace sortlab
