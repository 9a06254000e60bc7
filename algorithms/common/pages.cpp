#include "algorithms/common/pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <new>

namespace sortlab {

Pages::Pages(std::size_t bytes, PageKind kind) : size_(bytes) {
  if (bytes == 0) return;
  constexpr std::size_t huge = std::size_t{2} << 20;
  const std::size_t alignment = kind == PageKind::huge && bytes >= huge ? huge : 4096;
  if (bytes > SIZE_MAX - alignment) throw std::bad_alloc();
  mapped_ = (bytes + alignment + 4095) / 4096 * 4096;
  mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED) {
    mapping_ = nullptr;
    throw std::bad_alloc();
  }
  const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
  data_ = reinterpret_cast<std::byte*>((address + alignment - 1) / alignment * alignment);
  // Advice only: a kernel without transparent huge pages gives small ones, which the environment record tells.
  if (alignment == huge) madvise(data_, bytes, MADV_HUGEPAGE);
  std::memset(data_, 0, bytes);
}

Pages::~Pages() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

}  // namespace sortlab
