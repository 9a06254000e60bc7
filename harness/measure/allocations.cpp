#include "harness/measure/allocations.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <span>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SORTLAB_COUNTS_ALLOCATIONS 1
#else
#define SORTLAB_COUNTS_ALLOCATIONS 0
#endif

namespace sortlab {
namespace {

/// One thread's counter, in a cache line of its own: threads that allocate at the same time would otherwise wait for
/// each other inside the timed call.
struct alignas(64) Counter {
  std::atomic<std::uint64_t> allocations = 0;
};

/// Threads beyond this number share counters with earlier ones. The count stays exact.
constexpr std::size_t kCounters = 1024;

constinit std::array<Counter, kCounters> allocation_counters{};
alignas(64) constinit std::atomic<bool> counting = false;
alignas(64) constinit std::atomic<std::size_t> threads_counted = 0;

/// The counters that have a thread. The others stay out of the caches.
std::span<Counter> used_counters() {
  return std::span{allocation_counters}.first(std::min(threads_counted.load(), kCounters));
}

#if SORTLAB_COUNTS_ALLOCATIONS

void count_allocation() {
  if (!counting.load(std::memory_order_relaxed)) return;
  // The model "initial-exec" needs no memory of its own, which would call malloc again.
  [[gnu::tls_model("initial-exec")]] constinit thread_local Counter* counter = nullptr;
  if (counter == nullptr) {
    counter = &allocation_counters[threads_counted.fetch_add(1, std::memory_order_relaxed) % kCounters];
  }
  counter->allocations.fetch_add(1, std::memory_order_relaxed);
}
#endif

}  // namespace

void clear_allocations() {
  for (Counter& counter : used_counters()) counter.allocations.store(0, std::memory_order_relaxed);
}

void start_counting_allocations() {
  counting.store(true);
}

void stop_counting_allocations() {
  counting.store(false);
}

std::optional<std::uint64_t> counted_allocations() {
  if (!SORTLAB_COUNTS_ALLOCATIONS) return std::nullopt;
  std::uint64_t sum = 0;
  for (const Counter& counter : used_counters()) sum += counter.allocations.load(std::memory_order_relaxed);
  return sum;
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
