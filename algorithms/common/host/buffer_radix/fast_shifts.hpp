// Loops over digits, compiled with BMI2 shifts. The shift distances are known only at run time. On Intel's cores such a
// shift takes three operations, or one with BMI2 (shrx), which our baseline lacks. The difference is a tenth of the
// time of a sort of 32-bit keys.
#pragma once

namespace sortlab::satish {

template <class Loop>
[[gnu::noinline]] void run_portably(Loop loop) {
  loop();
}

#if defined(__x86_64__)
template <class Loop>
[[gnu::noinline, gnu::target("bmi2")]] void run_with_bmi2(Loop loop) {
  loop();
}
#endif

/// Runs a loop that is compiled for this processor. `loop` and all functions that it calls must be always_inline. It
/// should capture by value, since references would be reloaded after each store.
template <class Loop>
void with_fast_shifts(const Loop& loop) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("bmi2")) return run_with_bmi2(loop);
#endif
  run_portably(loop);
}

}  // namespace sortlab::satish
