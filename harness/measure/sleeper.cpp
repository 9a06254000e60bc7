#include "harness/measure/sleeper.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <future>

namespace sortlab {
namespace {

/// Blocks all signals of the calling thread, and of threads that it starts, while it exists.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

Sleeper::Sleeper() : never_(eventfd(0, EFD_CLOEXEC), "an eventfd") {
  std::promise<int> opened;
  std::future<int> schedstat = opened.get_future();
  const SignalsBlocked none_wakes_it;
  thread_ = std::thread([never = never_.get(), opened = std::move(opened)]() mutable {
    opened.set_value(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC));
    eventfd_t value = 0;
    while (eventfd_read(never, &value) != 0 && errno == EINTR) {
    }
  });
  if (const int file = schedstat.get(); file >= 0) schedstat_ = Descriptor{file, "schedstat"};
}

Sleeper::~Sleeper() {
  eventfd_write(never_.get(), 1);
  thread_.join();
}

std::uint64_t Sleeper::times_woken() const {
  std::array<char, 128> text{};
  if (schedstat_.get() < 0 || pread(schedstat_.get(), text.data(), text.size() - 1, 0) <= 0) return 0;
  char* rest = text.data();
  std::uint64_t last = 0;
  for (int number = 0; number < 3; ++number) last = std::strtoull(rest, &rest, 10);  // ns run, ns waited, slices
  return last;
}

ThreadsAt ThreadsAt::now(const Sleeper* sleeper) {
  return {.time = RawClock::now(),
          .times_woken = sleeper == nullptr ? 0 : sleeper->times_woken(),
          .threads = ThreadTimes::now()};
}

double stood_still_s(const ThreadsAt& before, const ThreadsAt& after) {
  if (before.times_woken == after.times_woken) return 0;
  const double took_s = std::chrono::duration<double>(after.time - before.time).count();
  return std::max(0.0, took_s - after.threads.busiest_s(before.threads));
}

}  // namespace sortlab
