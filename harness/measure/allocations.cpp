#include "harness/measure/allocations.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SORTLAB_COUNTS_ALLOCATIONS 1
#else
#define SORTLAB_COUNTS_ALLOCATIONS 0
#endif

namespace sortlab {
namespace {

std::atomic<bool> counting = false;
std::atomic<std::uint64_t> allocations = 0;

#if SORTLAB_COUNTS_ALLOCATIONS
void count_allocation() {
  if (counting.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
}
#endif

}  // namespace

void start_counting_allocations() {
  allocations.store(0);
  counting.store(true);
}

std::optional<std::uint64_t> stop_counting_allocations() {
  counting.store(false);
  if (!SORTLAB_COUNTS_ALLOCATIONS) return std::nullopt;
  return allocations.load();
}

}  // namespace sortlab

#if SORTLAB_COUNTS_ALLOCATIONS

// These stand before glibc's own and pass on to it; free() stays glibc's.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t bytes) noexcept {
  sortlab::count_allocation();
  return __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) noexcept {
  sortlab::count_allocation();
  return __libc_calloc(count, bytes);
}

void* realloc(void* old, std::size_t bytes) noexcept {
  sortlab::count_allocation();
  return __libc_realloc(old, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  sortlab::count_allocation();
  return __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return memalign(alignment, bytes);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) noexcept {
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const memory = memalign(alignment, bytes);
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}
}

#endif
