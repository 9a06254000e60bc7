#include "core/pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <new>

namespace sortlab {
namespace {

constexpr std::size_t kSmallPage = std::size_t{4} << 10;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// Small pages that share sets of the L2 cache lie elsewhere in every mapping, and an array of its size is sorted
/// faster or slower by that chance. A huge page lies the same way every time.
constexpr std::size_t kLeastForHuge = kHugePage / 8;

}  // namespace

Pages::Pages(std::size_t bytes, PageKind kind) : size_(bytes) {
  if (bytes == 0) return;
  const bool huge = kind == PageKind::huge && bytes >= kLeastForHuge;
  const std::size_t page = huge ? kHugePage : kSmallPage;
  if (bytes > SIZE_MAX - 2 * page) throw std::bad_alloc();
  const std::size_t whole = (bytes + page - 1) / page * page;
  mapped_ = whole + page - kSmallPage;  // room to begin at a page's boundary
  mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED) {
    mapping_ = nullptr;
    throw std::bad_alloc();
  }
  const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
  data_ = reinterpret_cast<std::byte*>((address + page - 1) / page * page);
  // Advice only: a kernel without transparent huge pages gives small ones, which the environment record tells.
  if (huge) madvise(data_, whole, MADV_HUGEPAGE);
  std::memset(data_, 0, whole);
}

Pages::~Pages() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

}  // namespace sortlab
