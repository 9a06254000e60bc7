// Memory for buffers and scratch: anonymous pages, touched when made, so that first touch is never timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace sortlab {

/// True if the kernel gives huge pages to memory that requests them: transparent huge pages are neither off nor
/// forbidden to this process.
bool huge_pages_are_given();

/// The share of the memory from `begin` on that lies in huge pages, from 0 to 1: the kernel gives small ones where a
/// filter of system calls refuses the request for others, or where memory is in pieces. Nothing where it does not tell.
std::optional<double> share_in_huge_pages(const void* begin, std::size_t bytes);

enum class PageKind : std::uint8_t { small, huge };

class Pages {
 public:
  Pages() = default;
  /// Maps and touches at least `bytes` bytes: whole huge pages if requested and `bytes` is at least an eighth of one
  /// (the kernel may still give small ones); no huge page if small ones are requested. Throws std::bad_alloc.
  Pages(std::size_t bytes, PageKind kind);
  Pages(Pages&& other) noexcept { swap(other); }
  Pages& operator=(Pages&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Pages();

  template <class T = std::byte>
  T* data() const {
    return static_cast<T*>(static_cast<void*>(data_));
  }
  std::size_t size() const { return size_; }

 private:
  void swap(Pages& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapping_, other.mapping_);
    std::swap(mapped_, other.mapped_);
  }
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace sortlab
