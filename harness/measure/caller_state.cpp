#include "harness/measure/caller_state.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/affinity.hpp"
#include "core/descriptor.hpp"
#include "core/floating_point_control.hpp"

namespace sortlab {
namespace {

void (*handler(int signal))(int) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

bool has_timer() {
  itimerval timer{};
  for (const auto kind : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    if (getitimer(kind, &timer) == 0 && (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0)) return true;
  }
  return false;
}

/// The timers that timer_create() made, as the kernel lists them; empty where it does not.
std::string posix_timers() {
  std::string list;
  const int number = open("/proc/self/timers", O_RDONLY | O_CLOEXEC);
  if (number < 0) return list;
  const Descriptor file{number, "/proc/self/timers"};
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = read(file.get(), part.data(), part.size())) > 0;) {
    list.append(part.data(), static_cast<std::size_t>(got));
  }
  return list;
}

std::array<rlim_t, RLIM_NLIMITS> soft_limits() {
  std::array<rlim_t, RLIM_NLIMITS> limits{};
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    if (prlimit(0, static_cast<__rlimit_resource>(resource), nullptr, &limit) == 0) {
      limits[static_cast<std::size_t>(resource)] = limit.rlim_cur;
    }
  }
  return limits;
}

bool is_same(const sigset_t& a, const sigset_t& b) {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&a, signal) != sigismember(&b, signal)) return false;
  }
  return true;
}

}  // namespace

CallerState CallerState::now() {
  CallerState state;
  state.cpus_ = allowed_cpus();
  state.floating_point_ = floating_point_control();
  pthread_sigmask(SIG_SETMASK, nullptr, &state.blocked_signals_);
  state.handlers_ = {handler(SIGSEGV), handler(SIGBUS)};
  state.has_timer_ = has_timer();
  state.posix_timers_ = posix_timers();
  state.nice_ = getpriority(PRIO_PROCESS, 0);
  state.scheduling_ = sched_getscheduler(0);
  state.limits_ = soft_limits();
  return state;
}

std::optional<std::string> CallerState::changed() const {
  const CallerState after = now();
  if (after.cpus_ != cpus_ && pin_to(cpus_))
    return "the processors that the thread may run on, or something outside did (taskset)";
  if (after.floating_point_ != floating_point_) return "the mode of floating point";
  if (!is_same(after.blocked_signals_, blocked_signals_)) return "the blocked signals";
  if (after.handlers_ != handlers_) return "what a memory fault does";
  if (after.has_timer_ != has_timer_ || after.posix_timers_ != posix_timers_) return "the timers of the process";
  if (after.nice_ != nice_) {
    return fmt::format("the priority of the thread from {} to {}, or something outside did (renice)", nice_,
                       after.nice_);
  }
  if (after.scheduling_ != scheduling_) return "the scheduling of the thread, or something outside did (chrt)";
  if (after.limits_ != limits_) return "the limits of the process, or something outside did (prlimit)";
  return std::nullopt;
}

}  // namespace sortlab
