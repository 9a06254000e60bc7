#include "core/pages.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "core/affinity.hpp"
#include "core/parallel.hpp"

namespace sortlab {
namespace {

constexpr std::size_t kSmallPage = std::size_t{4} << 10;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// Small pages map to sets of the L2 cache differently in every mapping, so that an array of the cache's size sorts
/// faster or slower by chance. A huge page always maps alike.
constexpr std::size_t kLeastForHuge = kHugePage / 8;

/// One thread touches about 2 GB a second, and a result of 32 GB would take longer to touch than to sort. Threads
/// inherit their creator's binding, so a sort bound to one thread has its pages touched there.
void touch(std::byte* data, std::size_t bytes) {
  constexpr std::size_t worth_a_thread = std::size_t{64} << 20;
  const int threads = bytes < 2 * worth_a_thread ? 1 : static_cast<int>(allowed_cpus().size());
  in_parallel(bytes, threads, worth_a_thread,
              [data](std::size_t begin, std::size_t end) { std::memset(data + begin, 0, end - begin); });
}

}  // namespace

bool huge_pages_are_given() {
  std::ifstream file{"/sys/kernel/mm/transparent_hugepage/enabled"};  // always [madvise] never
  const std::string modes{std::istreambuf_iterator<char>{file}, {}};
  return modes.find("[always]") != std::string::npos || modes.find("[madvise]") != std::string::npos;
}

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
  // Advice only: a kernel without transparent huge pages gives small ones, which the environment record says.
  if (huge) madvise(data_, whole, MADV_HUGEPAGE);
  // A kernel set to give huge pages always would give them unasked.
  if (kind == PageKind::small) madvise(data_, whole, MADV_NOHUGEPAGE);
  touch(data_, whole);
}

Pages::~Pages() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

}  // namespace sortlab
