// Loops over digits shift by distances that only the run knows. On Intel's cores such a shift takes three operations,
// but one of BMI2's (shrx), which the baseline that we compile for lacks: a tenth of a sort of 32-bit keys.
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

/// Runs a loop, compiled for the processor at hand. `loop` and all that it calls must be inlined (always_inline), and
/// should hold what it reads by value: references would be followed again after each store.
template <class Loop>
void with_fast_shifts(const Loop& loop) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("bmi2")) return run_with_bmi2(loop);
#endif
  run_portably(loop);
}

}  // namespace sortlab::satish
