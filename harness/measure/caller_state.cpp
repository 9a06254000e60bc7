#include "harness/measure/caller_state.hpp"

#include <cfenv>

#include "core/affinity.hpp"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace sortlab {
namespace {

unsigned floating_point_control() {
#if defined(__SSE__)
  constexpr unsigned status = 0x3F;  // exceptions that occurred: no setting
  return _mm_getcsr() & ~status;
#elif defined(__aarch64__)
  unsigned long control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return static_cast<unsigned>(control);
#else
  return static_cast<unsigned>(std::fegetround());
#endif
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
  return state;
}

std::optional<std::string> CallerState::changed() const {
  const CallerState after = now();
  if (after.cpus_ != cpus_) return "the processors that the thread may run on";
  if (after.floating_point_ != floating_point_) return "the mode of floating point";
  if (!is_same(after.blocked_signals_, blocked_signals_)) return "the blocked signals";
  return std::nullopt;
}

}  // namespace sortlab
