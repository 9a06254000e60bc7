#include "harness/measure/suspension.hpp"

#include <signal.h>
#include <time.h>

namespace sortlab {
namespace {

NowDoing* noted_in = nullptr;

void note_continuation(int) {
  noted_in->since_ns.store(NowDoing::now_ns());
  noted_in->continued.fetch_add(1);
}

std::int64_t read_clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

/// Time that the machine has slept: CLOCK_BOOTTIME goes on while it sleeps, CLOCK_MONOTONIC does not.
std::int64_t asleep_ns() {
  constexpr std::int64_t at_once = 1'000'000;
  while (true) {
    const std::int64_t before = read_clock_ns(CLOCK_MONOTONIC);
    const std::int64_t boot = read_clock_ns(CLOCK_BOOTTIME);
    if (read_clock_ns(CLOCK_MONOTONIC) - before < at_once) return boot - before;
  }
}

}  // namespace

Wakefulness Wakefulness::now(const NowDoing& doing) {
  return {.continued = doing.continued.load(), .asleep_ns = sortlab::asleep_ns()};
}

bool stood_still(const Wakefulness& before, const Wakefulness& after) {
  constexpr std::int64_t least_sleep = 10'000'000;  // the two clocks are not read at the same instant
  return after.continued != before.continued || after.asleep_ns - before.asleep_ns > least_sleep;
}

void note_continuations(NowDoing& doing) {
  noted_in = &doing;
  struct sigaction action {};
  action.sa_handler = note_continuation;
  action.sa_flags = SA_RESTART;
  sigaction(SIGCONT, &action, nullptr);
}

}  // namespace sortlab
