#include "harness/machine/ended_threads.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "core/raw_clock.hpp"
#include "harness/machine/thread_times.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SORTLAB_WATCHES_THREADS 1
#else
#define SORTLAB_WATCHES_THREADS 0
#endif

namespace sortlab {
namespace {

constinit std::atomic<std::int64_t> waited_ns = 0;

}  // namespace

double ended_threads_waited_s() {
  return 1e-9 * static_cast<double>(waited_ns.load());
}

#if SORTLAB_WATCHES_THREADS

namespace {

using Routine = void* (*)(void*);

struct Start {
  Routine routine = nullptr;
  void* argument = nullptr;
  RawClock::time_point made{};
};

/// Adds what the calling thread waited at the end of its life, however it ends.
class Ending {
 public:
  explicit Ending(RawClock::time_point made) : made_(made) {}
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  ~Ending() {
    constexpr double least_s = 20e-6;  // reading takes some microseconds, of the sort's time
    constexpr double least_share = 0.01;
    const double lived_s = std::chrono::duration<double>(RawClock::now() - made_).count();
    const double idle_s = lived_s - caller_processor_s();
    if (idle_s < std::max(least_s, least_share * lived_s)) return;
    waited_ns += static_cast<std::int64_t>(1e9 * caller_waited_once_s());
  }

 private:
  RawClock::time_point made_;
};

}  // namespace

#endif

}  // namespace sortlab

#if SORTLAB_WATCHES_THREADS

extern "C" {

void* __libc_malloc(std::size_t);  // not counted as the sort's

static void* run_to_its_end(void* given) {
  const sortlab::Start start = *static_cast<sortlab::Start*>(given);
  std::free(given);
  const sortlab::Ending ending(start.made);
  return start.routine(start.argument);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                   void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, sortlab::Routine, void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  void* const memory = __libc_malloc(sizeof(sortlab::Start));
  if (memory == nullptr) return EAGAIN;
  auto* const start =
      new (memory) sortlab::Start{.routine = routine, .argument = argument, .made = sortlab::RawClock::now()};
  const int error = create(thread, attributes, run_to_its_end, start);
  if (error != 0) std::free(memory);
  return error;
}
}

#endif
